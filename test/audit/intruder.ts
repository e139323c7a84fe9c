import Database from 'libsql'
import pg from 'pg'
import type { DbConfig } from '../../src/config/types.js'
import { GENESIS, link } from '../../src/log/chain.js'
import type { StoredEvent } from '../../src/log/event.js'
import { toEvent } from '../../src/storage/events.js'

type Row = Readonly<Record<string, unknown>>
type Value = string | number | null

/** Whoever can write the database of a hub, and has nothing else. */
export interface Intruder {
  all(text: string, ...values: readonly Value[]): Promise<readonly Row[]>
  run(text: string, ...values: readonly Value[]): Promise<void>
  close(): Promise<void>
}

/** Gets into a database by its own client. */
export async function intrude(db: DbConfig): Promise<Intruder> {
  if (db.driver === 'sqlite') {
    const file = new Database(db.path)
    return {
      all: async (text, ...values) => file.prepare(text).all(values) as readonly Row[],
      run: async (text, ...values) => void file.prepare(text).run(values),
      close: async () => void file.close()
    }
  }
  if (db.driver !== 'postgres') throw new Error('Nobody gets into this one here.')
  const { host, port, user, password, database } = db
  const client = new pg.Client({ host, port, user, password, database })
  await client.connect()
  const numbered = (text: string) => {
    let n = 0
    return text.replaceAll('?', () => `$${++n}`)
  }
  return {
    all: async (text, ...values) => (await client.query<Row>(numbered(text), [...values])).rows,
    run: async (text, ...values) => void (await client.query(numbered(text), [...values])),
    close: () => client.end()
  }
}

const TABLES = ['hub_log', 'hub_head', 'hub_users_g1', 'hub_collections_g1']

/** Everything that the ways change, as it is now. */
export async function copyOf(intruder: Intruder): Promise<ReadonlyMap<string, readonly Row[]>> {
  const copy = new Map<string, readonly Row[]>()
  for (const table of TABLES) copy.set(table, await intruder.all(`SELECT * FROM ${table}`))
  return copy
}

/** Puts a copy in place of what is there. */
export async function putBack(intruder: Intruder, copy: ReadonlyMap<string, readonly Row[]>): Promise<void> {
  await intruder.run('BEGIN')
  for (const [table, rows] of copy) {
    await intruder.run(`DELETE FROM ${table}`)
    for (const row of rows) {
      const names = Object.keys(row)
      const places = names.map(() => '?').join(', ')
      const values = Object.values(row) as Value[]
      await intruder.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`, ...values)
    }
  }
  await intruder.run('COMMIT')
}

/** The log as it is in the database. */
export async function logIn(intruder: Intruder): Promise<readonly StoredEvent[]> {
  const rows = await intruder.all('SELECT * FROM hub_log ORDER BY position')
  const field = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return rows.map((row) => {
    const fields = Object.fromEntries(Object.entries(row).map(([name, value]) => [field(name), value]))
    return toEvent({ ...fields, schema: row.schema_version })
  })
}

/** Writes an event over the one at its position, or after the last. */
export async function write(intruder: Intruder, event: StoredEvent): Promise<void> {
  const { who, payload, schema, ...rest } = event
  const row: Record<string, Value> = {}
  for (const [name, value] of Object.entries({ ...rest, schemaVersion: schema }))
    row[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = value
  for (const [name, sealed] of [['who', who] as const, ['payload', payload] as const])
    Object.assign(row, {
      [name]: sealed.text,
      [`${name}_salt`]: sealed.salt,
      [`${name}_commitment`]: sealed.commitment
    })
  const names = Object.keys(row)
  await intruder.run('DELETE FROM hub_log WHERE position = ?', event.position)
  const places = names.map(() => '?').join(', ')
  await intruder.run(`INSERT INTO hub_log (${names.join(', ')}) VALUES (${places})`, ...Object.values(row))
}

/** Links everything from a position on as anybody can, and moves the head to the end. */
export async function linkAnew(intruder: Intruder, from: number): Promise<void> {
  let chain = GENESIS
  for (const event of await logIn(intruder)) {
    if (event.position >= from) {
      const linked = { ...event, chain: link(chain, event) }
      await intruder.run('UPDATE hub_log SET chain = ? WHERE position = ?', linked.chain, event.position)
      chain = linked.chain
    } else chain = event.chain
  }
  await moveHead(intruder)
}

/** Says that the log ends with its last event. The seal stays: nobody else can make one. */
export async function moveHead(intruder: Intruder): Promise<void> {
  const last = (await logIn(intruder)).at(-1)
  if (last)
    await intruder.run('UPDATE hub_head SET position = ?, chain = ?, at = ?', last.position, last.chain, last.at)
}
