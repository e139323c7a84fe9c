import type { Row, TableSpec } from '../../src/storage/storage.js'

/** A table with a column of every kind, and lists in every shape. */
export const things = {
  name: 'contractThings',
  columns: {
    parent: 'id?',
    sortOrder: 'integer',
    sortKey: 'name',
    owner: 'id?',
    editor: 'id?',
    isLocked: 'flag',
    size: 'integer?',
    note: 'text?',
    madeAt: 'time',
    endedAt: 'time?'
  },
  indexes: {
    byParent: { by: ['parent'], order: ['sortOrder', 'sortKey'] },
    byName: { by: [], order: ['sortKey'] },
    byLock: { by: ['parent', 'isLocked'], order: [] }
  },
  scope: 'parent'
} as const satisfies TableSpec
export type Thing = Row<typeof things.columns>

/** A table whose rows have a unique name. */
export const names = {
  name: 'contractNames',
  columns: { name: 'name' },
  indexes: { byUniqueName: { by: ['name'], order: [], unique: true } },
  scope: 'id'
} as const satisfies TableSpec
type Name = Row<typeof names.columns>

/** A table whose columns have names that are words of SQL, some of one database alone. */
export const words = {
  name: 'contractWords',
  columns: { group: 'id?', order: 'integer', groups: 'id?', user: 'name', database: 'text?' },
  indexes: { byGroup: { by: ['group'], order: ['order', 'user'] } },
  scope: 'group'
} as const satisfies TableSpec

export const contractTables: readonly TableSpec[] = [things, names, words]

/** A thing of which only what matters is said. */
export function thing(id: string, columns: Partial<Thing> = {}): Thing {
  return {
    id,
    version: 1,
    revision: 1,
    parent: 'p1',
    sortOrder: 0,
    sortKey: id,
    owner: null,
    editor: null,
    isLocked: false,
    size: null,
    note: null,
    madeAt: '2026-01-02T03:04:05.678Z',
    endedAt: null,
    body: JSON.stringify({ id }),
    ...columns
  }
}

/** A row of `names`. */
export function named(id: string, name: string): Name {
  return { id, version: 1, revision: 1, name, body: '{}' }
}
