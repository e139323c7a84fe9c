import pg from 'pg'
import type { PostgresConfig } from '../../config/types.js'
import { postgresPlaces } from '../postgres/connection.js'
import { StorageUnavailable } from '../storage.js'
import { PAGE, type PlainTables, recordsIn } from './plain.js'

/** Reading a page of an older hub's tables may take long. */
const STATEMENT_TIMEOUT_MS = 600_000

/** Plain tables of the current schema of a Postgres database. */
export async function openPlainPostgres(config: PostgresConfig): Promise<PlainTables> {
  let client: pg.Client
  try {
    client = await postgresPlaces(config).connect(STATEMENT_TIMEOUT_MS)
    // Plain timestamps are UTC there; the client would take them for local time.
    await client.query(`SET TIME ZONE 'UTC'`)
  } catch (cause) {
    throw new StorageUnavailable('Postgres did not answer.', { cause })
  }
  const utc = { getTypeParser: (oid: number, format?: 'text' | 'binary') => parserOf(oid, format) }
  return {
    async names() {
      const { rows } = await client.query<{ name: string }>(
        'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()'
      )
      return new Set(rows.map(({ name }) => name))
    },
    records: (table, key) =>
      recordsIn(key, async (values) => {
        const columns = key.map((column) => `${pg.escapeIdentifier(column)}::text`).join(', ')
        const behind = `(${columns}) > (${key.map((_, i) => `$${i + 1}::text`).join(', ')})`
        const text = `SELECT * FROM ${pg.escapeIdentifier(table)} WHERE ${behind} ORDER BY ${columns} LIMIT ${PAGE}`
        return (await client.query({ text, values: [...values], types: utc })).rows
      }),
    async count(table) {
      const { rows } = await client.query<{ n: string }>(`SELECT COUNT(*) AS n FROM ${pg.escapeIdentifier(table)}`)
      return Number(rows[0]?.n)
    },
    close: () => client.end()
  }
}

const TIMESTAMP_WITHOUT_ZONE = 1114
const BIGINT = 20

function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === TIMESTAMP_WITHOUT_ZONE) return (text: string) => new Date(`${text.replace(' ', 'T')}Z`)
  if (oid === BIGINT) return Number
  return pg.types.getTypeParser(oid, format)
}
