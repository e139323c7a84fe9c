import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { tokensTable } from '../../../commands/people/token/table.js'
import { KINDS } from '../../../commands/records/kinds.js'
import { type CommandOrigin, type Ledger, systemOrigin } from '../../ledger/ledger.js'
import { commandAround } from '../../log/eventsOfCommand.js'
import { type LogQuery, type Moment, pagesOf } from '../../log/logQuery.js'
import type { FoundMost } from './foundChanges.js'
import { carryOutUndo, planUndo, type UndoneRecord } from './undo.js'

/** What somebody did: with a token, also between two moments; with the command that an event belongs to; or with a request. */
export type Deed =
  | { readonly token: string; readonly from?: Moment | undefined; readonly to?: Moment | undefined }
  | { readonly event: number }
  | { readonly request: string }

/** A deed as the log has it: what finds its events, and the first of them, which an undo names as its cause. */
export interface FoundDeed {
  readonly query: LogQuery
  readonly first: number
}

const undoneRecord = {
  kind: z.enum(KINDS).describe('What kind of record it is.'),
  id: z.string().describe('The id.'),
  name: z.string().describe('What it is called, or was.')
}
const all = z.array(z.object(undoneRecord))

/** What an undo comes to, or would. */
export const takenBack = z.object({
  requestId: z
    .string()
    .nullable()
    .describe('The request id of all its events, by which it is taken back itself; null where nothing was changed.'),
  returned: all.describe('Records that were deleted, and come back.'),
  reverted: all.describe('Records that were changed or moved, and become what they were.'),
  removed: all.describe('Records that were made, and go.'),
  kept: z
    .array(z.object({ ...undoneRecord, reason: z.string().describe('Why.') }))
    .describe('Records that stay as they are, such as those that somebody else has changed since.')
})
export type TakenBack = Readonly<z.infer<typeof takenBack>>

/** How an undo is done: on whose behalf, whether it is only told, and how much of it there may be. */
export interface Manner {
  readonly origin?: CommandOrigin
  readonly isPreview: boolean
  readonly most?: FoundMost
  /** Is told the request id of the undo before it changes anything, where there is anything to change. */
  readonly begins?: (requestId: string) => void
}

/** Finds a deed in the log. Null where the log knows no such token, event or request; a token that did nothing is found. */
export async function findDeed(ledger: Ledger, deed: Deed): Promise<FoundDeed | null> {
  if ('event' in deed) {
    const command = await commandAround(ledger.storage, deed.event)
    if (!command) return null
    const { first, last } = command
    return { query: { from: { position: first }, to: { position: last } }, first }
  }
  if ('request' in deed) {
    const query = { filter: { requestId: deed.request } }
    const first = await firstOf(ledger, query)
    return first === null ? null : { query, first }
  }
  const { token: tokenId, from, to } = deed
  const query = { filter: { tokenId }, from, to }
  const first = (await firstOf(ledger, query)) ?? (await firstOf(ledger, { filter: { tokenId } }))
  if (first === null && !(await ledger.readModel.get(tokensTable, tokenId))) return null
  return { query, first: first ?? 0 }
}

/**
 * Takes a deed back, or with `isPreview` says what that would come to and changes nothing. All events of an undo have one request
 * id of their own, and name the first event of the deed as their cause.
 */
export async function takeBack(
  ledger: Ledger,
  { query, first }: FoundDeed,
  { origin = systemOrigin, isPreview, most, begins = () => {} }: Manner
): Promise<TakenBack> {
  const plan = await planUndo(ledger, query, most)
  const requestId = `undo-${randomUUID()}`
  const isAnything = plan.returning.length + plan.reverting.length + plan.removing.length > 0
  if (isAnything && !isPreview) begins(requestId)
  const failed = isPreview ? [] : await carryOutUndo(ledger, plan, first, requestId, origin)
  const stays = new Set(failed.map(({ kind, id }) => `${kind}-${id}`))
  const done = (records: readonly UndoneRecord[]) =>
    records.filter(({ kind, id }) => !stays.has(`${kind}-${id}`)).map(({ kind, id, name }) => ({ kind, id, name }))
  const [returned, reverted, removed] = [done(plan.returning), done(plan.reverting), done(plan.removing)]
  const hasChanged = !isPreview && returned.length + reverted.length + removed.length > 0
  return { requestId: hasChanged ? requestId : null, returned, reverted, removed, kept: [...plan.kept, ...failed] }
}

async function firstOf(ledger: Ledger, query: LogQuery): Promise<number | null> {
  for await (const [first] of pagesOf(ledger, query)) if (first) return first.position
  return null
}
