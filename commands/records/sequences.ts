import type { OrderedReads, SequenceSpec } from '../../src/readmodel/sequence.js'
import type { TableSpec } from '../../src/storage/storage.js'
import { documentsTable } from './document/table.js'
import { foldersTable } from './folder/table.js'
import { requestsTable } from './request/table.js'

/** Requests and documents share one order in each container. */
export const itemSequence: SequenceSpec = {
  name: 'items',
  tables: [requestsTable, documentsTable],
  index: 'byCollection',
  containerIndex: 'byContainer'
}

/** Folders have an order of their own below each parent. */
export const folderSequence: SequenceSpec = {
  name: 'folders',
  tables: [foldersTable],
  index: 'byCollection',
  containerIndex: 'byContainer'
}

const byTable = new Map(
  [itemSequence, folderSequence].flatMap((sequence) => sequence.tables.map(({ name }) => [name, sequence] as const))
)

/** The sequence that the rows of a table stand in; null for a table whose rows stand in none. */
export function sequenceOf({ name }: TableSpec): SequenceSpec | null {
  return byTable.get(name) ?? null
}

/** The highest order in a container of a scope, from its last rows where it is not known; null where nothing is in it. */
export async function lastOrderIn(
  sequence: SequenceSpec,
  scope: string,
  container: string,
  read: OrderedReads
): Promise<number | null> {
  const orders = await read.knownOrdersIn(sequence, scope, container)
  if (orders) return orders.at(-1) ?? null
  const { tables, containerIndex } = sequence
  const options = { reverse: true, limit: 1, body: false }
  const last = await Promise.all(tables.map((table) => read.list(table, containerIndex, [container], options)))
  return last.flat().reduce<number | null>((most, row) => Math.max(most ?? row.sortOrder, row.sortOrder), null)
}
