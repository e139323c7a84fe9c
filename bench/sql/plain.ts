import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { DbConfig } from '../../src/config/types.js'
import { type NamedStatement, sendTransaction } from '../../src/storage/postgres/session.js'
import type { Parameter } from '../../src/storage/sql/dialect.js'

/** What plain SQL writes in one transaction. */
export type Written = 'put' | 'post' | 'commit'

/** Connections that write rows like those of the hub into tables like its own, each one transaction after another. */
export interface Plain {
  perSecond(what: Written, connections: number, seconds: number): Promise<number>
  close(): Promise<void>
}

interface Sample {
  readonly columns: readonly string[]
  readonly values: readonly Parameter[]
}

interface Writer {
  readonly client: pg.Client
  readonly prepared: Set<string>
}

/** Copies of the hub's tables of the log and of requests, with their indexes, and a table of one number. */
export async function openPlain(db: DbConfig, connections: number): Promise<Plain> {
  if (db.driver !== 'postgres') throw new Error('This is measured on Postgres.')
  const { host, port, user, password, database, prefix } = db
  const writers = await Promise.all(
    Array.from({ length: connections }, async (): Promise<Writer> => {
      const client = new pg.Client({ host, port, user, password, database })
      await client.connect()
      return { client, prepared: new Set() }
    })
  )
  const [first] = writers
  if (!first) throw new Error('There is no connection.')
  const { client } = first
  await client.query(`CREATE TABLE plain_log (LIKE ${prefix}log INCLUDING ALL)`)
  await client.query(`CREATE TABLE plain_requests (LIKE ${prefix}requests_g1 INCLUDING ALL)`)
  await client.query(`INSERT INTO plain_requests SELECT * FROM ${prefix}requests_g1`)
  await client.query('CREATE TABLE plain_commits (number bigint)')
  const event = await sampleOf(client, `SELECT * FROM ${prefix}log WHERE type = 'RequestCreated' LIMIT 1`)
  const request = await sampleOf(client, `SELECT * FROM ${prefix}requests_g1 LIMIT 1`)
  const ids = (await client.query<{ id: string }>('SELECT id FROM plain_requests')).rows.map(({ id }) => id)
  let number = 1_000_000

  const transactions: Record<Written, () => readonly NamedStatement[]> = {
    commit: () => [named('commit', 'INSERT INTO plain_commits VALUES ($1)', [number++])],
    put: () => {
      const position = number++
      const text = 'UPDATE plain_requests SET version = $1, revision = $2, body = $3 WHERE id = $4'
      const values = [position, position, columnOf(request, 'body'), ids[position % ids.length] ?? '']
      return [inserted('plain_log', event, { position, stream: `request-${position}` }), named('update', text, values)]
    },
    post: () => {
      const position = number++
      return [
        inserted('plain_log', event, { position, stream: `request-${position}` }),
        inserted('plain_requests', request, { id: randomUUID(), revision: position })
      ]
    }
  }

  return {
    async perSecond(what, count, seconds) {
      const end = performance.now() + 1000 * seconds
      let done = 0
      const begun = performance.now()
      await Promise.all(
        writers.slice(0, count).map(async (writer) => {
          for (; performance.now() < end; done++) {
            const failure = await sendTransaction(writer.client, writer.prepared, transactions[what]())
            if (failure) throw failure.reason
          }
        })
      )
      return done / ((performance.now() - begun) / 1000)
    },
    async close() {
      await Promise.all(writers.map((writer) => writer.client.end()))
    }
  }
}

async function sampleOf(client: pg.Client, text: string): Promise<Sample> {
  const { rows } = await client.query<Record<string, Parameter>>(text)
  const [row] = rows
  if (!row) throw new Error('The hub has no such row.')
  return { columns: Object.keys(row), values: Object.values(row) }
}

function columnOf({ columns, values }: Sample, column: string): Parameter {
  return values[columns.indexOf(column)] ?? null
}

function inserted(
  table: string,
  { columns, values }: Sample,
  own: Readonly<Record<string, Parameter>>
): NamedStatement {
  const places = columns.map((_, i) => `$${i + 1}`).join(', ')
  const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`
  return named(
    table,
    text,
    columns.map((column, i) => own[column] ?? values[i] ?? null)
  )
}

const named = (name: string, text: string, values: readonly Parameter[]): NamedStatement => ({
  name,
  statement: { text, values }
})
