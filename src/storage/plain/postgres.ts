import pg from 'pg'
import type { PostgresConfig } from '../../config/types.js'
import { StorageUnavailable } from '../storage.js'
import { type PlainTables, plainRecord } from './plain.js'

const PAGE = 500
const CONNECT_TIMEOUT_MS = 3000

/** Plain tables of the current schema of a Postgres database. */
export async function openPlainPostgres(config: PostgresConfig): Promise<PlainTables> {
  const { host, port, user, password, database } = config
  const client = new pg.Client({ host, port, user, password, database, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
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
    async *records(table) {
      for (let after = ''; ; ) {
        const text = `SELECT * FROM ${pg.escapeIdentifier(table)} WHERE id::text > $1 ORDER BY id::text LIMIT ${PAGE}`
        const { rows } = await client.query({ text, values: [after], types: utc })
        for (const row of rows) yield plainRecord(row)
        if (rows.length < PAGE) return
        after = String(rows.at(-1)?.id)
      }
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
