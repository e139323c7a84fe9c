import type { Caller } from '../commands/context.js'
import { reachesRun } from '../commands/people/token/scopes.js'
import { type JsonText, splice } from '../commands/record.js'
import { runPayloadsTable, runResultsTable } from '../commands/records/runResult/table.js'
import type { ReadStore, Row } from '../src/storage/storage.js'
import type { Rows } from './listing.js'

/** A shared run result as lists show it. */
export function runResultRecord(row: Row<typeof runResultsTable.columns>): JsonText {
  return splice(row.body, { createdAt: row.createdAt, createdByUserId: row.createdBy })
}

/** Those of them that the caller reaches, as lists show them. */
export function runResultRecords(
  caller: Caller,
  rows: readonly Row<typeof runResultsTable.columns>[]
): readonly JsonText[] {
  return rows.filter(({ collectionId }) => reachesRun(caller, collectionId)).map(runResultRecord)
}

/** Run results that an account has shared, or all of them, newest first. */
export function listRunResults(userId?: string): Rows {
  const newestFirst = { table: runResultsTable, selection: { reverse: true } }
  return userId === undefined
    ? { ...newestFirst, index: 'byAge', under: [] }
    : { ...newestFirst, index: 'byCreator', under: [userId] }
}

/** One run result with its payload, or null. */
export async function runResultDetail(read: Pick<ReadStore, 'get'>, id: string): Promise<JsonText | null> {
  const [row, payload] = await Promise.all([read.get(runResultsTable, id), read.get(runPayloadsTable, id)])
  return row && payload && `${runResultRecord(row).slice(0, -1)},"payload":${payload.body}}`
}
