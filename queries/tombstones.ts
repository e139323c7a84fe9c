import { z } from 'zod'
import type { Caller } from '../commands/context.js'
import { reaches } from '../commands/records/kind.js'
import { KINDS, kinds, type Member, type RestorableKind } from '../commands/records/kinds.js'
import { tombstonesTable } from '../commands/records/undelete/table.js'
import { LIMITS } from '../src/limits.js'
import type { PagedReads, ReadStore, Row, Value } from '../src/storage/storage.js'

export type TombstoneRow = Row<typeof tombstonesTable.columns>

const ids = z.array(z.string())
const contents = z.object({ folders: ids, requests: ids, documents: ids })
export type Contents = z.infer<typeof contents>

/** What kind of thing it was. */
export function kindOf({ kind }: TombstoneRow): RestorableKind {
  return z.enum(KINDS).parse(kind)
}

/** What went with a deleted thing. */
export function contentsOf({ body }: TombstoneRow): Contents {
  return contents.parse(JSON.parse(body))
}

/** The members of a collection that a deletion names as gone with what it deleted. */
export function* membersIn({ folders, requests, documents }: Contents): Generator<{ kind: Member; id: string }, void> {
  for (const id of folders) yield { kind: 'folder', id }
  for (const id of requests) yield { kind: 'request', id }
  for (const id of documents) yield { kind: 'document', id }
}

/** What is deleted and has not been brought back, newest first, without what went with it: see `deletedRecords`. */
export function listDeleted(read: ReadStore, limit?: number): Promise<readonly TombstoneRow[]> {
  const options = { reverse: true, body: false, ...(limit !== undefined && { limit }) }
  return read.list(tombstonesTable, 'byState', ['deleted'], options)
}

/** What is deleted and has not been brought back, oldest first, without what went with it: see `deletedRecords`. */
export function oldestDeleted(read: ReadStore, limit: number): Promise<readonly TombstoneRow[]> {
  return read.list(tombstonesTable, 'byState', ['deleted'], { limit, body: false })
}

const PAGE = 500

/** Tombstones under a key of an index, the newest first, page by page, without what went with them. */
export async function* newestTombstones(
  read: Pick<PagedReads, 'listPart'>,
  index: 'byCollection' | 'byActor',
  key: readonly Value[]
): AsyncGenerator<readonly TombstoneRow[], void> {
  for (let after: readonly Value[] | undefined; ; ) {
    const page = await read.listPart(tombstonesTable, index, key, { reverse: true, limit: PAGE, after })
    yield page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = [last.position, last.id]
  }
}

/**
 * What a user has deleted and may bring back, newest first, without what went with it: see `deletedRecords`. Their last deletions
 * are gone through, up to a bound, for those that their access lists still open.
 */
export async function listOwnDeleted(
  read: PagedReads,
  caller: Caller,
  limit: number
): Promise<readonly TombstoneRow[]> {
  const found: TombstoneRow[] = []
  let looked = 0
  for await (const page of newestTombstones(read, 'byActor', [caller.userId, 'deleted'])) {
    found.push(...page.filter((row) => reaches(caller, kinds[kindOf(row)], row.subject, row.collectionId)))
    looked += PAGE
    if (looked >= LIMITS.ownDeletions.max || found.length >= limit) break
  }
  return found.slice(0, limit)
}

/** The last deletion of a thing that has not been undone; null where there is none. */
export async function deletionOf(read: ReadStore, kind: string, id: string): Promise<TombstoneRow | null> {
  const rows = await read.list(tombstonesTable, 'bySubject', [id], { reverse: true, body: false })
  const last = rows.find((row) => row.kind === kind && row.state === 'deleted')
  return last ? read.get(tombstonesTable, last.id) : null
}
