import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import * as assert from 'uvu/assert'
import { systemEditor } from '../../commands/people/user/system.js'
import { tables } from '../../projections/index.js'
import { type OpenLedger, openLedger } from '../../src/app/openLedger.js'
import { progressIn } from '../../src/followers/search/openFile.js'
import { search } from '../../src/followers/search/search.js'
import { searchIndex } from '../../src/followers/search/thread.js'
import { IndexUnavailable } from '../../src/followers/search/unavailable.js'
import { knownRefusal } from '../../src/http/errors.js'
import { editorOrigin } from '../../src/ledger/ledger.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { carryOut, planDeleted } from '../../src/trust/erasure/erase.js'
import { eraseValue } from '../../src/trust/erasure/value.js'
import { memoryDatabase, type TestDatabase } from '../contract/databases.js'
import { content } from '../decide/made.js'
import { newLedger } from '../history/log.js'
import { type TemporaryDirectory, temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'

const test = suite('the file of an index')
let directory: TemporaryDirectory
let database: TestDatabase
let file: string
let ledger: OpenLedger

/** A ledger on the log of that prefix, whose index is in the file. */
const opened = async (prefix = 'hub_') =>
  openLedger(await database.open(tables, prefix), () => null, undefined, undefined, undefined, file)

test.before.each(async () => {
  directory = await temporaryDirectory()
  file = join(directory.path, 'index')
  database = await memoryDatabase()
  await newLedger(await database.open(tables))
  ledger = await opened()
  await ledger.run({ type: 'CreateCollection', id: 'c', name: 'Shop' }, editorOrigin)
  for (let i = 0; i < 3; i++) await request(`r${i}`, `Pay ${i}`)
})
test.after.each(async () => {
  await ledger.close()
})

const request = (id: string, name: string, of = ledger) =>
  of.run(
    { type: 'CreateRequest', id, collectionId: 'c', folderId: null, content: content(name, { body: `of ${id}` }) },
    editorOrigin
  )

/** What is found, once the index has everything. A file that cannot be read is told of once. */
async function found(q: string, of = ledger): Promise<readonly string[]> {
  for (let failures = 0; ; ) {
    try {
      const page = await search(of, async () => systemEditor, { q })
      if (page.isComplete) return page.results.map(({ id }) => id)
    } catch (error) {
      if (!(error instanceof IndexUnavailable) || ++failures > 3) throw error
    }
  }
}

const ALL = ['r2', 'r1', 'r0']

test('is gone on with by the next process, where the one before has left it', async () => {
  assert.equal(await found('pay'), ALL)
  await ledger.close()
  const index = searchIndex(file)
  const progress = await index.progress()
  assert.equal(
    [progress?.position, progress?.chain, progress?.filled],
    [ledger.readModel.head.position, ledger.readModel.head.chain, null]
  )
  await index.close()
  ledger = await opened()
  await request('new', 'Pay new')
  assert.equal(await found('pay'), ['new', ...ALL])
})

test('belongs to its owner alone, and so does what stands beside it', async () => {
  await found('pay')
  for (const name of readdirSync(directory.path)) assert.is(statSync(join(directory.path, name)).mode & 0o777, 0o600)
})

for (const [what, harm] of [
  ['lost', () => rmSync(file)],
  ['no database', () => writeFileSync(file, 'nothing '.repeat(1000))],
  ['empty', () => truncateSync(file)],
  ['cut off', () => truncateSync(file, Math.floor(statSync(file).size / 2))],
  ['of another version', () => changed('PRAGMA user_version = 3')],
  ['without its words', () => changed('DROP TABLE words')],
  ['without its progress', () => changed('DELETE FROM progress')],
  ['of a progress that nobody understands', () => changed(`UPDATE progress SET text = '{"position":'`)],
  ['of other read tables', () => changed(`UPDATE progress SET text = json_set(text, '$.generation', 7)`)],
  ['of another log', () => changed(`UPDATE progress SET text = json_set(text, '$.chain', 'other')`)],
  ['of another log, and behind', () => changed(`UPDATE progress SET text = json_set(text, '$.position', 2)`)],
  ['ahead of its log', () => changed(`UPDATE progress SET text = json_set(text, '$.position', 99)`)]
] as const)
  test(`is made anew where it is ${what}`, async () => {
    assert.equal(await found('pay'), ALL)
    await ledger.close()
    changed(`UPDATE records SET id = 'request-gone' WHERE id = 'request-r1'`)
    harm()
    ledger = await opened()
    assert.equal(await found('pay'), ALL)
  })

test('is made anew where it is damaged while it is in use', async () => {
  assert.equal(await found('pay'), ALL)
  truncateSync(file)
  await request('new', 'Pay new')
  assert.equal(await found('pay'), ['new', ...ALL])
})

test('tells whoever only looks how far it is, and nothing where it is empty or damaged, and is left as it is', async () => {
  await found('pay')
  await ledger.close()
  assert.is(progressIn(file)?.position, ledger.readModel.head.position)
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(20_000, 'x'), readFileSync(file).subarray(0, 5000)]) {
    writeFileSync(file, bytes)
    assert.is(progressIn(file), null)
    assert.ok(readFileSync(file).equals(bytes))
  }
})

test('that cannot be opened is no outage of the database: whoever searches is told what is not available', async () => {
  mkdirSync(file)
  const failure = await found('pay').catch((error: unknown) => error)
  assert.instance(failure, IndexUnavailable)
  assert.not.instance(failure, StorageUnavailable)
  const { status, message } = knownRefusal(failure) ?? {}
  assert.equal([status, message], [503, 'Search is not available. Try again in a moment.'])
})

test("is one log's alone: another one begins it anew", async () => {
  await found('pay')
  await ledger.close()
  await newLedger(await database.open(tables, 'other_'))
  ledger = await opened('other_')
  await ledger.run({ type: 'CreateCollection', id: 'c', name: 'Pay' }, editorOrigin)
  assert.equal(await found('pay'), ['c'])
})

test('that another process has is left to it: whoever comes begins with a copy that nobody else sees', async () => {
  const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('hub-search-'))
  const before = copies()
  assert.equal(await found('pay'), ALL)
  const index = searchIndex(file)
  assert.is((await index.progress())?.position, ledger.readModel.head.position, 'nothing is read of the log for it')
  await index.empty()
  assert.is(await index.progress(), null)
  assert.equal([await found('pay'), copies()], [ALL, before])
  const other = await opened()
  await request('new', 'Pay new', other)
  assert.equal(await found('pay', other), ['new', ...ALL])
  await Promise.all([index.close(), other.close()])
})

/** True where a word, or its end, stands in the file, or in what is beside it. */
const isThere = (word: string) =>
  readdirSync(directory.path).some((name) => readFileSync(join(directory.path, name)).includes(word.slice(1)))

test('has nothing left of what was erased, nor has what stands beside it', async () => {
  await request('secret', 'Opensesame')
  assert.equal(await found('opensesame'), ['secret'])
  assert.ok(isThere('opensesame'))
  await ledger.run({ type: 'DeleteRequest', id: 'secret' }, editorOrigin)
  await carryOut(ledger, await planDeleted(ledger, 'request', 'secret'))
  assert.not.ok(isThere('opensesame'))
  assert.equal([await found('opensesame'), await found('pay')], [[], ALL])
})

test('has nothing left of one value that was erased either', async () => {
  await request('secret', 'Opensesame')
  assert.equal(await found('opensesame'), ['secret'])
  const at = { collectionId: 'c', folderId: null, content: content('Simsim', { body: 'harmless' }) }
  const update = { type: 'UpdateRequest', id: 'secret', ...at } as const
  await ledger.run(update, editorOrigin)
  assert.equal(await found('opensesame'), [])
  assert.ok(isThere('opensesame'), 'words that a change has taken out are only marked')
  await eraseValue(ledger, 'request', 'secret', 1, '/name')
  assert.not.ok(isThere('opensesame'))
  assert.equal([await found('simsim'), await found('pay')], [['secret'], ALL])
})

/** Changes the file behind everybody's back. */
function changed(sql: string): void {
  const db = new Database(file)
  db.exec(sql)
  db.close()
}

test.run()
