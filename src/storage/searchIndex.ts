/**
 * How far the search index has come. `turn` grows with each change of the index: of several processes that bring it forward at
 * the same time, one wins. The events up to `position` are in it, and `note` is whatever the one that fills it has to remember.
 */
export interface SearchProgress {
  readonly turn: number
  readonly position: number
  readonly note: string
}

/**
 * A term may have so many characters, of which one beyond ASCII counts as five. It consists of lower-case letters and digits of
 * any script, and of underscores.
 */
export const TERM_MAX = 80

/** What can be found of one record. */
export interface SearchEntry {
  /** The record's stream. */
  readonly id: string
  /** The position of the event that has changed the record last. No two entries share one. */
  readonly position: number
  readonly kind: string
  /** What access is given to as a whole, and the part of it that this belongs to. */
  readonly area: string
  readonly scope: string
  /** Each once, at most `LIMITS.searchTerms`, the most important first: a database may find others by the whole of them alone. */
  readonly terms: readonly string[]
}

/** A term that an entry must have, or with `isPrefix` any term that begins so. */
export interface Term {
  readonly text: string
  readonly isPrefix: boolean
}

/** Which entries belong to an area or a scope of these. */
export interface SearchReach {
  readonly areas: readonly string[]
  readonly scopes: readonly string[]
}

/** What is asked of the index. */
export interface IndexQuery {
  /** Entries that have all of these terms, and not all of `none`. At least one. */
  readonly all: readonly Term[]
  readonly none?: readonly Term[]
  /** Only entries of these kinds. */
  readonly kinds?: readonly string[] | undefined
  /** Only entries within this reach; every entry without it. */
  readonly reach?: SearchReach | undefined
  /** Only entries with a position below this one. */
  readonly before?: number | undefined
  readonly limit: number
}

/** An entry that was found. */
export type FoundEntry = Pick<SearchEntry, 'id' | 'position'>

/** What changes in the index at once: entries that are there from now on, each in place of the one with its id, and ids of those that go. */
export interface IndexChanges {
  readonly put: readonly SearchEntry[]
  readonly remove: readonly string[]
}

/**
 * The index by which records are searched: beside the log and made from what it says, so it can be emptied and filled again at
 * any time. Every method throws `StorageUnavailable` as the storage does.
 */
export interface SearchIndex {
  progress(): Promise<SearchProgress>
  /**
   * Changes entries and moves the progress from `over` to `to`, all or nothing, and returns where it is then; null, with nothing
   * changed, where somebody else has moved it. Where the database takes it in several parts, the progress is `over` until the last
   * of them is done. No commit waits behind it, where the database takes several transactions at a time.
   */
  apply(over: SearchProgress, to: Omit<SearchProgress, 'turn'>, changes: IndexChanges): Promise<SearchProgress | null>
  /** The ids of some entries, at most so many; none where the index is empty. */
  some(limit: number): Promise<readonly string[]>
  /** The entries that a query wants, those that changed last first. */
  find(query: IndexQuery): Promise<readonly FoundEntry[]>
}

/** What a query means: drivers whose database is asked another way must find the same. */
export function isWanted({ all, none, kinds, reach, before }: IndexQuery, entry: SearchEntry): boolean {
  const { terms, kind, area, scope, position } = entry
  const has = ({ text, isPrefix }: Term) => terms.some((term) => (isPrefix ? term.startsWith(text) : term === text))
  return (
    (before === undefined || position < before) &&
    (kinds === undefined || kinds.includes(kind)) &&
    (reach === undefined || reach.areas.includes(area) || reach.scopes.includes(scope)) &&
    all.every(has) &&
    (none === undefined || !none.every(has))
  )
}
