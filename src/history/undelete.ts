import type { Restorable } from '../../commands/undelete/decide.js'
import type { RestorableKind } from '../../projections/departures.js'
import { contentsOf, type DepartureRow, deletionOf, kindOf } from '../../queries/departures.js'
import { kinds } from '../../queries/kinds.js'
import { errors } from '../errors.js'
import type { Agent, Ledger } from '../ledger.js'
import { things } from './history.js'
import { restorable } from './rows.js'
import { type State, type Tracer, tracer } from './trace.js'

/** One command brings back at most this many records, so that no commit is larger than every database takes. */
const RECORDS_MAX = 200
const BYTES_MAX = 512 * 1024

interface Deleted {
  readonly kind: RestorableKind
  readonly id: string
  readonly undoes: readonly number[]
}

/** How many records of each kind are back. */
export type Restored = Readonly<Partial<Record<RestorableKind, number>>>

const kindsOf: Readonly<Record<Restorable['type'], RestorableKind>> = {
  CollectionRestored: 'collection',
  EnvironmentRestored: 'environment',
  SnippetRestored: 'snippet',
  FolderRestored: 'folder',
  RequestRestored: 'request',
  DocumentRestored: 'document'
}

/**
 * Brings a deleted record back under its old id, with everything that went with it, each as it was before. A large one comes
 * back in several commits; interrupted, it is simply asked for again. 404 for what was never there or is erased, 409 for what
 * is not deleted, or belongs to a collection that is.
 */
export async function undelete(ledger: Ledger, agent: Agent, kind: RestorableKind, id: string): Promise<Restored> {
  const { view } = ledger
  const deletion = await deletionOf(view, kind, id)
  if (!deletion) {
    if (await view.get(kinds[kind].table, id)) throw errors.notDeleted(things[kind])
    throw errors.notFound(things[kind])
  }
  const trace = tracer(ledger)
  const found: Restorable[] = []
  for (const one of await allOf(ledger, deletion)) {
    const record = await lastOf(trace, one)
    if (record) found.push(record)
  }
  const records = containersFirst(found)
  // The deletion counts as undone with the last of it: until then it can be asked for again.
  records.at(-1)?.data.undoes.push(deletion.position)
  if (records.length === 0) throw errors.notFound(things[kind])
  for (const chunk of chunks(records)) {
    await ledger.run({ type: 'RestoreRecords', records: chunk }, { ...agent, causation: deletion.position })
  }
  return countsOf(records)
}

function countsOf(records: readonly Restorable[]): Restored {
  const counts: { -readonly [K in keyof Restored]: Restored[K] } = {}
  for (const { type } of records) {
    const kind = kindsOf[type]
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

/** Each folder behind the one that it is in, and everything else behind its folder. */
export function containersFirst(records: readonly Restorable[]): readonly Restorable[] {
  const parents = new Map(
    records.flatMap(({ type, id, data }) => (type === 'FolderRestored' ? [[id, data.parentFolderId] as const] : []))
  )
  const depth = ({ type, id }: Restorable) => {
    if (type === 'CollectionRestored') return 0
    if (type !== 'FolderRestored') return Number.POSITIVE_INFINITY
    let depth = 1
    for (let above = parents.get(id); above && depth <= parents.size; above = parents.get(above)) depth++
    return depth
  }
  const ranked = records.map((record) => ({ record, depth: depth(record) }))
  return ranked.sort((a, b) => (a.depth === b.depth ? 0 : a.depth - b.depth)).map(({ record }) => record)
}

/** The deleted thing and what went with it. */
async function allOf(ledger: Ledger, deletion: DepartureRow): Promise<readonly Deleted[]> {
  const { subject } = deletion
  const kind = kindOf(deletion)
  const held = contentsOf(deletion)
  const of = (kind: RestorableKind, ids: readonly string[]) => ids.map((id): Deleted => ({ kind, id, undoes: [] }))
  const items = [...of('request', held.requests), ...of('document', held.documents)]
  if (kind === 'collection') return [...of('collection', [subject]), ...of('folder', held.folders), ...items]
  if (kind !== 'folder') return of(kind, [subject])
  const inside: Deleted[] = []
  for (const id of held.folders) {
    const own = await deletionOf(ledger.view, 'folder', id)
    if (!own) continue
    const { requests, documents } = contentsOf(own)
    inside.push(
      { kind: 'folder', id, undoes: [own.position] },
      ...of('request', requests),
      ...of('document', documents)
    )
  }
  return [...of('folder', [subject]), ...inside, ...items]
}

/** The record as it was before it was deleted; null where it is there, or what it was is erased. */
async function lastOf(trace: Tracer, { kind, id, undoes }: Deleted): Promise<Restorable | null> {
  const states = await trace.states(kind, id)
  const [before, last] = states.slice(-2)
  if (!last || last.row !== null || !before?.row) return null
  return restorable(kind, before.row, { follows: lastVersion(kind, id, states), undoes: [...undoes] })
}

/** How far a record's own stream has come, by the states of the record. */
export function lastVersion(kind: RestorableKind, id: string, states: readonly State[]): number {
  const own = states.findLast(({ event }) => event.stream === `${kind}-${id}`)
  const row = states.findLast((state) => state.row)?.row
  return Math.max(own?.event.version ?? 0, row?.version ?? 0)
}

export function* chunks(records: readonly Restorable[]): Generator<readonly Restorable[]> {
  let chunk: Restorable[] = []
  let bytes = 0
  for (const record of records) {
    const size = JSON.stringify(record.data).length
    if (chunk.length >= RECORDS_MAX || (chunk.length > 0 && bytes + size > BYTES_MAX)) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(record)
    bytes += size
  }
  if (chunk.length > 0) yield chunk
}
