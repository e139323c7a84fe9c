import type { Circumstance, ColumnKind, PoolState, Value } from '../storage.js'

/** What a statement carries to the database; a list only where the dialect's own text asks for one. */
export type Parameter = string | number | null | readonly string[] | readonly number[]

/** A statement and its values, in the order of its placeholders. */
export interface Statement {
  readonly text: string
  readonly values: readonly Parameter[]
  /** True where the best way depends on the values: a plan made for any of them is not kept. */
  readonly isPlannedAnew?: true
  /** True where nobody knows how many rows it changes. */
  readonly isBulk?: true
  /** True where a value is a limit, which not every server takes as the value of a prepared statement. */
  readonly hasLimit?: true
  /** For an insert of one row, its text around the row: several of them with the same text can go as one. */
  readonly insert?: { readonly before: string; readonly behind: string }
}

/** How long the texts among the values of a statement are together. */
export function lengthOf({ values }: Statement): number {
  let length = 0
  for (const value of values) length += typeof value === 'string' ? value.length : 0
  return length
}

/** A piece of a statement, in whichever dialect: texts with a value or another piece between each two. */
export class Piece {
  constructor(
    readonly texts: readonly string[],
    readonly parts: readonly (Parameter | Piece)[] = []
  ) {}
}

/** Makes a piece of a template. What stands in it is a value, unless it is a piece itself. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Parameter | Piece)[]): Piece {
  return new Piece(texts, parts)
}

/** A piece without values, such as the name of a table. */
export const raw = (text: string): Piece => new Piece([text])

/** Pieces one after another. */
export function joined(pieces: readonly Piece[], between: string): Piece {
  return pieces.length === 0 ? raw('') : new Piece(['', ...pieces.slice(1).map(() => between), ''], pieces)
}

/** A statement whose limit is a value of it, which not every database prepares. */
export const withLimit = (statement: Statement): Statement => ({ ...statement, hasLimit: true })

/** Makes statements of templates, as `sql` makes pieces, in a dialect. */
export function statements({ placeholder }: Pick<Dialect, 'placeholder'>) {
  /** Texts of templates in which nothing but values varies, by the pieces that stood in them. */
  const known = new WeakMap<TemplateStringsArray, { readonly pieces: readonly Piece[]; readonly text: string }>()
  return (whole: TemplateStringsArray, ...inIt: readonly (Parameter | Piece)[]): Statement => {
    const pieces: Piece[] = []
    const varying: Parameter[] = []
    for (const part of inIt) {
      if (part instanceof Piece) pieces.push(part)
      else varying.push(part)
    }
    const before = known.get(whole)
    if (before?.pieces.length === pieces.length && before.pieces.every((piece, i) => piece === pieces[i]))
      return { text: before.text, values: varying }
    let text = ''
    const values: Parameter[] = []
    const add = ({ texts, parts }: Piece) => {
      for (let i = 0; i < texts.length; i++) {
        text += texts[i]
        const part = parts[i]
        if (part instanceof Piece) add(part)
        else if (part !== undefined) text += placeholder(values.push(part))
      }
    }
    add(sql(whole, ...inIt))
    if (pieces.every(({ parts }) => parts.length === 0)) known.set(whole, { pieces, text })
    return { text, values }
  }
}

/** A row as a driver returns it. */
export type RawRow = Readonly<Record<string, unknown>>

/** Where the SQL databases differ in their text. */
export interface Dialect {
  /** The placeholder of the n-th value, from 1. */
  placeholder(n: number): string
  /** A column as statements name it: quoted, since what fields are called may be a word of the database's own language. */
  column(name: string): string
  columnType(kind: ColumnKind, indexed: boolean): string
  /** What stands behind `CREATE TABLE (...)`. */
  readonly tableOptions: string
  /** What turns an insert into an upsert of these columns. */
  upsert(key: string, columns: readonly string[]): string
  /** A condition that the column is one of the values, all of them texts or all numbers. */
  isIn(column: string, values: readonly string[] | readonly number[]): Piece
  /** How many bytes the text of a column has, null where it is null. */
  bytesOf(column: string): string
  /** The address in a `who` as an index has it, which is `addressKey`; null where the index has the beginning of the text instead. */
  addressIn(column: string): string | null
  /** What locks the rows of a question that stands before it; empty where the transaction has locked everything. */
  readonly forUpdate: string
  /** The server's own clock, in milliseconds; null where it is the clock of this machine. */
  readonly clock: string | null
  /** A question whose answer is one row with `version`, the name of the server and its version. */
  readonly versionQuery: string
  /** The names of the tables whose names begin with a text, perhaps with others. */
  readonly tableNames: string
  /** True where how many rows a query answers with may be what another query answers. */
  readonly limitsByQuery: boolean
  /** A condition that there is no text in the column, which needs nothing of a text that there is. */
  isNull(column: string): string
  /** See `Storage.changesAtOnce`. */
  readonly changesAtOnce: number
  /** Creates an index unless there is one of that name; null where only a table's own text can say so. */
  createIndex(name: string, table: string, columns: string, unique: boolean): string | null
}

/** What the dialects of Postgres and SQLite have in common. */
export const commonDialect = {
  tableOptions: '',
  upsert: (key, columns) =>
    `ON CONFLICT (${key}) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  bytesOf: (column) => `octet_length(${column})`,
  createIndex: (name, table, columns, unique) =>
    `CREATE ${unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${name} ON ${table} (${columns})`
} satisfies Partial<Dialect>

/** Who is granted what: accounts by their names, and the tables of each log beside the log itself. */
export interface Granting {
  readonly serving: string
  readonly erasing: string
  readonly logs: readonly { readonly prefix: string; readonly others: readonly string[] }[]
}

/** What a transaction comes to: `refused` where its guard broke a constraint, and nothing was changed. */
export type Outcome = 'done' | 'refused'

/** What a transaction ends with. */
export interface Ending {
  readonly statements: readonly Statement[]
  readonly guard: Statement
}

/** What each SQL database brings: how statements reach it. */
export interface SqlDriver {
  readonly dialect: Dialect
  query(statement: Statement): Promise<readonly RawRow[]>
  /**
   * Resolves to a number that is another one once anything was committed, by whichever process. Absent where asking for it costs as
   * much as any question.
   */
  readonly mark?: () => Promise<number>
  /**
   * All or nothing, in order, with one wait. A `guard` goes first; `refused` when it broke a constraint, by which it says
   * that the rest must not happen.
   */
  transaction(statements: readonly Statement[], guard?: Statement): Promise<Outcome>
  /**
   * A transaction that begins with a question without values, whose rows it locks. `work` gets them and says what the transaction ends with; with null,
   * or where it throws, nothing changes. What the ending comes to is said as of `transaction`.
   */
  locked(lock: string, work: (rows: readonly RawRow[]) => Promise<Ending | null>): Promise<Outcome>
  /** One connection of its own, reading one consistent state where `consistent`. */
  session<T>(consistent: boolean, work: (query: SqlDriver['query']) => Promise<T>): Promise<T>
  /**
   * Makes tables and takes them away, in order and up to the first statement that fails; all or nothing where the database can.
   * One after another, whichever process asks: also behind what the server still carries out for one that is gone.
   */
  makeTables(statements: readonly Statement[]): Promise<void>
  /** Runs `work` while no other process holds the lock of that name; see `Schema.exclusively`. */
  exclusively<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  hasTable(name: string): Promise<boolean>
  /** Takes what was overwritten out of the database's files, as far as nobody needs it. Absent where the hub cannot. */
  readonly forget?: () => Promise<void>
  /** See `Schema.grants`; absent where a database has no accounts. */
  readonly grants?: (granting: Granting) => readonly string[]
  readonly timeline?: () => string | undefined
  readonly notBefore?: (timeline: string) => void
  /** See `Server.circumstances`; absent where there is nothing to say. */
  readonly circumstances?: () => Promise<readonly Circumstance[]>
  /** Absent where readers share no connections. */
  readonly pool?: () => PoolState
  close(): Promise<void>
}

/** Makes inserts of a row into a table; `behind` says what happens to one that is there. */
export function inserts(
  { placeholder }: Dialect,
  table: string,
  columns: readonly string[],
  behind = ''
): (row: readonly Parameter[]) => Statement {
  const insert = { before: `INSERT INTO ${table} (${columns.join(', ')}) VALUES `, behind: behind && ` ${behind}` }
  const text = `${insert.before}(${columns.map((_, i) => placeholder(i + 1)).join(', ')})${insert.behind}`
  return (values) => ({ text, values, insert })
}

/** The name of a table or a column in the database. */
export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A value on its way into a column: flags become 0 and 1. */
export function encode(value: Value | undefined): Parameter {
  return typeof value === 'boolean' ? Number(value) : (value ?? null)
}

/** A value on its way out of a column, checked against the kind that the column has. */
export function decode(kind: ColumnKind, value: unknown): Value {
  if (value === null || value === undefined) return null
  if (kind === 'flag') return Number(value) === 1
  if (kind === 'integer' || kind === 'integer?') return Number(value)
  return String(value)
}

/** False for what no row can hold in a key: databases cut such a text short, or refuse the whole question. */
export function isStorable(value: Value | undefined): boolean {
  return typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed())
}
