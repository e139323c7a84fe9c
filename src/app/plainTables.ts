import type { DbConfig, FirestoreConfig, MysqlConfig, PostgresConfig } from '../config/types.js'
import { StorageUnavailable } from '../storage/storage.js'

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
const PAGE = 500
/** Reading a page of an older hub's tables may take long. */
const LIMIT_MS = 600_000

/** Opens a database for reading the plain tables of an older hub; null where the driver has none. Throws `StorageUnavailable`. */
export async function openPlain(db: DbConfig): Promise<PlainTables | null> {
  switch (db.driver) {
    case 'postgres':
      return plainPostgres(db)
    case 'mysql':
      return plainMysql(db)
    case 'firestore':
      return plainFirestore(db)
    case 'sqlite':
      return null
  }
}

type Rows = readonly Readonly<Record<string, unknown>>[]

/** How the tables of the current schema of an SQL database are asked for. */
interface PlainSql {
  readonly schema: string
  quoted(name: string): string
  /** A value as it is compared, byte by byte. */
  compared(value: string): string
  placeholder(n: number): string
  query(text: string, values: readonly string[]): Promise<Rows>
  close(): Promise<void>
}

function plainSql({ schema, quoted, compared, placeholder, query, close }: PlainSql): PlainTables {
  return {
    async names() {
      const tables = `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ${schema}`
      return new Set((await query(tables, [])).map(({ name }) => String(name)))
    },
    /** In pages of rows, each of which is asked for behind the key of the last row before it. */
    async *records(table, key) {
      const columns = key.map((column) => compared(quoted(column))).join(', ')
      const behind = `(${columns}) > (${key.map((_, i) => compared(placeholder(i + 1))).join(', ')})`
      const page = `SELECT * FROM ${quoted(table)} WHERE ${behind} ORDER BY ${columns} LIMIT ${PAGE}`
      for (let values = key.map(() => ''); ; ) {
        const rows = await query(page, values)
        for (const row of rows) yield plainRecord(row)
        const last = rows.at(-1)
        if (rows.length < PAGE || !last) return
        values = key.map((column) => String(last[column]))
      }
    },
    count: async (table) => Number((await query(`SELECT COUNT(*) AS n FROM ${quoted(table)}`, []))[0]?.n),
    close
  }
}

const TIMESTAMP_WITHOUT_ZONE = 1114
const BIGINT = 20

async function plainPostgres(config: PostgresConfig): Promise<PlainTables> {
  const { default: pg } = await import('pg')
  const { postgresPlaces } = await import('../storage/postgres/connection.js')
  const parserOf = (oid: number, format?: 'text' | 'binary') => {
    // Plain timestamps are UTC there; the client would take them for local time.
    if (oid === TIMESTAMP_WITHOUT_ZONE) return (text: string) => new Date(`${text.replace(' ', 'T')}Z`)
    return oid === BIGINT ? Number : pg.types.getTypeParser(oid, format)
  }
  const connected = async () => {
    const { client } = await postgresPlaces(config).connect({ limit_ms: LIMIT_MS })
    await client.query(`SET TIME ZONE 'UTC'`)
    return client
  }
  const client = await connected().catch(didNotAnswer('Postgres'))
  return plainSql({
    schema: 'current_schema()',
    quoted: pg.escapeIdentifier,
    compared: (value) => `${value}::text`,
    placeholder: (n) => `$${n}`,
    query: async (text, values) =>
      (await client.query({ text, values: [...values], types: { getTypeParser: parserOf } })).rows,
    close: () => client.end()
  })
}

async function plainMysql(config: MysqlConfig): Promise<PlainTables> {
  const { default: mysql } = await import('mysql2')
  const { mysqlPlaces } = await import('../storage/mysql/connection.js')
  const { query, close } = await mysqlPlaces(config).connect({ limit_ms: LIMIT_MS }).catch(didNotAnswer('MySQL'))
  return plainSql({
    schema: 'DATABASE()',
    quoted: mysql.escapeId,
    compared: (value) => `CAST(${value} AS BINARY)`,
    placeholder: () => '?',
    query: (text, values) => query({ text, values, hasLimit: true }),
    close
  })
}

function didNotAnswer(what: string) {
  return (cause: unknown): never => {
    throw new StorageUnavailable(`${what} did not answer.`, { cause })
  }
}

/** A record's id is its document's, but for one that no document may have. */
async function plainFirestore({ projectId, keyFilename }: FirestoreConfig): Promise<PlainTables> {
  const { Firestore, Timestamp } = await import('@google-cloud/firestore')
  const { EMULATOR_CREDENTIALS } = await import('../storage/firestore/link.js')
  const isEmulator = process.env.FIRESTORE_EMULATOR_HOST !== undefined
  const store = new Firestore({
    projectId,
    ...(keyFilename !== undefined && { keyFilename }),
    ...(isEmulator && { credentials: EMULATOR_CREDENTIALS })
  })
  return {
    names: async () => new Set((await store.listCollections()).map(({ id }) => id)),
    async *records(table) {
      for await (const document of store.collection(table).orderBy('__name__').stream()) {
        // The stream's elements are snapshots of documents; its type says strings and buffers.
        const { id, data } = document as unknown as { id: string; data(): Record<string, unknown> }
        const fields = Object.entries(data.call(document)).map(([name, value]) => {
          return [name, value instanceof Timestamp ? value.toDate() : value] as const
        })
        const record = Object.fromEntries(fields)
        yield plainRecord({ ...record, id: isReserved(record.id) ? record.id : id })
      }
    },
    count: async (table) => (await store.collection(table).count().get()).data().count,
    close: () => store.terminate()
  }
}

const isReserved = (id: unknown) => typeof id === 'string' && /^__.*__$/.test(id)

function plainRecord(row: Readonly<Record<string, unknown>>): PlainRecord {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
      value instanceof Date ? value.toISOString() : value
    ])
  )
}
