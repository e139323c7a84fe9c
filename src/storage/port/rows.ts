import type { Head } from '../../log/event.js'

/**
 * What a column holds. The kind decides its type in every database:
 * `id` ASCII up to 64 characters; `name` Unicode up to 500 characters, ordered by code point; `time` ISO 8601 in UTC with
 * milliseconds; `text` any length, in no index; `integer` a safe integer; `flag` true or false. A `?` allows null.
 */
export type ColumnKind = 'id' | 'id?' | 'name' | 'time' | 'time?' | 'text' | 'text?' | 'integer' | 'integer?' | 'flag'

export type Value = string | number | boolean | null

type ColumnValue<K extends ColumnKind> = K extends 'integer'
  ? number
  : K extends 'integer?'
    ? number | null
    : K extends 'flag'
      ? boolean
      : K extends `${string}?`
        ? string | null
        : string

export type Columns = Readonly<Record<string, ColumnKind>>
export type Values<C extends Columns> = { readonly [K in keyof C]: ColumnValue<C[K]> }

/**
 * Rows whose `by` columns equal the key, ascending by the `order` columns and then by id. Null equals nothing, and no
 * column of `order` may hold it, since databases differ in where they put it.
 */
export interface IndexSpec {
  readonly by: readonly string[]
  readonly order: readonly string[]
  readonly unique?: boolean
}

/** One read table: a name, a few typed columns that queries and decisions need, and `body`, the record's JSON text. */
export interface TableSpec<C extends Columns = Columns> {
  readonly name: string
  readonly columns: C
  readonly indexes: Readonly<Record<string, IndexSpec>>
  /** The column whose value names the group of rows that one list reply shows; `id` where each row stands alone. */
  readonly scope: string
}

/**
 * A row of a read table. `version` is the version of the row's own stream, so the row is its aggregate's snapshot;
 * `revision` is the position of the last event that changed anything in the row.
 */
export type Row<C extends Columns = Columns> = Values<C> & {
  readonly id: string
  readonly version: number
  readonly revision: number
  readonly body: string
}

/** A change of read tables, as data. Drivers carry it out and know no aggregate. */
export type RowOp =
  /** A new row, or a whole row in place of the one with that id, in the same scope. */
  | { readonly op: 'put'; readonly table: TableSpec; readonly row: Row }
  /** Some columns of a row, at least one; nothing where there is no such row. */
  | {
      readonly op: 'patch'
      readonly table: TableSpec
      readonly id: string
      readonly set: Readonly<Partial<Record<string, Value>>>
    }
  | { readonly op: 'delete'; readonly table: TableSpec; readonly id: string }
  /** Every row that holds `value` in the column. */
  | { readonly op: 'deleteWhere'; readonly table: TableSpec; readonly column: string; readonly value: Value }
  /** Sets each of `columns` to null where it holds `value`, and the revision of each row so changed. */
  | {
      readonly op: 'nullify'
      readonly table: TableSpec
      readonly columns: readonly string[]
      readonly value: Value
      readonly revision: number
    }

/** Which rows under a key, and in which order. */
export interface Selection {
  /** Only rows with these ids: an access list as part of the question. */
  readonly ids?: readonly string[]
  /** From the end of the order. */
  readonly reverse?: boolean
}

export interface RowOptions {
  /** False leaves `body` empty, for questions about columns only. */
  readonly body?: boolean
}

export interface ListOptions extends Selection, RowOptions {
  readonly limit?: number
}

/** Which part of a list: behind `after`, the values of a row in the index's order and then its id, or from the list's start. */
export interface PartOptions extends Selection {
  readonly after?: readonly Value[] | undefined
  readonly limit: number
}

/** A row of a list without its columns: `bytes` is how large its body is. */
export interface Outline {
  readonly id: string
  readonly revision: number
  readonly bytes: number
}

/** Reading rows. Answers come from one generation of the read tables. */
export interface ReadStore {
  get<C extends Columns>(table: TableSpec<C>, id: string): Promise<Row<C> | null>
  /** The rows that exist of these ids, in no order. All of them: with bodies only for what is known to be few or small. */
  getAll<C extends Columns>(
    table: TableSpec<C>,
    ids: readonly string[],
    options?: RowOptions
  ): Promise<readonly Row<C>[]>
  /** The rows under a key. All of them: with bodies only for what is known to be few or small, see `PagedReads`. */
  list<C extends Columns>(
    table: TableSpec<C>,
    index: string,
    key: readonly Value[],
    options?: ListOptions
  ): Promise<readonly Row<C>[]>
  /**
   * How many rows stand under a key; with `before`, only those that stand before these values of the index's order: of its
   * columns and the id, or the first few of them.
   */
  count(table: TableSpec, index: string, key: readonly Value[], before?: readonly Value[]): Promise<number>
}

/** Reading lists of any length and size, a part at a time. */
export interface PagedReads extends ReadStore {
  /** A list with its bodies; null where it is larger than `LIMITS.wholeList` or longer than `LIMITS.wholeListRows`. */
  wholeList<C extends Columns>(
    table: TableSpec<C>,
    index: string,
    key: readonly Value[],
    selection?: Selection
  ): Promise<readonly Row<C>[] | null>
  /** All rows of a list as they were at one moment, in its order; however long, no turn of the event loop is. */
  outline(table: TableSpec, index: string, key: readonly Value[], selection?: Selection): Promise<readonly Outline[]>
  /** A part of a list in its order, without bodies. It costs what the part costs, wherever in the list that is. */
  listPart<C extends Columns>(
    table: TableSpec<C>,
    index: string,
    key: readonly Value[],
    part: PartOptions
  ): Promise<readonly Row<C>[]>
  /**
   * The rows of these ids, in their order, from the first on: one page, so it may end before the last id. Only an answer
   * without any row says that there are none. At most 2000 ids, each once.
   */
  getPage<C extends Columns>(table: TableSpec<C>, ids: readonly string[]): Promise<readonly Row<C>[]>
}

/** Reading the rows of one generation, in lists and one after another. */
export interface RowReads extends PagedReads {
  /** Rows in order of id, for digests: one page. */
  scan(table: TableSpec, afterId: string, limit: number): Promise<readonly Row[]>
}

export interface Snapshot extends Pick<RowReads, 'scan'> {
  readonly head: Head
}

/** Where the read tables are. */
export interface RowStore {
  rows(generation: number): PagedReads
  /** Rows in order of id, for digests: one page. */
  scan(generation: number, table: TableSpec, afterId: string, limit: number): Promise<readonly Row[]>
  /** Runs `read` on one consistent state of head and live rows while writers go on. */
  snapshot<T>(read: (at: Snapshot) => Promise<T>): Promise<T>

  /** Remembers when tokens were last used. Beside the log: telemetry, not history. */
  touchTokens(uses: ReadonlyMap<string, string>): Promise<void>
  tokenUses(): Promise<ReadonlyMap<string, string>>
}
