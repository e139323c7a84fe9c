import { z } from 'zod'
import { auditEvents } from '../../commands/audit/events.js'
import { codec } from '../../commands/index.js'
import { tokensTable } from '../../projections/tokens.js'
import { KINDS, kinds } from '../../queries/kinds.js'
import { changesBetween, type FieldChange } from '../history/changes.js'
import { whoIn } from '../history/history.js'
import { type Source, type Tracer, tracer } from '../history/trace.js'
import { type EventHeader, type StoredEvent, subjectOf } from '../log/event.js'
import { eventsAt } from '../log/texts.js'
import type { ReadStore, Row, Storage } from '../storage/storage.js'
import { type Show, shown } from './mask.js'

/** One event as administrators see it. */
export interface AuditEntry {
  readonly position: number
  readonly at: string
  readonly type: string
  readonly resource: { readonly kind: string; readonly id: string; readonly name: string | null }
  /** The name that the account had at the time; null where it is erased. */
  readonly actor: { readonly id: string; readonly name: string | null }
  readonly token: { readonly id: string; readonly name: string | null } | null
  readonly address: string | null
  readonly requestId: string | null
  /** The position of the event that this one took back or repeated. */
  readonly causation: number | null
  /** What was different afterwards; for events about no record, what they tell. */
  readonly changes: readonly FieldChange[]
  readonly erased?: true
}

/** Fields that change with every change and say nothing of their own. */
const NOISE = new Set(['/updatedAt', '/updatedByUserId'])

/** The entries of these events, in their order. `how` says which texts may be shown. */
export async function entriesOf(
  source: Source & { readonly storage: Pick<Storage, 'readAt'>; readonly view: ReadStore },
  events: readonly EventHeader[],
  how: readonly Show[]
): Promise<readonly AuditEntry[]> {
  const trace = tracer(source)
  const tokenIds = [...new Set(events.flatMap(({ tokenId }) => tokenId ?? []))]
  const tokens = new Map((await source.view.getAll(tokensTable, tokenIds)).map((row) => [row.id, nameIn(row.body)]))
  const entries = new Map<number, AuditEntry>()
  for await (const page of eventsAt(source.storage, events)) {
    // One after another: what one event needs of a stream the next one has too.
    for (const event of page) entries.set(event.position, await entryOf(trace, event, tokens, how))
  }
  return events.flatMap(({ position }) => entries.get(position) ?? [])
}

async function entryOf(
  trace: Tracer,
  event: StoredEvent,
  tokens: ReadonlyMap<string, string | null>,
  how: readonly Show[]
): Promise<AuditEntry> {
  const { position, at, type, actorId, tokenId, requestId, causation, payload } = event
  const { name, address, searched } = whoIn(event)
  const { before, after } = await around(trace, event)
  const data = payload.text === null ? undefined : codec.decode(type, event.schema, payload.text)
  const record = changesBetween(before, after).filter(({ path }) => !NOISE.has(path))
  const changes =
    record.length > 0 ? record : changesBetween(undefined, type === 'AuditRead' ? asked(data, searched) : data)
  return {
    position,
    at,
    type,
    resource: resourceOf(event, data, after ?? before),
    actor: { id: actorId, name },
    token: tokenId === null ? null : { id: tokenId, name: tokens.get(tokenId) ?? null },
    address,
    requestId,
    causation,
    changes: changes.map((change) => shown(change, how)),
    ...(payload.text === null && { erased: true as const })
  }
}

/** What was asked of the log, with what is sealed of it. */
function asked(data: unknown, searched: Readonly<Record<string, string>> = {}): unknown {
  const filter = auditEvents.AuditRead.data.safeParse(data).data?.filter
  return filter === undefined ? data : { filter: { ...filter, ...searched } }
}

/** The record of the event's stream before and after it; undefined where there is none. */
async function around(trace: Tracer, { stream, position }: StoredEvent) {
  const kind = KINDS.find((one) => stream.startsWith(`${one}-`))
  const states = kind ? await trace.states(kind, subjectOf(stream), position) : await trace.own(stream, position)
  const recordOf = (row: Row | null | undefined): unknown => {
    if (!row) return undefined
    return kind ? JSON.parse(kinds[kind].record(row)) : plain(row)
  }
  const last = states.at(-1)
  if (last?.event.position !== position) return { before: recordOf(last?.row), after: recordOf(last?.row) }
  return { before: recordOf(states.at(-2)?.row), after: recordOf(last.row) }
}

/** A row without what only the read tables need. */
function plain({ version: _, revision: __, body, ...columns }: Row): object {
  const { sortKey: ___, nameKey: ____, ...rest } = { sortKey: null, nameKey: null, ...columns }
  return { ...JSON.parse(body), ...rest }
}

const refused = z.object({ kind: z.string(), id: z.string() })
const named = z.object({ name: z.string() })

function resourceOf({ stream, type }: StoredEvent, data: unknown, record: unknown): AuditEntry['resource'] {
  if (type === 'DeletionRefused') {
    const about = refused.safeParse(data)
    if (about.success) return { ...about.data, name: null }
  }
  const name = named.safeParse(record).data?.name ?? named.safeParse(data).data?.name ?? null
  return { kind: stream.slice(0, stream.indexOf('-')), id: subjectOf(stream), name }
}

function nameIn(body: string): string | null {
  return named.safeParse(JSON.parse(body)).data?.name ?? null
}
