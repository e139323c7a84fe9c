import type { Caller } from '../../../commands/context.js'
import { itemPositionOf, reaches } from '../../../commands/records/kind.js'
import { kinds, type Restorable, type RestorableKind } from '../../../commands/records/kinds.js'
import { contentsOf, deletionOf, kindOf, type TombstoneRow } from '../../../queries/tombstones.js'
import { errors } from '../../errors.js'
import type { CommandOrigin, Ledger } from '../../ledger/ledger.js'
import { giveWay } from '../../lib/turns.js'
import { slices } from '../../limits.js'
import { type Past, pastOf, type RecordMoment, type RecordPast, rowsOf } from './past.js'

/** One command brings back at most this many records: no commit is larger than every database takes, or takes long. */
const RECORDS_MAX = 100
const BYTES_MAX = 512 * 1024

/** A deleted record, and the deletions that count as undone with it. */
interface Deleted extends RecordMoment {
  readonly deletionPositions: readonly number[]
}

/** A deleted record as a reference. */
export interface Returning extends Deleted, Past {
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
  const deletion = await deletionOf(ledger.readModel, kind, id)
  if (!deletion) return refuse(ledger, kind, id, by)
  const mayReturn = !by || (deletion.actorId === by.userId && reaches(by, kinds[kind], id, deletion.collectionId))
  if (!mayReturn) throw errors.notFound(kinds[kind].title)
  const gone = (await lastOf(ledger, await allOf(ledger, deletion))).filter(
    // What came back and was deleted once more has a later deletion of its own.
    (one) => one.gone && one.gone.position <= deletion.position && (!by || one.gone.actorId === by.userId)
  )
  const found = containersFirst(gone)
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
async function refuse({ readModel }: Ledger, kind: RestorableKind, id: string, by?: Caller): Promise<never> {
  const { table, title, isMember } = kinds[kind]
  const row = await readModel.get(table, id)
  const isSeen = row && (!by || reaches(by, kinds[kind], id, isMember ? itemPositionOf(row).collectionId : null))
  throw isSeen ? errors.notDeleted(title) : errors.notFound(title)
}

function countsOf(records: readonly RecordMoment[]): Restored {
  const counts: { -readonly [K in keyof Restored]: Restored[K] } = {}
  for (const { kind } of records) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/** Each folder behind the one that it is in, and everything else behind its folder. */
export function containersFirst<T extends RecordPast>(records: readonly T[]): readonly T[] {
  const folders = records.filter(({ kind, outline }) => kind === 'folder' && outline)
  const parents = new Map(folders.map(({ id, outline }) => [id, outline && itemPositionOf(outline).inside]))
  const depth = ({ kind, id }: RecordPast) => {
    if (kind === 'collection') return 0
    if (kind !== 'folder') return Number.MAX_SAFE_INTEGER
    let depth = 1
    for (let above = parents.get(id); above && depth <= parents.size; above = parents.get(above)) depth++
    return depth
  }
  const ranked = records.map((record) => ({ record, depth: depth(record) }))
  return ranked.sort((a, b) => a.depth - b.depth).map(({ record }) => record)
}

/** The deleted thing and what went with it. */
async function allOf({ storage, readModel }: Ledger, deletion: TombstoneRow): Promise<readonly Deleted[]> {
  const { subject } = deletion
  const kind = kindOf(deletion)
  const { folders, requests, documents } = contentsOf(deletion)
  const { position: at } = await storage.head()
  const of = (kind: RestorableKind, ids: readonly string[], deletionPositions: readonly number[] = []) =>
    ids.map((id): Deleted => ({ kind, id, stream: `${kind}-${id}`, at, deletionPositions }))
  const items = [...of('request', requests), ...of('document', documents)]
  if (kind === 'collection') return [...of('collection', [subject]), ...of('folder', folders), ...items]
  const inside: Deleted[] = []
  for (const id of folders) {
    const own = await deletionOf(readModel, 'folder', id)
    if (!own) continue
    const held = contentsOf(own)
    const those = [...of('request', held.requests), ...of('document', held.documents)]
    for (const one of [...of('folder', [id], [own.position]), ...those]) inside.push(one)
    await giveWay()
  }
  return [...of(kind, [subject]), ...inside, ...items]
}

/** The records as they were before they were deleted, without those that are there, or are erased. */
async function lastOf({ storage }: Ledger, deleted: readonly Deleted[]): Promise<readonly Returning[]> {
  const found: Returning[] = []
  for (const past of await pastOf({ storage }, deleted)) {
    if (past.gone && past.outline) found.push({ ...past, follows: await versionOf(storage, past) })
  }
  return found
}

/** The events that bring these back, in their order, as many at a time as one command takes. */
export async function* batchesOf(
  { storage }: Pick<Ledger, 'storage'>,
  records: readonly Returning[]
): AsyncGenerator<readonly Restorable[], void> {
  for (const some of slices(records, RECORDS_MAX, BYTES_MAX, ({ bytes }) => bytes)) {
    const rows = new Map<Returning, Restorable>()
    for await (const { past, row } of rowsOf(storage, some)) {
      const { kind, follows, deletionPositions } = past
      rows.set(past, kinds[kind].restorable(row, { follows, deletionPositions: [...deletionPositions] }))
      await giveWay()
    }
    yield some.flatMap((past) => rows.get(past) ?? [])
  }
}

/** How far the record's own stream has come. Orders, which are in a collection's stream, take it on too. */
export async function versionOf(storage: Ledger['storage'], past: RecordPast): Promise<number> {
  const { kind, stream, steps, end, at } = past
  if (kind !== 'collection') return (end ?? steps.at(-1))?.version ?? 0
  const [newest] = await storage.searchLog({ streams: [stream] }, { after: 0, through: at }, 1, true)
  return newest?.version ?? 0
}
