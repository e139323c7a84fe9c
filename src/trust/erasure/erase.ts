import { z } from 'zod'
import { codec } from '../../../commands/index.js'
import { usersTable } from '../../../commands/people/user/table.js'
import { KINDS, kindOfStream, kinds, type RestorableKind } from '../../../commands/records/kinds.js'
import { tombstonesTable } from '../../../commands/records/undelete/table.js'
import { contentsOf, deletionOf, membersIn, type TombstoneRow } from '../../../queries/tombstones.js'
import { errors } from '../../errors.js'
import type { FollowedLedger } from '../../followers/followed.js'
import { forgetMarks } from '../../followers/notices/marks.js'
import { type CommandOrigin, type Ledger, systemOrigin } from '../../ledger/ledger.js'
import { giveWay } from '../../lib/turns.js'
import { slices } from '../../limits.js'
import { decoded } from '../../log/codec.js'
import { subjectOf } from '../../log/event.js'
import { eventsOf, pagesOf } from '../../log/logQuery.js'
import { eventsAt } from '../../log/pages.js'
import { releaseImages } from '../../records/images/shown.js'
import { forgetEnded } from '../../signIn/recheck.js'
import { commentsOn, type ErasedStream, logErasedStreams, runTogether } from './comments.js'
import { type Erased, eraseTold, whileNobodyErases } from './finish.js'
import { identityOf, letInBy, type Mention, mentionsOf } from './mentions.js'
import { unerased } from './unerased.js'

/** One event tells of at most so many positions. */
const POSITIONS_MAX = 5000
/** So many streams are asked about at once. */
const STREAMS_AT_ONCE = 500
/** The events by which records come back. */
const RETURNS = KINDS.map((kind) => `${kinds[kind].label}Restored`)

/** A deletion that is undone, and the event that tells it, by their positions. */
interface Undone {
  readonly position: number
  readonly by: number
}

/** What an erasure takes away, before it does: of each event its position. */
export interface Plan {
  readonly kind: string
  readonly id: string
  /** Events whose payload goes. */
  readonly payloads: readonly number[]
  /** The deletions of other things of which these payloads alone tell that they are undone, each with the one that does. */
  readonly undone?: readonly Undone[]
  /** The records whose events these are, where they are of records. */
  readonly records?: readonly { readonly kind: RestorableKind; readonly id: string }[]
  /** Events whose name and address go, ascending. */
  readonly names: readonly number[]
  /** Events of others that mention an account: their sealed part goes. */
  readonly mentions?: readonly Mention[]
  /** Comments on what goes, and what encrypts them: they go with all their payloads. */
  readonly comments?: readonly ErasedStream[]
}

/** How many payloads go. */
export function payloadsOf({ payloads, comments = [] }: Plan): number {
  return comments.reduce((sum, comment) => sum + comment.payloads.length, payloads.length)
}

const INVITED = 'InvitationCreated'
const ofUser = z.object({ userId: z.string() })

/**
 * What is to be erased of a deleted account: see `planPerson`. 409 for an account that is still there, 404 where the log knows
 * none.
 */
export async function planAccount(ledger: Ledger, id: string): Promise<Plan> {
  if (await ledger.readModel.get(usersTable, id)) throw errors.notDeletedYet()
  return planPerson(ledger, id)
}

/**
 * What is to be erased of an account, as the log is now and whether it is deleted or not: everything that happened to it, its
 * tokens and its devices, its name and addresses wherever it acted, wherever somebody searched the log for them,
 * wherever a command was given under the name on the host, and the addresses at which the hub let it in. A preview, as long as it is
 * not deleted. 404 where the log knows none.
 */
export async function planPerson(ledger: Ledger, id: string): Promise<Plan> {
  const identity = identityOf(id)
  const own = await unerased(ledger, `user-${id}`)
  for await (const event of eventsAt(ledger.storage, own.map(at))) identity.isNamedBy(event)
  const payloads = [...own]
  const letIn = [...(await letInBy(ledger, `user-${id}`))]
  for (const type of ['TokenCreated', 'TokenImported', 'IdentityBound', 'DeviceEnrolled', 'DeviceImported', INVITED]) {
    for await (const event of eventsOf(ledger, { filter: { types: [type] } })) {
      const isTheirs = event.payload.text !== null && ofUser.parse(decoded(event, codec).data).userId === id
      if (!isTheirs) continue
      for (const one of await letInBy(ledger, event.stream)) letIn.push(one)
      // An invitation says nothing of whom it is for.
      if (type !== INVITED) for (const one of await unerased(ledger, event.stream)) payloads.push(one)
    }
  }
  const names: number[] = []
  for await (const page of pagesOf(ledger, { filter: { actorId: id } })) {
    const named = page.filter(({ whoErased }) => !whoErased)
    names.push(...named.map(({ position }) => position))
    for await (const event of eventsAt(ledger.storage, named)) identity.hasActedIn(event)
  }
  const mentions = await mentionsOf(ledger, identity)
  for (const one of mentions.payloads) payloads.push(one)
  if (payloads.length + names.length + mentions.sealed.length === 0) throw errors.notFound('User')
  const others = [...letIn, ...mentions.sealed].filter(({ actorId }) => actorId !== id)
  return { kind: 'user', id, payloads, names, mentions: others }
}

/**
 * What is to be erased of a deleted record: every payload of its stream and of everything that went with it; of a collection
 * also what had been deleted in it before. What was said about any of it goes too. It cannot be brought back then. What has come
 * back since, and may have been deleted once more, stays whole. 404 for what is not deleted.
 */
export async function planDeleted(ledger: Ledger, kind: RestorableKind, id: string): Promise<Plan> {
  const deletion = await deletionOf(ledger.readModel, kind, id)
  if (!deletion) throw errors.notFound(kinds[kind].title)
  /** Each stream, with the last of these deletions that it went by. */
  const streams = new Map<string, number>()
  const add = (row: TombstoneRow) => {
    for (const stream of [`${row.kind}-${row.subject}`, ...membersOf(row)])
      streams.set(stream, Math.max(row.position, streams.get(stream) ?? 0))
  }
  add(deletion)
  if (kind === 'folder') {
    for (const inner of contentsOf(deletion).folders) {
      const own = await deletionOf(ledger.readModel, 'folder', inner)
      // One that has come back and gone once more is none of this deletion.
      if (own && own.position < deletion.position) add(own)
    }
  }
  if (kind === 'collection') {
    // What went with each is read by itself: it can be a lot.
    for (const { state, id: one } of await listed(ledger, id)) {
      const row = state === 'deleted' && (await ledger.readModel.get(tombstonesTable, one))
      if (row) add(row)
      await giveWay()
    }
  }
  const { position: head } = await ledger.storage.head()
  for (const some of slices([...streams.keys()], STREAMS_AT_ONCE)) {
    for (const { stream, position } of await ledger.storage.lastOf(some, RETURNS, head))
      if (position > (streams.get(stream) ?? 0)) streams.delete(stream)
    await giveWay()
  }
  const payloads: number[] = []
  const records: { readonly kind: RestorableKind; readonly id: string }[] = []
  for (const stream of streams.keys()) {
    const kind = kindOfStream(stream)
    if (kind) records.push({ kind, id: subjectOf(stream) })
    for (const one of await unerased(ledger, stream)) payloads.push(one)
    await giveWay()
  }
  const undone = await undoneBy(ledger, [...streams.keys()], new Set(payloads))
  return { kind, id, payloads, undone, records, names: [], comments: await commentsOn(ledger, streams.keys()) }
}

const returned = z.object({ deletionPositions: z.array(z.number()) })

/**
 * The deletions that count as undone with what came back in these streams, but for those whose events are erased too: of what comes back
 * together, the last tells it of the deletion that all of it went by.
 */
async function undoneBy(ledger: Ledger, streams: readonly string[], erased: ReadonlySet<number>) {
  const undone: Undone[] = []
  for (const some of slices(streams, STREAMS_AT_ONCE)) {
    for await (const event of eventsOf(ledger, { filter: { streams: some, types: RETURNS } })) {
      if (event.payload.text === null) continue
      const { deletionPositions } = returned.parse(decoded(event, codec).data)
      for (const position of deletionPositions) if (!erased.has(position)) undone.push({ position, by: event.position })
    }
  }
  return undone
}

function listed({ readModel }: Ledger, collectionId: string) {
  return readModel.list(tombstonesTable, 'byCollection', [collectionId], { body: false })
}

/** A ledger whose payloads are erased, and what searches it. */
export type Erasing = Ledger & Pick<FollowedLedger, 'indexer'>

/**
 * Takes away what a plan names, for ever, also from what is searched. The log tells of it, under the ids of what it is about, before
 * anything is gone, and what goes is what the log tells. Where `signal` is aborted it rejects, and what is left goes with `finishErasures`.
 */
export async function carryOut(
  ledger: Erasing,
  plan: Plan,
  origin: CommandOrigin = systemOrigin,
  signal?: AbortSignal
): Promise<Erased> {
  const { kind, id, payloads, undone = [], records = [], names, mentions = [], comments = [] } = plan
  const { position: before } = await ledger.storage.head()
  await logErasedStreams(ledger, comments, origin)
  if (kind === 'user') {
    await forgetMarks(ledger.storage.state, id)
    await forgetEnded(ledger)
  }
  // Before that by which they are found.
  const told = mentions.map(({ actorId, position }) => {
    const data = { actorId, afterPosition: position - 1, throughPosition: position }
    return { type: 'EraseNames', id: actorId, data } as const
  })
  await runTogether(ledger, told, origin)
  const positions = payloads.toSorted((a, b) => a - b)
  for (const [i, some] of [...slices(positions, POSITIONS_MAX)].entries()) {
    // With the first: where this is interrupted, nobody would find them any more.
    const data = { kind, id, positions: [...some], ...(i === 0 && undone.length > 0 && { undone: [...undone] }) }
    await ledger.run({ type: 'ErasePayloads', id, data, records }, origin)
  }
  const last = names.at(-1)
  if (last !== undefined) {
    const data = { actorId: id, afterPosition: 0, throughPosition: last }
    await ledger.run({ type: 'EraseNames', id, data }, origin)
  }
  const erased = await whileNobodyErases(ledger, () => eraseTold(ledger, before, undefined, signal), signal)
  await ledger.indexer.bringForward()
  // Its image went with the account, unless that was interrupted.
  if (kind === 'user') await releaseImages(ledger)
  return erased
}

const at = (position: number) => ({ position })

function membersOf(row: TombstoneRow): readonly string[] {
  return [...membersIn(contentsOf(row))].map(({ kind, id }) => `${kind}-${id}`)
}
