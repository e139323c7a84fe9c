import { isDeepStrictEqual } from 'node:util'
import { BLOBS, COMMITS, EVENTS, PARTS, rowsCollection, TOKEN_USES } from '../../src/storage/firestore/layout.js'
import { PARTS_FIELD } from '../../src/storage/firestore/parts.js'
import { BODY_BYTES, columnsOf, WHOLE } from '../../src/storage/firestore/rows.js'
import type { IndexSpec, TableSpec } from '../../src/storage/storage.js'

type Order = 'ASCENDING' | 'DESCENDING'

/** What `firestore.indexes.json` holds, in the form that the Firebase CLI deploys. */
interface IndexFile {
  readonly indexes: readonly {
    readonly collectionGroup: string
    readonly queryScope: 'COLLECTION'
    readonly fields: readonly { readonly fieldPath: string; readonly order: Order }[]
  }[]
  readonly fieldOverrides: readonly {
    readonly collectionGroup: string
    readonly fieldPath: string
    readonly indexes: readonly { readonly order: Order; readonly queryScope: 'COLLECTION' }[]
  }[]
}

const DIRECTIONS = ['ASCENDING', 'DESCENDING'] as const

/** What the log is searched by, each in order of position. Where two are asked for, Firestore joins their indexes. */
const LOG_SEARCH = ['actorId', 'address', 'requestId', 'stream', 'tokenId', 'type']

/** The fields of documents that are no rows and in which nothing is searched. */
const UNSEARCHED: readonly (readonly [collection: string, fields: string])[] = [
  [COMMITS, 'at chain deferred generation seal writtenUnder'],
  [
    EVENTS,
    'actorId address at bytes causation chain commandId correlationId parts payload payloadCommitment payloadSalt requestId schema stream ' +
      'tokenId type version who whoCommitment whoSalt'
  ],
  [PARTS, 'data'],
  [BLOBS, 'body'],
  [TOKEN_USES, 'usedAt']
]

/**
 * The indexes that the lists of these tables need, and the fields that need none. Firestore would index every field both
 * ways: large texts for nothing, and times in an order in which they all go to one place.
 */
export function indexFileOf(tables: readonly TableSpec[]): IndexFile {
  const unsearched = [
    ...UNSEARCHED.map(([collection, fields]) => [collection, fields.split(' ')] as const),
    ...tables.map((table) => [rowsCollection(table), unsearchedColumns(table)] as const)
  ]
  const overrides = unsearched.flatMap(([collectionGroup, fields]) =>
    fields.map((fieldPath) => ({ collectionGroup, fieldPath, indexes: [] }))
  )
  const ordered = (...orders: readonly Order[]) => orders.map((order) => ({ order, queryScope: 'COLLECTION' }) as const)
  return {
    indexes: [
      ...LOG_SEARCH.flatMap((field) => composites(EVENTS, [field], ['position'])),
      ...tables.flatMap(compositesOf)
    ],
    fieldOverrides: [
      { collectionGroup: EVENTS, fieldPath: 'position', indexes: ordered(...DIRECTIONS) },
      // The newest is where the log ends.
      { collectionGroup: COMMITS, fieldPath: 'last', indexes: ordered('DESCENDING') },
      ...overrides
    ]
  }
}

/** An index for each list of rows, named once: who deploys a file that names one twice is refused. */
function compositesOf(table: TableSpec): IndexFile['indexes'] {
  const needed = Object.values(table.indexes).filter(
    ({ by, order }) => order.length > 0 && by.length + order.length > 1
  )
  const all = needed.flatMap(({ by, order }) => composites(rowsCollection(table), by, order))
  return all.filter((index, i) => all.findIndex((other) => isDeepStrictEqual(other, index)) === i)
}

/** An index for a list from its beginning, and one from its end: Firestore reads an index in one direction only. */
function composites(collectionGroup: string, by: readonly string[], order: readonly string[]): IndexFile['indexes'] {
  return DIRECTIONS.map((direction) => ({
    collectionGroup,
    queryScope: 'COLLECTION',
    fields: [
      ...by.map((fieldPath) => ({ fieldPath, order: 'ASCENDING' as const })),
      ...order.map((fieldPath) => ({ fieldPath, order: direction }))
    ]
  }))
}

/** Columns by which alone no row is ever looked for. Ids are what bulk changes look for. */
function unsearchedColumns(table: TableSpec): readonly string[] {
  const indexes = Object.values(table.indexes)
  const isSearched = ([column, kind]: [string, string]) =>
    kind.startsWith('id') || indexes.some((index) => isSearchedAlone(index, column))
  const columns = Object.entries(columnsOf(table)).filter((entry) => !isSearched(entry))
  return [...columns.map(([column]) => column), BODY_BYTES, WHOLE, PARTS_FIELD]
}

function isSearchedAlone({ by, order }: IndexSpec, column: string): boolean {
  return order.length === 0 ? by.includes(column) : by.length === 0 && order.length === 1 && order[0] === column
}
