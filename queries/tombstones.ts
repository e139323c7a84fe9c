import { z } from 'zod'
import { KINDS, type Member, type RestorableKind } from '../commands/kinds.js'
import { tombstonesTable } from '../projections/tombstones.js'
import { slices } from '../src/limits.js'
import type { ReadStore, Row } from '../src/storage/storage.js'

export type DepartureRow = Row<typeof tombstonesTable.columns>

const ids = z.array(z.string())
const contents = z.object({ folders: ids, requests: ids, documents: ids })
type Contents = z.infer<typeof contents>

/** What kind of thing it was. */
export function kindOf({ kind }: DepartureRow): RestorableKind {
  return z.enum(KINDS).parse(kind)
}

/** What went with a deleted thing. */
export function contentsOf({ body }: DepartureRow): Contents {
  return contents.parse(JSON.parse(body))
}

/** The members of a collection that a deletion names as gone with what it deleted. */
export function* membersIn({ folders, requests, documents }: Contents): Generator<{ kind: Member; id: string }, void> {
  for (const id of folders) yield { kind: 'folder', id }
  for (const id of requests) yield { kind: 'request', id }
  for (const id of documents) yield { kind: 'document', id }
}

/** A deleted thing as administrators see it: what it was, when and by whom it was deleted, and how much went with it. */
function departureRecord(row: DepartureRow) {
  const { kind, subject: id, name, collectionId, at: deletedAt, actorId: deletedByUserId, position } = row
  const { folders, requests, documents } = contentsOf(row)
  const held = { folders: folders.length, requests: requests.length, documents: documents.length }
  return { kind, id, name, collectionId, deletedAt, deletedByUserId, position, held }
}

/** What is deleted and has not been brought back, newest first, without what went with it: see `deletedRecords`. */
export function listDeleted(read: ReadStore, limit?: number): Promise<readonly DepartureRow[]> {
  const options = { reverse: true, body: false, ...(limit !== undefined && { limit }) }
  return read.list(tombstonesTable, 'byState', ['deleted'], options)
}

/** What is deleted and has not been brought back, oldest first, without what went with it: see `deletedRecords`. */
export function oldestDeleted(read: ReadStore, limit: number): Promise<readonly DepartureRow[]> {
  return read.list(tombstonesTable, 'byState', ['deleted'], { limit, body: false })
}

const TOGETHER = 8

/** These as administrators see them, in their order. What went with each is read for a few at a time: it can be a lot. */
export async function deletedRecords(read: ReadStore, rows: readonly DepartureRow[]) {
  const records: ReturnType<typeof departureRecord>[] = []
  for (const some of slices(rows, TOGETHER)) {
    const ids = some.map(({ id }) => id)
    const found = new Map((await read.getAll(tombstonesTable, ids)).map((row) => [row.id, row]))
    for (const id of ids) {
      const row = found.get(id)
      if (row) records.push(departureRecord(row))
    }
  }
  return records
}

/** The last deletion of a thing that has not been undone; null where there is none. */
export async function deletionOf(read: ReadStore, kind: string, id: string): Promise<DepartureRow | null> {
  const rows = await read.list(tombstonesTable, 'bySubject', [id], { reverse: true, body: false })
  const last = rows.find((row) => row.kind === kind && row.state === 'deleted')
  return last ? read.get(tombstonesTable, last.id) : null
}
