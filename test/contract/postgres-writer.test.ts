import pg from 'pg'
import * as assert from 'uvu/assert'
import { postgresPlaces } from '../../src/storage/postgres/connection.js'
import { translate } from '../../src/storage/postgres/dialect.js'
import { postgresSession } from '../../src/storage/postgres/session.js'
import type { RawRow, Statement } from '../../src/storage/sql/dialect.js'
import { type SqlWriter, sqlWriter } from '../../src/storage/sql/session.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import { postgresDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'

const test = suite('transactions on Postgres', { needs: ['postgres'] })
const INSERT = 'INSERT INTO texts VALUES ($1, $2)'

const insert = (row: { readonly n: number; readonly text: string }) => ({ text: INSERT, values: [row.n, row.text] })

async function withTable(
  work: (writer: SqlWriter, texts: () => Promise<readonly string[]>) => Promise<void>
): Promise<void> {
  const database = await postgresDatabase('writer')
  if (database === null) throw new Error('A suite on Postgres must say that it needs it')
  const { config } = database
  const reader = new pg.Client(config)
  const writer = sqlWriter(
    async () => postgresSession(await postgresPlaces(config).connect({ limit_ms: 12_000 }), (text) => text),
    translate
  )
  try {
    await reader.connect()
    await reader.query('CREATE TABLE texts (n bigint PRIMARY KEY, text text)')
    await work(writer, async () => {
      const { rows } = await reader.query<{ text: string }>('SELECT text FROM texts ORDER BY n')
      return rows.map(({ text }) => text)
    })
  } finally {
    await writer.close()
    await reader.end()
  }
}

test('carry more than fits into any buffer on the way', async () => {
  await withTable(async (writer, texts) => {
    const rows = Array.from({ length: 40 }, (_, n) => ({ n, text: `${n} ${'é'.repeat(200_000)}` }))
    const statements = rows.map(insert)
    assert.is(await writer.transaction(statements), 'done')
    assert.equal(
      await texts(),
      rows.map(({ text }) => text)
    )
  })
})

test('do nothing when one of their statements cannot be made, and the next one is done', async () => {
  await withTable(async (writer, texts) => {
    const broken = {
      text: INSERT,
      get values(): Statement['values'] {
        throw new RangeError('too large')
      }
    }
    const rows = Array.from({ length: 10 }, (_, n) => ({ n, text: 'x'.repeat(100_000) }))
    const failed = writer.transaction([...rows.map(insert), broken])
    await failed.then(assert.unreachable, (error: unknown) => assert.instance(error, StorageUnavailable))
    assert.is(await writer.transaction([insert({ n: 1, text: 'one' })]), 'done')
    assert.equal(await texts(), ['one'])
  })
})

test('of one that holds the head and does not go on end after ten seconds: others wait for it', () =>
  withTable(async (writer) => {
    let found: readonly RawRow[] = []
    const asked = "SELECT current_setting('idle_in_transaction_session_timeout') AS limit"
    const work = async (rows: readonly RawRow[]) => {
      found = rows
      return null
    }
    await writer.locked(asked, work, (ask) => ask())
    assert.equal(found, [{ limit: '10s' }])
  }))

for (const [code, what] of [
  ['25P03', 'that was idle for too long, as of a process that stood still'],
  ['25P04', 'that took too long'],
  ['55P03', 'that did not get its lock in time']
] as const) {
  test(`the end of one ${what} is an outage, and no mistake in it`, () => {
    const said = Object.assign(new pg.DatabaseError('ended', 5, 'error'), { code })
    assert.instance(translate(said), StorageUnavailable)
  })
}

test('end with their session where no answer comes in time: it may come to the next question', async () => {
  const database = await postgresDatabase('late')
  if (database === null) throw new Error('A suite on Postgres must say that it needs it')
  const session = postgresSession(await postgresPlaces(database.config).connect({ limit_ms: 300 }), (text) => text)
  await rejection(session.query({ text: 'SELECT pg_sleep(20)', values: [] }))
  assert.not(session.isOpen)
})

test.run()
