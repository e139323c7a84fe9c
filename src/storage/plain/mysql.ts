import { connect as connectSocket } from 'node:net'
import mysql, { type RowDataPacket } from 'mysql2/promise'
import type { MysqlConfig } from '../../config/types.js'
import { encryptionOf, placeOf } from '../mysql/connection.js'
import { StorageUnavailable } from '../storage.js'
import { PAGE, type PlainTables, recordsIn } from './plain.js'

/** Plain tables of a MySQL or MariaDB database. */
export async function openPlainMysql(config: MysqlConfig): Promise<PlainTables> {
  const { user, password, database, connectTimeoutMs: connectTimeout } = config
  const stream = connectSocket(placeOf(config))
  const connection = await mysql
    // DATETIME is UTC there, and has no zone of its own.
    .createConnection({ stream, ...encryptionOf(config), user, password, database, timezone: 'Z', connectTimeout })
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
    records: (table, key) =>
      recordsIn(key, async (values) => {
        const columns = key.map((column) => `CAST(${mysql.escapeId(column)} AS BINARY)`).join(', ')
        const behind = `(${columns}) > (${key.map(() => 'CAST(? AS BINARY)').join(', ')})`
        const text = `SELECT * FROM ?? WHERE ${behind} ORDER BY ${columns} LIMIT ${PAGE}`
        const [rows] = await connection.query<RowDataPacket[]>(text, [table, ...values])
        return rows
      }),
    async count(table) {
      const [[row]] = await connection.query<RowDataPacket[]>('SELECT COUNT(*) AS n FROM ??', [table])
      return Number(row?.n)
    },
    close: () => connection.end()
  }
}
