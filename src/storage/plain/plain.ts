/** A record of a plain table: names in camelCase, times as ISO 8601 in UTC, everything else as the database gave it. */
export type PlainRecord = Readonly<Record<string, unknown>>

/** Plain tables that another program keeps in a database: read here, never written. */
export interface PlainTables {
  /** Names of the tables that are there. */
  names(): Promise<ReadonlySet<string>>
  /** All records of a table, in any order. The columns of `key` tell them apart. */
  records(table: string, key: readonly string[]): AsyncIterable<PlainRecord>
  /** How many records a table has. */
  count(table: string): Promise<number>
  close(): Promise<void>
}

/** So many rows are read in one go. */
export const PAGE = 500

/** The records in pages of rows, each of which is asked for behind the key of the last row before it. */
export async function* recordsIn(
  key: readonly string[],
  pageBehind: (values: readonly string[]) => Promise<readonly Readonly<Record<string, unknown>>[]>
): AsyncGenerator<PlainRecord> {
  for (let values = key.map(() => ''); ; ) {
    const rows = await pageBehind(values)
    for (const row of rows) yield plainRecord(row)
    const last = rows.at(-1)
    if (rows.length < PAGE || !last) return
    values = key.map((column) => String(last[column]))
  }
}

/** A record with its names in camelCase and its times as text. */
export function plainRecord(row: Readonly<Record<string, unknown>>): PlainRecord {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
      value instanceof Date ? value.toISOString() : value
    ])
  )
}
