import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { systemEditor } from '../../commands/people/user/system.js'
import { tables } from '../../projections/index.js'
import type { OpenLedger } from '../../src/app/openLedger.js'
import { restAfter, SearchIndexer } from '../../src/followers/search/indexer.js'
import { search } from '../../src/followers/search/search.js'
import { type SearchIndex, searchIndex } from '../../src/followers/search/thread.js'
import { editorOrigin } from '../../src/ledger/ledger.js'
import { openSqlite } from '../../src/storage/sqlite.js'
import { memoryDatabase } from '../contract/databases.js'
import { content } from '../decide/made.js'
import { newLedger } from '../history/log.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'

const test = suite('an index that is interrupted')
const CHILD = fileURLToPath(new URL('./interrupted-child.js', import.meta.url))
const IDS = Array.from({ length: 120 }, (_, i) => `r${i}`)

/** So long that what is written at once has not all of them. */
const BODY = 'long '.repeat(2000)

/** Requests, of which every third is deleted again. */
async function written(ledger: OpenLedger): Promise<readonly string[]> {
  await ledger.run({ type: 'CreateCollection', id: 'c', name: 'c' }, editorOrigin)
  for (const id of IDS) {
    const made = { id, collectionId: 'c', folderId: null, content: content(`Pay ${id}`, { body: BODY }) }
    await ledger.run({ type: 'CreateRequest', ...made }, editorOrigin)
  }
  const gone = IDS.filter((_, i) => i % 3 === 0)
  for (const id of gone) await ledger.run({ type: 'DeleteRequest', id }, editorOrigin)
  return IDS.filter((id) => !gone.includes(id)).toReversed()
}

async function found(ledger: OpenLedger): Promise<readonly string[]> {
  await ledger.indexer.bringForward()
  return (await search(ledger, async () => systemEditor, { q: 'pay', limit: 100 })).results.map(({ id }) => id)
}

/** The same ledger with another index. */
function indexed(ledger: OpenLedger, index: SearchIndex): OpenLedger {
  return { ...ledger, indexer: new SearchIndexer(ledger.storage, ledger.readModel, index) }
}

/** The same index, which fails behind so many changes. */
function failingBehind(index: SearchIndex, changes: number): SearchIndex {
  let left = changes
  const failing: SearchIndex['apply'] = async (...change) => {
    if (left-- > 0) return index.apply(...change)
    throw new Error('interrupted')
  }
  return { ...index, apply: failing }
}

test('goes on where it was, from the beginning or behind changes, wherever that is', async () => {
  const database = await memoryDatabase()
  for (const isBehind of [false, true]) {
    for (let changes = 0, isDone = false; !isDone; changes++) {
      const index = searchIndex(null)
      const ledger = indexed(await newLedger(await database.open(tables, `log${isBehind}${changes}_`)), index)
      if (isBehind) await ledger.indexer.bringForward()
      const expected = await written(ledger)
      const other = indexed(ledger, failingBehind(index, changes))
      const failure = await other.indexer.bringForward().catch((error: unknown) => error)
      isDone = failure === undefined
      if (!isDone) assert.match(failure instanceof Error ? failure.message : '', 'interrupted')
      assert.equal(await found(ledger), expected, `behind ${changes} changes`)
    }
  }
})

test(
  'of a process that is killed is brought to its end by the next one',
  async () => {
    const directory = await temporaryDirectory()
    const [path, file] = [join(directory.path, 'hub.db'), join(directory.path, 'index')]
    const ledger = await newLedger(await openSqlite(path, 'hub_', tables))
    const expected = await written(ledger)
    for (const changes of [1, 2]) {
      const child = spawn(process.execPath, [CHILD, path, file, String(changes)], {
        stdio: ['ignore', 'pipe', 'inherit']
      })
      await once(child.stdout, 'data')
      child.kill('SIGKILL')
      await once(child, 'exit')
      const index = searchIndex(file)
      const progress = await index.progress()
      assert.ok(progress !== null && progress.filled !== null, 'it has begun')
      assert.equal(await found(indexed(ledger, index)), expected)
      await index.empty()
      await index.close()
    }
    await ledger.close()
  },
  { timeout_ms: 120_000 }
)

test('that lacks much is searched as it is, and says so', async () => {
  const database = await memoryDatabase()
  const ledger = await newLedger(await database.open(tables))
  await written(ledger)
  const index = searchIndex(null)
  let isStalled = true
  const stalled: SearchIndex['apply'] = (...change) => (isStalled ? new Promise(() => {}) : index.apply(...change))
  const other = indexed(ledger, { ...index, apply: stalled })
  assert.equal(await other.indexer.caughtUp(50), { position: 0, isComplete: false })
  const page = await search(other, async () => systemEditor, { q: 'pay' })
  assert.equal(page, { results: [], nextCursor: null, position: 0, isComplete: false })
  isStalled = false
  await indexed(ledger, index).indexer.bringForward()
  const { position } = ledger.readModel.head
  assert.equal(await other.indexer.caughtUp(50), { position, isComplete: true })
})

test('whoever searches does not wait for a rest between two steps', async () => {
  const database = await memoryDatabase()
  const index = searchIndex(null)
  let slow_ms = 0
  let applied = () => {}
  const slow: SearchIndex['apply'] = async (...change) => {
    await sleep(slow_ms)
    const isDone = await index.apply(...change)
    applied()
    return isDone
  }
  const ledger = indexed(await newLedger(await database.open(tables)), { ...index, apply: slow })
  await ledger.indexer.bringForward()
  ledger.indexer.follow()
  const step = new Promise<void>((resolve) => {
    applied = resolve
  })
  // So long that behind it comes the longest rest there is.
  slow_ms = 300
  await ledger.run({ type: 'CreateCollection', id: 'c', name: 'c' }, editorOrigin)
  await step
  slow_ms = 0
  await sleep(10)
  await ledger.run({ type: 'CreateCollection', id: 'd', name: 'd' }, editorOrigin)
  assert.is((await ledger.indexer.caughtUp(600)).isComplete, true)
  await ledger.indexer.stop()
})

test('of a record that changes often the last change alone is written', async () => {
  const database = await memoryDatabase()
  const index = searchIndex(null)
  const written: string[] = []
  const counting: SearchIndex['apply'] = (over, to, changes) => {
    written.push(...changes.put.map(({ id }) => id))
    return index.apply(over, to, changes)
  }
  const ledger = indexed(await newLedger(await database.open(tables)), { ...index, apply: counting })
  await ledger.indexer.bringForward()
  await ledger.run({ type: 'CreateCollection', id: 'c', name: 'c' }, editorOrigin)
  const made = { id: 'r', collectionId: 'c', folderId: null }
  await ledger.run({ type: 'CreateRequest', ...made, content: content('Pay') }, editorOrigin)
  const save = (i: number) => ledger.run({ type: 'UpdateRequest', ...made, content: content(`Pay ${i}`) }, editorOrigin)
  await Promise.all(Array.from({ length: 1200 }, (_, i) => save(i)))
  written.length = 0
  await ledger.indexer.bringForward()
  assert.equal(written.toSorted(), ['collection-c', 'request-r'])
})

test('between two steps it leaves others more time while the process is busy, and never rests for long', () => {
  assert.is(restAfter(100, true, false), 100)
  assert.is(restAfter(100, false, false), 400)
  assert.is(restAfter(300, false, false), 1000)
  assert.is(restAfter(1, false, true), 5000)
  assert.is(restAfter(100, true, true), 400)
  assert.is(restAfter(60_000, true, true), 1000)
})

test.run()
