import { z } from 'zod'
import { codec } from '../../../commands/index.js'
import { auditEvents } from '../../../commands/log/audit/events.js'
import { tokensTable } from '../../../commands/people/token/table.js'
import { kindOfStream, kinds } from '../../../commands/records/kinds.js'
import { tableOf } from '../../../commands/snapshots.js'
import type { Frozen } from '../../lib/frozen.js'
import { giveWay, nextTurn } from '../../lib/turns.js'
import { LIMITS, slices } from '../../limits.js'
import { decoded, decodedIdentity } from '../../log/codec.js'
import { type EventHeader, type StoredEvent, subjectOf } from '../../log/event.js'
import { type Changes, changesBetween, fieldChange } from '../../records/history/fieldChanges.js'
import { after } from '../../records/history/fold.js'
import { who } from '../../records/history/history.js'
import { type HistorySource, pastOf, rowsOf } from '../../records/history/past.js'
import { kindIn } from '../../records/history/streams.js'
import type { Row } from '../../storage/storage.js'
import { limited, type Show, shown } from './mask.js'

const position = z.int().min(0)

/** One event as administrators see it. */
export const auditEntry = z.object({
  position: position.describe('The position of the event in the log.'),
  at: z.iso.datetime().describe('When it happened.'),
  type: z.string().describe('What happened, such as `RequestUpdated`.'),
  resource: z
    .object({
      kind: z.string().describe('The kind of thing, such as `request`.'),
      id: z.string().describe('The id.'),
      name: z.string().nullable().describe('The name; null where it has none, or is gone.')
    })
    .describe('What it happened to.'),
  actor: who.describe('The account that did it, with the name that it had at the time.'),
  token: who.nullable().describe('The token that it was done with; null where it was done with none.'),
  address: z.string().nullable().describe('The address of the client; null where there was none, or none is kept.'),
  operator: z
    .object({
      user: z.string().describe('The user of the operating system.'),
      host: z.string().describe('The name of the machine.'),
      command: z.string().describe('The command.')
    })
    .optional()
    .describe('Who gave the command on the host; missing where nobody did.'),
  requestId: z.string().nullable().describe('The `X-Request-Id` of the request; null where it was none.'),
  causation: position
    .nullable()
    .describe('The position of the event that this one took back or repeated; null where it did neither.'),
  changes: z.array(fieldChange).describe('What was different afterwards; for an event about no record, what it tells.'),
  more: z.int().optional().describe('How many more changes there are than are listed; missing where all are.'),
  erased: z.literal(true).optional().describe('True where the content of the event is erased, and else missing.')
})
export type AuditEntry = Frozen<z.infer<typeof auditEntry>>

/** How entries are made. */
export interface Manner {
  /** Which texts may be shown. */
  readonly how: readonly Show[]
  /** So many changes of an entry are listed, and items of a list in one. */
  readonly max: number
}

/** Fields that change with every change and say nothing of their own. */
const NOISE = new Set(['/updatedAt', '/updatedByUserId'])
/** What was before is looked up for so many events together. */
const TOGETHER = 50
/** The texts of so many are asked for at a time. */
const TEXTS = 8
/** What is longer is compared in steps. */
const LARGE_BYTES = 256 * 1024
const atOnce = () => undefined

/**
 * The entries of these events, in their order, one after another: a page of texts is held at a time. With `bytes` it is told
 * how much was read for each, so that whoever asks can end a page where it becomes too much.
 */
export async function* entriesOf(
  source: HistorySource,
  events: readonly EventHeader[],
  { how, max }: Manner
): AsyncGenerator<{ readonly entry: AuditEntry; readonly bytes: number }, void> {
  const tokens = await tokenNames(source, events)
  for (const group of slices(events, TOGETHER)) {
    const before = await befores(source, group)
    for (const some of slices(group, TEXTS)) {
      for await (const event of inOrder(source, some)) {
        const row = await before(event)
        const bytes = (event.payload.text?.length ?? 0) + (row?.body.length ?? 0)
        const pause = bytes > LARGE_BYTES ? nextTurn : atOnce
        await pause()
        yield { entry: await entryOf(event, row, tokens, { how, max }, pause), bytes }
        await giveWay()
      }
    }
  }
}

/** The events with their texts in the order given, as long as they make up a page together; single ones otherwise. */
async function* inOrder(
  { storage }: HistorySource,
  headers: readonly EventHeader[]
): AsyncGenerator<StoredEvent, void> {
  const first = await storage.readAt(headers.map(({ position }) => position).sort((a, b) => a - b))
  const known = new Map(first.map((event) => [event.position, event]))
  for (const { position } of headers) {
    const event = known.get(position) ?? (await storage.readAt([position]))[0]
    known.delete(position)
    if (event) yield event
  }
}

/** Made in steps with a pause between them, so that large ones hold up nobody for longer than a step takes. */
async function entryOf(
  event: StoredEvent,
  before: Row | null,
  tokens: ReadonlyMap<string, string | null>,
  { how, max }: Manner,
  pause: () => Promise<void> | undefined
): Promise<AuditEntry> {
  const { position, at, type, stream, actorId, tokenId, requestId, causation, payload } = event
  const { name, address, operator, searched } = decodedIdentity(event)
  const happened = decoded(event, codec)
  const data = payload.text === null ? undefined : happened.data
  await pause()
  // What is kept of a step until it is settled says less than what settles it.
  const table = type === 'LlmStepRecorded' ? null : tableOf(stream)
  const row = table ? after(before, happened, table) : null
  await pause()
  const was = table ? recordIn(stream, before) : undefined
  await pause()
  const is = recordIn(stream, row)
  await pause()
  const { changes, more } = listed(was, is, type === 'AuditRead' ? asked(data, searched) : data, max)
  return {
    position,
    at,
    type,
    resource: resourceOf(event, data, is ?? was),
    actor: { id: actorId, name },
    token: tokenId === null ? null : { id: tokenId, name: tokens.get(tokenId) ?? null },
    address,
    ...(operator && { operator }),
    requestId,
    causation,
    changes: changes.map((change) => shown(change, how, kindIn(stream))),
    ...(more > 0 && { more }),
    ...(payload.text === null && { erased: true as const })
  }
}

/** What was asked of the log, with what is sealed of it. */
function asked(data: unknown, searched: Readonly<Record<string, string>> = {}): unknown {
  const filter = auditEvents.AuditRead.data.safeParse(data).data?.filter
  return filter === undefined ? data : { filter: { ...filter, ...searched } }
}

function listed(was: unknown, is: unknown, data: unknown, max: number): Changes {
  const record = changesBetween(was, is, max + NOISE.size)
  const changes = record.changes.filter(({ path }) => !NOISE.has(path))
  const all = changes.length > 0 ? { changes, more: record.more } : changesBetween(undefined, data, max)
  return limited(all, max)
}

/** Looks up for each of these events what the row of its stream was before it. */
async function befores(
  source: HistorySource,
  events: readonly EventHeader[]
): Promise<(event: StoredEvent) => Promise<Row | null>> {
  const moments = events.map(({ stream, position }) => ({ stream, at: position - 1 }))
  const pasts = new Map((await pastOf(source, moments)).map((past) => [past.at + 1, past]))
  return async ({ position }) => {
    const past = pasts.get(position)
    if (!past || past.gone) return null
    for await (const { row } of rowsOf(source.storage, [past])) return row
    return null
  }
}

/** The record in the row of a stream, its order as the log keeps it; undefined where there is none. */
function recordIn(stream: string, row: Row | null): unknown {
  if (!row) return undefined
  const kind = kindOfStream(stream)
  return kind ? JSON.parse(kinds[kind].record(row, null)) : plain(row)
}

/** Columns of accounts, and of the hub, whose text is JSON. */
const JSON_COLUMNS = ['grants', 'groups', 'directory', 'avatar']

/** A row without what only the read tables need. */
function plain({ version: _, revision: __, body, ...columns }: Row): object {
  const { sortKey: ___, nameKey: ____, ...rest } = { sortKey: null, nameKey: null, ...columns }
  const read = Object.entries(rest).map(([name, value]) => {
    return [name, JSON_COLUMNS.includes(name) && typeof value === 'string' ? JSON.parse(value) : value] as const
  })
  return { ...JSON.parse(body), ...Object.fromEntries(read) }
}

/** Events that name what they are about by its kind and id. */
const ABOUT_ANOTHER = new Set(['DeletionRefused', 'PayloadsErased', 'ValueErased'])
const aboutRecord = z.object({ kind: z.string(), id: z.string() })
const called = z.object({ record: aboutRecord })
const named = z.object({ name: z.string() })
const ofAccount = z.object({ actorId: z.string() })
const ofModel = z.object({ model: z.string() })

function resourceOf({ stream, type }: StoredEvent, data: unknown, record: unknown): AuditEntry['resource'] {
  if (ABOUT_ANOTHER.has(type)) {
    const about = aboutRecord.safeParse(data)
    if (about.success) return { ...about.data, name: null }
  }
  if (type === 'NamesErased') {
    const about = ofAccount.safeParse(data)
    if (about.success) return { kind: 'user', id: about.data.actorId, name: null }
  }
  if (type === 'AgentToolCalled') {
    const about = called.safeParse(data)
    if (about.success) return { ...about.data.record, name: null }
  }
  if (type === 'LlmStepRecorded')
    return { kind: kindIn(stream), id: subjectOf(stream), name: ofModel.safeParse(data).data?.model ?? null }
  const name = named.safeParse(record).data?.name ?? named.safeParse(data).data?.name ?? null
  return { kind: kindIn(stream), id: subjectOf(stream), name }
}

async function tokenNames({ readModel }: HistorySource, events: readonly EventHeader[]) {
  const ids = [...new Set(events.flatMap(({ tokenId }) => tokenId ?? []))]
  const rows = await readModel.getAll(tokensTable, ids)
  return new Map(rows.map(({ id, body }) => [id, named.safeParse(JSON.parse(body)).data?.name ?? null]))
}

/** An entry of a list is short; one that is asked for by itself has everything that a comparison lists. */
export const listManner = { max: LIMITS.entryChanges.max } as const
export const fullManner = { max: LIMITS.changes.max } as const
