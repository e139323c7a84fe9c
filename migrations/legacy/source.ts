import type { PlainTables } from '../../src/storage/plain/plain.js'
import { documentNames, type LegacyRecord, type LegacyTable, legacyTables } from './read.js'

/** What became of one table: how many records are taken over, and which could not be and why. */
export interface TableReport {
  readonly table: string
  taken: number
  /** Records of tenants that were not asked for. */
  otherTenants: number
  readonly refused: { readonly id: string; readonly why: string }[]
  readonly notes: string[]
}

const TENANT = '__default__'

/** The plain tables of an older hub, read record by record and checked. */
export class LegacySource {
  readonly reports = new Map<LegacyTable, TableReport>()
  readonly #tables: PlainTables
  readonly #names: ReadonlySet<string>
  readonly #tenant: string

  private constructor(tables: PlainTables, names: ReadonlySet<string>, tenant: string) {
    this.#tables = tables
    this.#names = names
    this.#tenant = tenant
  }

  /** Opens the tables of an older hub; null where there are none. */
  static async open(tables: PlainTables, tenant = TENANT): Promise<LegacySource | null> {
    const names = await tables.names()
    const has = (table: LegacyTable) => names.has(table) || names.has(documentNames[table])
    return has('users') && has('api_tokens') && has('collections') ? new LegacySource(tables, names, tenant) : null
  }

  get tenant(): string {
    return this.#tenant
  }

  /** Tables that have no home here yet, so that nothing is dropped in silence. */
  unsupportedTables(): readonly string[] {
    return HOMELESS.filter((name) => this.#names.has(name))
  }

  report(table: LegacyTable): TableReport {
    const known = this.reports.get(table) ?? { table, taken: 0, otherTenants: 0, refused: [], notes: [] }
    this.reports.set(table, known)
    return known
  }

  /** The records of a table that can be read; the others are in its report. */
  async *records<T extends LegacyTable>(table: T): AsyncGenerator<LegacyRecord<T>> {
    const name = [table, documentNames[table]].find((one) => this.#names.has(one))
    if (name === undefined) return
    const report = this.report(table)
    report.otherTenants = 0
    // A column that came later is missing in an older database: the same as one without a value.
    const nothing = Object.fromEntries(Object.keys(legacyTables[table].shape).map((column) => [column, null]))
    for await (const raw of this.#tables.records(name)) {
      const { data, error } = legacyTables[table].safeParse({ ...nothing, ...raw })
      if (data === undefined) {
        const [issue] = error?.issues ?? []
        refuse(report, String(raw.id), `${issue?.path.join('.')}: ${issue?.message}`)
      } else if ((data.tenantId ?? TENANT) !== this.#tenant) report.otherTenants++
      // The schema is that of the table, so what it gives is a record of it.
      else yield data as LegacyRecord<T>
    }
  }
}

const HOMELESS = [
  'live_servers',
  'live_pages',
  'notices',
  'discussions',
  'discussion_comments',
  'devices',
  'liveServers',
  'livePages',
  'discussionComments'
]

/** Notes once why a record is not taken over. */
export function refuse(report: TableReport, id: string, why: string): void {
  if (!report.refused.some((one) => one.id === id)) report.refused.push({ id, why })
}
