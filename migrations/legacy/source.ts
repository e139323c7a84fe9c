import type { PlainTables } from '../../src/app/plainTables.js'
import { camel, documentName, keyOf, type LegacyRecord, type LegacyTable, legacyTables } from './read.js'

/** What became of one table: how many records are taken over, and what could not be and why. */
export interface TableReport {
  readonly table: string
  taken: number
  /** Records of tenants that were not asked for. */
  otherTenants: number
  readonly refused: { readonly id: string; readonly why: string }[]
  /** What has no home here, and how often it was there. */
  readonly leftOut: Record<string, number>
  readonly notes: string[]
}

/** A table that has no home here, and how many records it has. */
export interface UnknownTable {
  readonly table: string
  readonly records: number
}

const TENANT = '__default__'
// The schema is an object whose keys are those of its type.
const TABLES = Object.keys(legacyTables) as readonly LegacyTable[]

/** The plain tables of an older hub, read record by record and checked. */
export class LegacySource {
  readonly reports = new Map<LegacyTable, TableReport>()
  readonly #tables: PlainTables
  readonly #names: ReadonlySet<string>
  readonly #tenant: string
  readonly #refused = new Set<string>()

  private constructor(tables: PlainTables, names: ReadonlySet<string>, tenant: string) {
    this.#tables = tables
    this.#names = names
    this.#tenant = tenant
  }

  /** Opens the tables of an older hub; null where there are none. */
  static async open(tables: PlainTables, tenant = TENANT): Promise<LegacySource | null> {
    const source = new LegacySource(tables, await tables.names(), tenant)
    const isThere = (['users', 'api_tokens', 'collections'] as const).every((table) => source.#nameOf(table))
    return isThere ? source : null
  }

  get tenant(): string {
    return this.#tenant
  }

  /** The tables that nobody here knows, but for those of a hub, which begin with `prefix`: so nothing is left in silence. */
  async unknownTables(prefix: string): Promise<readonly UnknownTable[]> {
    const known = new Set(TABLES.map((table) => this.#nameOf(table)))
    const unknown = [...this.#names].filter((name) => !known.has(name) && !name.startsWith(prefix)).sort()
    const counted: UnknownTable[] = []
    for (const table of unknown) counted.push({ table, records: await this.#tables.count(table) })
    return counted
  }

  report(table: LegacyTable): TableReport {
    const known = this.reports.get(table)
    if (known) return known
    const report: TableReport = { table, taken: 0, otherTenants: 0, refused: [], leftOut: {}, notes: [] }
    this.reports.set(table, report)
    return report
  }

  /** Notes once why a record is not taken over. */
  refuse(table: LegacyTable, id: string, why: string): void {
    if (this.#refused.has(`${table} ${id}`)) return
    this.#refused.add(`${table} ${id}`)
    this.report(table).refused.push({ id, why })
  }

  /** Counts something that is left out. */
  leaveOut(table: LegacyTable, what: string): void {
    const { leftOut } = this.report(table)
    leftOut[what] = (leftOut[what] ?? 0) + 1
  }

  /** The records of a table that can be read; the others are in its report, and so are columns that nobody here knows. */
  async *records<T extends LegacyTable>(table: T): AsyncGenerator<LegacyRecord<T>> {
    const name = this.#nameOf(table)
    if (name === undefined) return
    const report = this.report(table)
    report.otherTenants = 0
    const unknown = new Map<string, number>()
    const columns = Object.keys(legacyTables[table].shape)
    // A column that came later is missing in an older database: the same as one without a value.
    const nothing = Object.fromEntries(columns.map((column) => [column, null]))
    for await (const raw of this.#tables.records(name, keyOf(table))) {
      const { data, error } = legacyTables[table].safeParse({ ...nothing, ...raw })
      const tenant = table === 'tenants' ? raw.id : (raw.tenantId ?? TENANT)
      if (tenant !== this.#tenant) report.otherTenants++
      else if (data === undefined) {
        const [issue] = error?.issues ?? []
        const key = keyOf(table).map((column) => String(raw[camel(column)]))
        this.refuse(table, key.join(' '), `${issue?.path.join('.')}: ${issue?.message}`)
      } else {
        for (const [column, value] of Object.entries(raw)) {
          if (column in nothing || value === null || value === undefined) continue
          unknown.set(column, (unknown.get(column) ?? 0) + 1)
          report.leftOut[`values of ${name === table ? snake(column) : column}`] = unknown.get(column) ?? 0
        }
        // The schema is that of the table, so what it gives is a record of it.
        yield data as LegacyRecord<T>
      }
    }
  }

  /** What a table is called where it is: in SQL, or as a collection of documents. */
  #nameOf(table: LegacyTable): string | undefined {
    return [table, documentName(table)].find((one) => this.#names.has(one))
  }
}

/** The records of a table in two passes: those that were changed since a moment come last. */
export async function* latestLast<T extends 'requests' | 'run_results' | 'discussion_comments'>(
  source: LegacySource,
  table: T,
  since: string
): AsyncGenerator<LegacyRecord<T>> {
  for (const isLate of [false, true]) {
    for await (const record of source.records(table)) {
      const { createdAt, updatedAt }: { readonly createdAt: string; readonly updatedAt?: string | null } = record
      if ((updatedAt ?? createdAt) >= since === isLate) yield record
    }
  }
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
