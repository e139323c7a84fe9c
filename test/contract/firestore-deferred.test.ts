import * as assert from 'uvu/assert'
import { DEFERRED_FIELD, finishDeferred } from '../../src/storage/firestore/deferred.js'
import { LogEnd } from '../../src/storage/firestore/head.js'
import { COMMITS, type Layout } from '../../src/storage/firestore/layout.js'
import { WHOLE_LOG } from '../../src/storage/search.js'
import { type RowOp, type Storage, StorageUnavailable } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import { suite } from '../support/suite.js'
import { change, commitAfter, puts } from './commits.js'
import { testLogs } from './firestore-log.js'
import { type Thing, thing, things } from './tables.js'

const test = suite('deferred changes: firestore', { needs: ['firestore'] })
const logs = testLogs(test)

const MANY = 900
const removal = { op: 'deleteWhere', table: things, column: 'owner', value: 'x' } as const

/** More rows of one owner than one request changes, and one of another's. */
async function manyThings(storage: Storage): Promise<readonly Thing[]> {
  const rows = Array.from({ length: MANY }, (_, i) => thing(`t${i}`, { owner: 'x', editor: i % 2 === 0 ? 'x' : 'y' }))
  await change(storage, ...puts(things, [...rows, thing('other', { owner: 'y' })]))
  return rows
}

const ids = async (storage: Storage) => (await storage.scan(1, things, '', 2 * MANY)).map(({ id }) => id)

/** The documents of commits, the newest first. */
const commitsOf = async ({ log }: Layout) =>
  (await logs.client.query((store) => store.collection(`${log}/${COMMITS}`).orderBy('last', 'desc'))).documents

/** True where the commits have something left to be done. */
const isDeferring = async (layout: Layout) => (await commitsOf(layout)).some(({ fields }) => DEFERRED_FIELD in fields)

/** Commits as a process would that ends as soon as the commit itself is there. */
async function commitAndCrash(layout: Layout, ops: readonly RowOp[]): Promise<void> {
  const { client } = logs
  const end = new LogEnd(client, layout)
  end.finish = () => Promise.reject(new StorageUnavailable('The process has ended.'))
  assert.instance(await rejection(end.commit(commitAfter((await end.read()).head, [{}], ops))), StorageUnavailable)
}

test('a commit about more rows than one request changes changes them all, and leaves the others', async () => {
  const { storage, layout, again } = await logs.fresh()
  await manyThings(storage)
  const other = await again()
  await other.head()
  await change(
    storage,
    { op: 'patch', table: things, id: 't0', set: { owner: 'z' } },
    removal,
    ...puts(things, [thing('t1', { owner: 'x' })])
  )
  assert.equal(await ids(other), ['other', 't0', 't1'])
  assert.is(await isDeferring(layout), false)
  assert.is((await other.head()).position, 2)
})

test('columns of many rows are cleared, and the rows keep the rest', async () => {
  const { storage } = await logs.fresh()
  const rows = await manyThings(storage)
  await change(storage, { op: 'nullify', table: things, columns: ['owner', 'editor'], value: 'x', revision: 7 })
  const cleared = rows.map((row) => ({
    ...row,
    owner: null,
    editor: row.editor === 'x' ? null : row.editor,
    revision: 7
  }))
  const found = new Map((await storage.scan(1, things, '', 2 * MANY)).map((row) => [row.id, row]))
  for (const row of cleared) assert.equal(found.get(row.id), row)
  assert.is(found.size, MANY + 1)
})

const discoveries: Readonly<Record<string, (storage: Storage, again: () => Promise<Storage>) => Promise<unknown>>> = {
  'asks where the log ends': (storage) => storage.head(),
  'reads the log': (storage) => storage.readLog(1, 10),
  'searches the log': (storage) => storage.searchLog({ streams: ['thing-2'] }, WHOLE_LOG, 10, false),
  'takes a snapshot': (storage) => storage.snapshot((at) => at.scan(things, '', 1)),
  'commits behind it': async (storage) => {
    const [last] = await storage.readLog(1, 1)
    if (!last) throw new Error('There is no second event.')
    const after = { position: 2, chain: last.chain, at: last.at, generation: 1 }
    assert.is(await storage.commit(commitAfter(after, [{}], puts(things, [thing('behind')]))), 'committed')
    await storage.commit(commitAfter(await storage.head(), [{}], [{ op: 'delete', table: things, id: 'behind' }]))
  },
  'is started': async (_, again) => (await again()).head()
}

for (const [name, discover] of Object.entries(discoveries)) {
  test(`whoever ${name} finishes what a process that ended has left`, async () => {
    const { storage, layout, again } = await logs.fresh()
    await manyThings(storage)
    await commitAndCrash(layout, [removal])
    assert.ok(await isDeferring(layout))
    await discover(storage, again)
    assert.equal(await ids(storage), ['other'])
    assert.is(await isDeferring(layout), false)
  })
}

test('rows that were removed and made again meanwhile stay, whoever else is still at it', async () => {
  const { storage, layout, again } = await logs.fresh()
  const rows = await manyThings(storage)
  await commitAndCrash(layout, [removal])
  const others = await Promise.all([again(), again(), again()])
  const [deferring] = await commitsOf(layout)
  if (!deferring) throw new Error('There is no commit.')
  const finishing = Promise.all(others.map((other) => other.head()))
  await storage.commit(commitAfter(await storage.head(), [{}], puts(things, rows)))
  await finishing
  await finishDeferred(logs.client, deferring)
  assert.is((await ids(storage)).length, MANY + 1)
})

test.run()
