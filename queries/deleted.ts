import { namesIn } from '../commands/keys.js'
import { usersTable } from '../commands/people/user/table.js'
import { collectionsTable } from '../commands/records/collection/table.js'
import { isMember } from '../commands/records/kinds.js'
import { tombstonesTable } from '../commands/records/undelete/table.js'
import { slices } from '../src/limits.js'
import type { ReadStore } from '../src/storage/storage.js'
import { type Contents, contentsOf, type TombstoneRow } from './tombstones.js'

/** Something by its id, and the name that it has now; null where it is gone. */
interface Named {
  readonly id: string
  readonly name: string | null
}

/** How many records went with a deletion. */
type Held = Readonly<Record<keyof Contents, number>>

/** What went with so many deletions is held at a time: it can be a lot. */
const TOGETHER = 8

/**
 * Deleted things, in the order of their deletions: what each was, when and by whom it was deleted, which collection it was in, and
 * how much went with it. What is brought back or erased meanwhile is left out.
 */
export async function* deletedRecords(
  read: ReadStore,
  rows: readonly TombstoneRow[]
): AsyncGenerator<DeletedRecord, void> {
  const names = await namesFor(read, rows)
  for (const some of slices(rows, TOGETHER)) {
    const ids = some.map(({ id }) => id)
    const found = new Map((await read.getAll(tombstonesTable, ids)).map((row) => [row.id, row]))
    for (const id of ids) {
      const row = found.get(id)
      if (row) yield recordOf(row, await heldBy(read, row), names)
    }
  }
}

export type DeletedRecord = ReturnType<typeof recordOf>

type Names = Awaited<ReturnType<typeof namesFor>>

function recordOf(row: TombstoneRow, held: Held, names: Names) {
  const { kind, subject: id, name, collectionId, at: deletedAt, actorId, position } = row
  const deletedBy: Named = { id: actorId, name: names.accounts.get(actorId) ?? null }
  const collection: Named | null =
    isMember(kind) && collectionId !== null
      ? { id: collectionId, name: names.collections.get(collectionId) ?? null }
      : null
  return {
    ...{ kind, id, name, collectionId, collection },
    ...{ deletedAt, deletedByUserId: actorId, deletedBy, position, held }
  }
}

/** The names of the accounts that deleted these, and of the collections that they were in, as they are now. */
async function namesFor(read: ReadStore, rows: readonly TombstoneRow[]) {
  const accountIds = [...new Set(rows.map(({ actorId }) => actorId))]
  const collectionIds = [...new Set(rows.flatMap(({ collectionId }) => collectionId ?? []))]
  const columns = { body: false }
  const accounts = await read.getAll(usersTable, accountIds, columns)
  const collections = await read.getAll(collectionsTable, collectionIds, columns)
  return {
    accounts: new Map(accounts.map(({ id, name }) => [id, name])),
    collections: new Map(collections.map(({ id, sortKey }) => [id, namesIn(sortKey).name]))
  }
}

const POSITIONS = 100

/** All that went with a deletion: what a folder held, and what the folders inside it did, whose own deletions come right before. */
async function heldBy(read: ReadStore, row: TombstoneRow): Promise<Held> {
  const { folders, ...own } = contentsOf(row)
  const held = { folders: folders.length, requests: own.requests.length, documents: own.documents.length }
  if (row.kind !== 'folder') return held
  const inside = new Set(folders)
  const before = folders.map((_, i) => String(row.position - 1 - i))
  for (const some of slices(before, POSITIONS)) {
    for (const deletion of await read.getAll(tombstonesTable, some)) {
      if (deletion.kind !== 'folder' || !inside.has(deletion.subject)) continue
      const { requests, documents } = contentsOf(deletion)
      held.requests += requests.length
      held.documents += documents.length
    }
  }
  return held
}
