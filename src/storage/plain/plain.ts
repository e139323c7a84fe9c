/** A record of a plain table: names in camelCase, times as ISO 8601 in UTC, everything else as the database gave it. */
export type PlainRecord = Readonly<Record<string, unknown>>

/** Plain tables that another program keeps in a database: read here, never written. */
export interface PlainTables {
  /** Names of the tables that are there. */
  names(): Promise<ReadonlySet<string>>
  /** All records of a table, in any order. */
  records(table: string): AsyncIterable<PlainRecord>
  close(): Promise<void>
}

/** So many rows are read in one go. */
export const PAGE = 500

/** The records in pages of rows, each of which is asked for behind the id of the last row before it. */
export async function* recordsIn(
  pageBehind: (id: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
): AsyncGenerator<PlainRecord> {
  for (let last = ''; ; ) {
    const rows = await pageBehind(last)
    for (const row of rows) yield plainRecord(row)
    if (rows.length < PAGE) return
    last = String(rows.at(-1)?.id)
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
