import * as assert from 'uvu/assert'
import { seal } from '../../src/log/chain.js'
import { type MysqlConnection, mysqlPlaces } from '../../src/storage/mysql/connection.js'
import { mysqlDialect, Refusal, translate } from '../../src/storage/mysql/dialect.js'
import { mysqlSession } from '../../src/storage/mysql/session.js'
import { openMysql } from '../../src/storage/mysql.js'
import { inserts, type Statement } from '../../src/storage/sql/dialect.js'
import { logStatements } from '../../src/storage/sql/log.js'
import { sqlWriter } from '../../src/storage/sql/session.js'
import { BuildLost, ChangeTooLarge, StorageUnavailable } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import { mysqlDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { filling } from './builds.js'
import { change, commitAfter, puts } from './commits.js'
import { mysqlTestDatabase } from './databases.js'
import { storageContract } from './storage.js'
import { contractTables, named, names, thing, things } from './tables.js'
import { lockContract } from './writes.js'

const test = suite('storage: mysql', { needs: ['mysql'] })
storageContract(test, mysqlTestDatabase, lockContract)

const MEBIBYTE = 1024 * 1024

test('a payload and a body of eight MiB go in with one commit', async () => {
  const database = await mysqlTestDatabase()
  const storage = await database.open(contractTables)
  await storage.schema.createTables()
  const body = JSON.stringify({ text: `"'\\`.repeat((8 * MEBIBYTE) / 5) })
  assert.ok(body.length > 8 * MEBIBYTE)
  const payload = seal(body)
  const commit = commitAfter(await storage.head(), [{ payload }], puts(things, [thing('a', { body })]))
  assert.is(await storage.commit(commit), 'committed')
  assert.is((await storage.rows(1).get(things, 'a'))?.body, body)
  assert.equal((await storage.readLog(0, 1))[0]?.payload, payload)
})

test('nothing of a commit that failed is committed by what is written next, or at the same time', async () => {
  const database = await mysqlTestDatabase()
  const storage = await database.open(contractTables)
  await storage.schema.createTables()
  await change(storage, ...puts(names, [named('1', 'ada')]))
  const head = await storage.head()
  const failing = commitAfter(head, [{}], [...puts(things, [thing('a')]), ...puts(names, [named('2', 'ada')])])
  const [failed] = await Promise.allSettled([
    storage.commit(failing),
    storage.touchTokens(new Map([['t', '2026-01-01T00:00:00.000Z']]))
  ])
  assert.is(failed.status, 'rejected')
  assert.equal(await storage.head(), head)
  assert.is(await storage.rows(1).get(things, 'a'), null)
  assert.is((await storage.tokenUses()).size, 1)
})

test('a generation whose tables cannot be made is left without a label: the mistake comes out, and it is made anew', async () => {
  const database = await mysqlTestDatabase()
  const storage = await database.open(contractTables)
  await storage.schema.createTables()
  const broken = { ...things, indexes: { byNothing: { by: ['nothing'], order: [] } } }
  const failing = await database.open([broken])
  const mistake = await rejection(failing.createGeneration(2, null, 'v1'))
  assert.not(mistake instanceof BuildLost, String(mistake))
  assert.is((await storage.buildOf(2))?.label, '')
  await (await filling(storage, 2)).apply(puts(things, [thing('a')]))
  assert.is((await storage.scan(2, things, '', 10)).length, 1)
})

test('who has lost a generation while its tables were made labels nothing', async () => {
  const { config } = (await mysqlDatabase('lost')) ?? {}
  if (!config) throw new Error('There is no MySQL.')
  const storage = await openMysql(config, contractTables)
  await storage.schema.createTables()
  const lost = await storage.createGeneration(2, null, 'v1')
  const { builder } = await storage.takeOver(2, lost)
  const writing = await mysqlPlaces(config).connect({ limit_ms: 10_000 })
  const { labelBuild } = logStatements(mysqlDialect('utf8mb4_bin'), config.prefix)
  assert.instance(await rejection(writing.query(labelBuild(2, lost, 'v2'))), Refusal)
  assert.equal(await storage.buildOf(2), { position: 0, label: 'v1', builder })
  await writing.close()
  await storage.close()
})

test.run()

const sent = suite('what mysql is sent', { needs: ['mysql'] })
let connection: MysqlConnection

sent.before(async () => {
  const found = await mysqlDatabase('sent')
  if (!found) throw new Error('There is no MySQL.')
  connection = await mysqlPlaces(found.config).connect({ limit_ms: 10_000 })
  await connection.run('CREATE TABLE t (id BIGINT PRIMARY KEY, text LONGTEXT NOT NULL) DEFAULT CHARSET=utf8mb4')
})
sent.before.each(() => connection.run('DELETE FROM t'))
sent.after(() => connection.close())

const insert = (id: number, text: string | null): Statement => ({
  text: 'INSERT INTO t (id, text) VALUES (?, ?)',
  values: [id, text]
})
const stored = async () =>
  (await connection.query({ text: 'SELECT id, text FROM t ORDER BY id', values: [] })).map(({ text }) => text)
/** A writer whose server takes so many bytes at once. */
const writerOf = (bytesMax: number) =>
  sqlWriter(async () => mysqlSession({ ...connection, isOpen: true, bytesMax }), translate)

const HOSTILE = [
  `'; DROP TABLE t; -- `,
  `\\'; DROP TABLE t; -- `,
  `\\`,
  `\\\\'`,
  `''`,
  `"`,
  '`',
  '?',
  '??',
  ':name',
  '%_',
  '/*! SELECT 1 */',
  '# --',
  ';',
  '\0\b\t\n\r\u001a',
  // Bytes that end in a quote or a backslash in character sets which the session must not have.
  '\u00bf\u0027',
  '\u8a31\u529f',
  '\ufeff\u{1f600}\u{10ffff}e\u0301',
  ' a ',
  Array.from({ length: 0x800 }, (_, i) => String.fromCodePoint(i)).join('')
]

for (const bytesMax of [16 * MEBIBYTE, 8000]) {
  const way = bytesMax > 8000 ? 'one at a time' : 'each prepared'

  sent(`every text arrives as it is, ${way}`, async () => {
    assert.is(await writerOf(bytesMax).transaction(HOSTILE.map((text, i) => insert(i, text))), 'done')
    assert.equal(await stored(), HOSTILE)
    for (const [id, text] of HOSTILE.entries()) {
      const found = { text: 'SELECT id FROM t WHERE text = BINARY ? AND id = ?', values: [text, id] }
      assert.is((await connection.query(found)).length, 1, 'as a value of a prepared statement')
      const among = { text: 'SELECT id FROM t WHERE BINARY text IN (?) AND id = ?', values: [['', text], id] }
      assert.is((await connection.query(among)).length, 1, 'in a list')
    }
  })

  sent(`a transaction is done as a whole or not at all, ${way}`, async () => {
    const filler = Array.from({ length: 20 }, (_, i) => insert(100 + i, 'x'.repeat(1000)))
    for (const last of [insert(100, 'again'), insert(1, null), { text: 'SELECT nonsense', values: [] }]) {
      const error = await rejection(writerOf(bytesMax).transaction([...filler, last]))
      assert.ok(
        !String(error).includes('xxx') && !JSON.stringify(error).includes('xxx'),
        'it does not tell what was sent'
      )
      assert.equal(await stored(), [])
    }
    const guard = insert(1, null)
    assert.is(await writerOf(bytesMax).transaction(filler, guard), 'refused')
    assert.equal(await stored(), [])
    assert.is(await writerOf(bytesMax).transaction(filler, insert(1, 'guard')), 'done')
    assert.is((await stored()).length, 21)
  })
}

sent('a long text goes as it is, between its neighbours: to escape it would hold up everybody', async () => {
  const row = inserts(mysqlDialect('utf8mb4_bin'), 't', ['id', 'text'])
  const texts: string[] = []
  const run = (text: string) => {
    texts.push(text)
    return connection.run(text)
  }
  const session = { ...connection, isOpen: true, bytesMax: 16 * MEBIBYTE, run }
  const writer = sqlWriter(async () => mysqlSession(session), translate)
  const long = `"'\\`.repeat(100_000)
  const all = ['a', long, 'b', 'c']
  assert.is(await writer.transaction(all.map((text, id) => row([id, text]))), 'done')
  assert.equal(await stored(), all)
  assert.equal(
    texts.map((text) => text.slice(0, 60)),
    [
      'START TRANSACTION',
      `INSERT INTO t (id, text) VALUES (0, 'a')`,
      `INSERT INTO t (id, text) VALUES (2, 'b'), (3, 'c')`,
      'COMMIT'
    ]
  )
})

sent('a deadlock under the lock of the head is told as what others have come before: it is decided again', async () => {
  const run = async (text: string) => {
    if (text.startsWith('INSERT')) throw new Refusal('Deadlock found', 1213, '40001')
    return connection.run(text)
  }
  const writer = sqlWriter(async () => mysqlSession({ ...connection, isOpen: true, run }), translate)
  const ending = { guard: { text: 'SELECT 1', values: [] }, statements: [insert(1, 'a')] }
  const during = <T>(ask: () => Promise<T>) => ask()
  assert.is(await writer.locked('SELECT id FROM t FOR UPDATE', async () => ending, during), 'refused')
  assert.equal(await stored(), [])
})

sent('whoever holds the head and does not go on is ended by the server: others wait for it', async () => {
  const found = await mysqlDatabase('idle')
  if (!found) throw new Error('There is no MySQL.')
  const writing = await mysqlPlaces(found.config).connect({ limit_ms: 10_000, idle_s: 10 })
  const asked = "SHOW VARIABLES WHERE Variable_name IN ('idle_transaction_timeout', 'wait_timeout')"
  const rows = await writing.query({ text: asked, values: [], hasLimit: true })
  const limits = new Map(rows.map((row) => [row.Variable_name, row.Value]))
  // MariaDB ends the transaction alone; MySQL, which cannot, the session.
  const isMariadb = limits.has('idle_transaction_timeout')
  const expected = isMariadb ? ['10', '28800'] : [undefined, '12']
  assert.equal([limits.get('idle_transaction_timeout'), limits.get('wait_timeout')], expected)
  await writing.close()
})

for (const [errno, what] of [
  [1129, 'of a host that it has blocked'],
  [1130, 'of a host that it does not know'],
  [1862, 'whose password has expired'],
  [3118, 'of a locked account'],
  [4151, 'of a locked account, as MariaDB says it']
] as const) {
  sent(`a server that lets nobody in ${what} (${errno}) cannot be had`, () => {
    assert.instance(translate(new Refusal('Not let in', errno, 'HY000')), StorageUnavailable)
  })
}

sent('what does not fit into a packet at all is refused, and the rest goes on', async () => {
  const writer = writerOf(8000)
  const thrown = await rejection(writer.transaction([insert(1, 'a'), insert(2, 'ä'.repeat(4000))]))
  assert.instance(thrown, ChangeTooLarge)
  assert.is(await writer.transaction([insert(1, 'a')]), 'done')
  assert.equal(await stored(), ['a'])
})

sent.run()
