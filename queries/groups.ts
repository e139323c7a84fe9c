import { groupsTable } from '../commands/people/group/table.js'
import { type JsonText, splice } from '../commands/record.js'
import type { Row } from '../src/storage/storage.js'
import type { Rows } from './listing.js'

export type GroupRow = Row<typeof groupsTable.columns>

/** A group as administrators see it. */
export function groupRecord({ body, createdAt, updatedAt }: GroupRow): JsonText {
  return splice(body, { createdAt, updatedAt })
}

/** Every group, by name. */
export const allGroups: Rows = { table: groupsTable, index: 'byName', under: [] }
