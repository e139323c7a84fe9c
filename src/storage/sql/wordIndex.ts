import type { FoundEntry, IndexChanges, IndexQuery, SearchReach } from '../searchIndex.js'
import type { Dialect, Parameter, SqlDriver, Statement } from './dialect.js'

/** The index of a prefix, and how its database is asked. */
export interface IndexPlace {
  readonly prefix: string
  readonly driver: Pick<SqlDriver, 'dialect' | 'query'>
}

/** How a database keeps entries and finds them by their words. Words are as `TERM_MAX` says. */
export interface WordIndex {
  /** Statements that create the tables of an index where they are missing. */
  create(prefix: string): readonly string[]
  /** The table in which each entry has a row. */
  entriesOf(prefix: string): string
  /** Statements that change entries. They go behind a guard: where another one changes entries first, they are not carried out. */
  changes(place: IndexPlace, changes: IndexChanges): Promise<readonly Statement[]>
  /** What `SearchIndex.find` finds. */
  find(place: IndexPlace, query: IndexQuery): Promise<readonly FoundEntry[]>
}

/** Longer lists of scopes are looked up in the rows that the words have found. */
export const SCOPES_MAX = 200

/** Asks for entries: rows with their `id` and `position`. */
export async function entriesBy({ query }: Pick<SqlDriver, 'query'>, asked: Statement): Promise<readonly FoundEntry[]> {
  return (await query(asked)).map(({ id, position }) => ({ id: String(id), position: Number(position) }))
}

/** The values of a statement that is being written, and how one more gets its placeholder. */
export function valuesOf({ placeholder }: Pick<Dialect, 'placeholder'>) {
  const values: Parameter[] = []
  return { values, value: (one: Parameter) => placeholder(values.push(one)) }
}

/** A condition that entry `e` is of one of these kinds. */
export function isOfKind({ isIn }: Dialect, kinds: readonly string[], values: Parameter[]): string {
  const part = isIn('e.kind', kinds, values.length + 1)
  values.push(...part.values)
  return part.text
}

/** A condition that entry `e` is within a reach that holds something. */
export function isWithin({ isIn }: Dialect, { areas, scopes }: SearchReach, values: Parameter[]): string {
  const parts = [['e.area', areas] as const, ['e.scope', scopes] as const].flatMap(([column, some]) => {
    if (some.length === 0) return []
    const part = isIn(column, some, values.length + 1)
    values.push(...part.values)
    return [part.text]
  })
  return `(${parts.join(' OR ')})`
}
