import mysql, { type RowDataPacket } from 'mysql2/promise'
import type { MysqlConfig } from '../../config/types.js'
import { StorageUnavailable } from '../storage.js'
import { type PlainTables, plainRecord } from './plain.js'

const PAGE = 500
const CONNECT_TIMEOUT_MS = 3000

/** Plain tables of a MySQL or MariaDB database. */
export async function openPlainMysql(config: MysqlConfig): Promise<PlainTables> {
  const { host, port, user, password, database } = config
  const connection = await mysql
    // DATETIME is UTC there, and has no zone of its own.
    .createConnection({ host, port, user, password, database, timezone: 'Z', connectTimeout: CONNECT_TIMEOUT_MS })
    .catch((cause: unknown) => {
      throw new StorageUnavailable('MySQL did not answer.', { cause })
    })
  connection.on('error', () => {})
  return {
    async names() {
      const [rows] = await connection.query<RowDataPacket[]>(
        'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()'
      )
      return new Set(rows.map(({ name }) => String(name)))
    },
    async *records(table) {
      for (let after = ''; ; ) {
        const text = `SELECT * FROM ?? WHERE CAST(id AS BINARY) > CAST(? AS BINARY) ORDER BY CAST(id AS BINARY) LIMIT ${PAGE}`
        const [rows] = await connection.query<RowDataPacket[]>(text, [table, after])
        for (const row of rows) yield plainRecord(row)
        if (rows.length < PAGE) return
        after = String(rows.at(-1)?.id)
      }
    },
    close: () => connection.end()
  }
}
