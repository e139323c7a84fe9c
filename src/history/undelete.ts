import type { Caller } from '../../commands/context.js'
import { itemPositionOf, reaches } from '../../commands/kind.js'
import { kinds, type Restorable, type RestorableKind } from '../../commands/kinds.js'
import { contentsOf, deletionOf, kindOf, type TombstoneRow } from '../../queries/tombstones.js'
import { errors } from '../errors.js'
import type { CommandOrigin, Ledger } from '../ledger.js'
import { giveWay } from '../turns.js'
import { lastStep } from './own.js'
import { type Past, pastOf, rowsOf } from './past.js'
import { positionOf } from './steps.js'

/** One command brings back at most this many records: no commit is larger than every database takes, or takes long. */
const RECORDS_MAX = 100
const BYTES_MAX = 512 * 1024

interface Deleted {
  readonly kind: RestorableKind
  readonly id: string
  readonly deletionPositions: readonly number[]
}

/** A deleted record as a reference, and the deletions that count as undone with it. */
export interface Returning extends Past {
  readonly deletionPositions: readonly number[]
  /** How far its own stream has come. */
  readonly follows: number
}

/** How many records of each kind are back. */
export type Restored = Readonly<Partial<Record<RestorableKind, number>>>

/**
 * Brings a deleted record back under its old id, with everything that went with it, each as it was before. A large one comes
 * back in several commits; interrupted, it is simply asked for again. 404 for what was never there or is erased, 409 for what
 * is not deleted, or belongs to a collection that is. A user, who is `by`, brings back what went by their own deletions, as
 * long as they may see it; anything else is 404.
 */
export async function undelete(
  ledger: Ledger,
  origin: CommandOrigin,
  kind: RestorableKind,
  id: string,
  by?: Caller
): Promise<Restored> {
  const deletion = await deletionOf(ledger.view, kind, id)
  if (!deletion) return refuse(ledger, kind, id, by)
  const mayReturn = !by || (deletion.actorId === by.userId && reaches(by, kinds[kind], id, deletion.collectionId))
  if (!mayReturn) throw errors.notFound(kinds[kind].title)
  const gone = await lastOf(ledger, await allOf(ledger, deletion))
  const found = containersFirst(by ? gone.filter((one) => one.gone?.actorId === by.userId) : gone)
  const last = found.at(-1)
  if (!last) throw errors.notFound(kinds[kind].title)
  // The deletion counts as undone with the last of it: until then it can be asked for again.
  const { position } = deletion
  const all = [...found.slice(0, -1), { ...last, deletionPositions: [...last.deletionPositions, position] }]
  const emptied = new Set<string>()
  for await (const records of batchesOf(ledger, all)) {
    const command = { type: 'RestoreRecords', records, emptied, deletion: { kind, position } } as const
    await ledger.run(command, { ...origin, causation: position })
    for (const { type, id } of records) if (type === 'CollectionRestored' || type === 'FolderRestored') emptied.add(id)
    await giveWay()
  }
  return countsOf(all)
}

/** Refuses what no deletion is known of: as not deleted where it is there for whoever asks to see. */
async function refuse({ view }: Ledger, kind: RestorableKind, id: string, by?: Caller): Promise<never> {
  const { table, title, isMember } = kinds[kind]
  const row = await view.get(table, id)
  const isSeen = row && (!by || reaches(by, kinds[kind], id, isMember ? itemPositionOf(row).collectionId : null))
  throw isSeen ? errors.notDeleted(title) : errors.notFound(title)
}

function countsOf(records: readonly Past[]): Restored {
  const counts: { -readonly [K in keyof Restored]: Restored[K] } = {}
  for (const { kind } of records) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/** Each folder behind the one that it is in, and everything else behind its folder. */
export function containersFirst<T extends Past>(records: readonly T[]): readonly T[] {
  const parents = new Map(
    records.flatMap(({ kind, id, outline }) =>
      kind === 'folder' && outline ? [[id, positionOf(kind, outline)?.inside] as const] : []
    )
  )
  const depth = ({ kind, id }: Past) => {
    if (kind === 'collection') return 0
    if (kind !== 'folder') return Number.POSITIVE_INFINITY
    let depth = 1
    for (let above = parents.get(id); above && depth <= parents.size; above = parents.get(above)) depth++
    return depth
  }
  const ranked = records.map((record) => ({ record, depth: depth(record) }))
  return ranked.sort((a, b) => (a.depth === b.depth ? 0 : a.depth - b.depth)).map(({ record }) => record)
}

/** The deleted thing and what went with it. */
async function allOf(ledger: Ledger, deletion: TombstoneRow): Promise<readonly Deleted[]> {
  const { subject } = deletion
  const kind = kindOf(deletion)
  const held = contentsOf(deletion)
  const of = (kind: RestorableKind, ids: readonly string[]) =>
    ids.map((id): Deleted => ({ kind, id, deletionPositions: [] }))
  const items = [...of('request', held.requests), ...of('document', held.documents)]
  if (kind === 'collection') return [...of('collection', [subject]), ...of('folder', held.folders), ...items]
  if (kind !== 'folder') return of(kind, [subject])
  const inside: Deleted[] = []
  for (const id of held.folders) {
    const own = await deletionOf(ledger.view, 'folder', id)
    if (!own) continue
    const { requests, documents } = contentsOf(own)
    inside.push({ kind: 'folder', id, deletionPositions: [own.position] })
    for (const one of [...of('request', requests), ...of('document', documents)]) inside.push(one)
    await giveWay()
  }
  return [...of('folder', [subject]), ...inside, ...items]
}

/** The records as they were before they were deleted, without those that are there, or are erased. */
async function lastOf({ storage }: Ledger, deleted: readonly Deleted[]): Promise<readonly Returning[]> {
  const { position: at } = await storage.head()
  const pasts = await pastOf(
    { storage },
    deleted.map(({ kind, id }) => ({ kind, id, at }))
  )
  const deletionPositions = new Map(deleted.map((one) => [`${one.kind}-${one.id}`, one.deletionPositions]))
  const found: Returning[] = []
  for (const past of pasts) {
    if (!past.gone || !past.outline) continue
    found.push({
      ...past,
      deletionPositions: deletionPositions.get(past.trace.stream) ?? [],
      follows: await versionOf(storage, past)
    })
  }
  return found
}

/** The events that bring these back, in their order, as many at a time as one command takes. */
export async function* batchesOf(
  { storage }: Pick<Ledger, 'storage'>,
  records: readonly Returning[]
): AsyncGenerator<readonly Restorable[], void> {
  for (const some of chunks(records)) {
    const rows = new Map<Returning, Restorable>()
    for await (const page of rowsOf(storage, some)) {
      for (const { past, row } of page) {
        const { kind, follows, deletionPositions } = past
        rows.set(past, kinds[kind].restorable(row, { follows, deletionPositions: [...deletionPositions] }))
        await giveWay()
      }
    }
    yield some.flatMap((past) => rows.get(past) ?? [])
  }
}

/** How far the record's own stream has come. Orders, which are in a collection's stream, take it on too. */
export async function versionOf(storage: Ledger['storage'], { kind, trace, at }: Past): Promise<number> {
  if (kind !== 'collection') return lastStep(trace)?.version ?? 0
  const [newest] = await storage.searchLog({ streams: [trace.stream] }, { after: 0, through: at }, 1, true)
  return newest?.version ?? 0
}

function* chunks<T extends Pick<Past, 'bytes'>>(records: readonly T[]): Generator<readonly T[]> {
  let chunk: T[] = []
  let bytes = 0
  for (const record of records) {
    if (chunk.length >= RECORDS_MAX || (chunk.length > 0 && bytes + record.bytes > BYTES_MAX)) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(record)
    bytes += record.bytes
  }
  if (chunk.length > 0) yield chunk
}
