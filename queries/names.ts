import { z } from 'zod'
import { namesIn } from '../commands/keys.js'
import { isMember, kinds, type Member, type RestorableKind } from '../commands/records/kinds.js'
import type { ReadStore } from '../src/storage/storage.js'

/** A record by its name, of which the first 160 characters are there. */
export interface NamedRecord {
  readonly id: string
  readonly name: string
  /** The name without regard to case. */
  readonly folded: string
  /** The collection that holds it; null where it stands on its own. */
  readonly collectionId: string | null
  /** The folder that it is in; null where it is in none. */
  readonly folderId: string | null
  /** Where it stands among what is beside it: lower comes first. */
  readonly order: number
  readonly createdAt: string
}

const columns = z.object({
  id: z.string(),
  sortKey: z.string(),
  container: z.string().optional(),
  sortOrder: z.number().optional(),
  createdAt: z.string()
})

/** What the records of a kind are called, without their contents: those of one collection at a time. */
export async function* namesOfKind(
  read: ReadStore,
  kind: RestorableKind
): AsyncGenerator<readonly NamedRecord[], void> {
  if (!isMember(kind)) {
    const { table, listed } = kinds[kind]
    const rows = await read.list(table, listed, [], { body: false })
    yield rows.map((row) => named(row, null))
    return
  }
  const { table, listed } = kinds.collection
  for (const { id } of await read.list(table, listed, [], { body: false })) yield namesInCollection(read, kind, id)
}

/** What the records of a kind are called that one collection holds. */
export async function namesInCollection(read: ReadStore, kind: Member, id: string): Promise<readonly NamedRecord[]> {
  const rows = await read.list(kinds[kind].table, 'byCollection', [id], { body: false })
  return rows.map((row) => named(row, id))
}

function named(row: unknown, collectionId: string | null): NamedRecord {
  const { id, sortKey, container = null, sortOrder: order = 0, createdAt } = columns.parse(row)
  const folderId = container === collectionId ? null : container
  return { id, ...namesIn(sortKey), collectionId, folderId, order, createdAt }
}

/** What the record in a row is called, without its content: the first 160 characters. */
export function nameInColumns(row: unknown): string {
  return namesIn(columns.parse(row).sortKey).name
}

/** The way to a folder from the root of its collection, as `Refunds / Old`; the folders are those of the collection. */
export function pathOf(folders: ReadonlyMap<string, NamedRecord>, folderId: string | null): string {
  const names: string[] = []
  // A folder is in no circle; what is left out of a damaged one ends the way all the same.
  for (let at = folderId; at !== null && names.length <= folders.size; ) {
    const folder = folders.get(at)
    names.unshift(folder?.name ?? at)
    at = folder?.folderId ?? null
  }
  return names.join(' / ')
}
