import { z } from 'zod'
import { departuresTable, type RestorableKind } from '../projections/departures.js'
import type { PagedReads, ReadStore, Row } from '../src/storage/storage.js'
import { KINDS } from './kinds.js'
import { listPages } from './pages.js'

export type DepartureRow = Row<typeof departuresTable.columns>

const ids = z.array(z.string())
const contents = z.object({ folders: ids, requests: ids, documents: ids })

/** What kind of thing it was. */
export function kindOf({ kind }: DepartureRow): RestorableKind {
  return z.enum(KINDS).parse(kind)
}

/** What went with a deleted thing. */
export function contentsOf({ body }: DepartureRow): z.infer<typeof contents> {
  return contents.parse(JSON.parse(body))
}

/** A deleted thing as administrators see it: what it was, when and by whom it was deleted, and how much went with it. */
export function departureRecord(row: DepartureRow) {
  const { kind, subject: id, name, collectionId, at: deletedAt, actorId: deletedByUserId, position } = row
  const { folders, requests, documents } = contentsOf(row)
  const held = { folders: folders.length, requests: requests.length, documents: documents.length }
  return { kind, id, name, collectionId, deletedAt, deletedByUserId, position, held }
}

/** Everything that is deleted and has not been brought back, newest first. */
export function listDeleted(read: ReadStore): Promise<readonly DepartureRow[]> {
  return read.list(departuresTable, 'byState', ['deleted'], { reverse: true })
}

const lastDeleted = {
  table: departuresTable,
  index: 'byState',
  under: ['deleted'],
  selection: { reverse: true }
} as const

/** The last of that as administrators see it. */
export async function listDeletedRecords(read: PagedReads, limit = Number.POSITIVE_INFINITY) {
  const found: ReturnType<typeof departureRecord>[] = []
  for await (const page of listPages(read, lastDeleted)) {
    found.push(...page.slice(0, limit - found.length).map(departureRecord))
    if (found.length >= limit) break
  }
  return found
}

/** The last deletion of a thing that has not been undone; null where there is none. */
export async function deletionOf(read: ReadStore, kind: string, id: string): Promise<DepartureRow | null> {
  const rows = await read.list(departuresTable, 'bySubject', [id], { reverse: true, body: false })
  const last = rows.find((row) => row.kind === kind && row.state === 'deleted')
  return last ? read.get(departuresTable, last.id) : null
}
