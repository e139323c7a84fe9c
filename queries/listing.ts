import type { JsonText, Place } from '../projections/record.js'
import type { SequenceSpec } from '../src/log/sequence.js'
import type { Columns, Row, Selection, TableSpec, Value } from '../src/storage/storage.js'

/** Rows under a key of an index, in its order. */
export interface Rows<C extends Columns = Columns> {
  readonly table: TableSpec<C>
  readonly index: string
  readonly under: readonly Value[]
  readonly selection?: Selection
}

/**
 * A list reply as data: what to read, and what it depends on, so that the reply can be kept until that changes.
 * The reply is `{"<name>": [...]}`; `key` tells apart lists of one name and scope.
 */
export interface Listing extends Rows {
  readonly name: string
  readonly key: string
  readonly scope: string | null
  /** The sequence that the rows stand in: the list is by their places then. */
  readonly sequence?: SequenceSpec
  // A method's parameter is bivariant: the row given is one of this list's table.
  record(row: Row, place: Place): JsonText
}

/** An access list as part of a question to the store. */
export function within(access: readonly string[]): Selection {
  return access.includes('*') ? {} : { ids: access }
}

/** Callers with the same access get the same list. */
export function accessKey(access: readonly string[]): string {
  return access.includes('*') ? '*' : [...access].sort().join(' ')
}
