import * as assert from 'uvu/assert'
import type { Client } from '../../src/storage/firestore/client.js'
import { LogEnd } from '../../src/storage/firestore/head.js'
import { COMMITS, EVENTS, numberId } from '../../src/storage/firestore/layout.js'
import { rowReads } from '../../src/storage/firestore/reads.js'
import { rejection } from '../log/faults.js'
import { suite } from '../support/suite.js'
import { change, commitAfter, puts } from './commits.js'
import { testLogs } from './firestore-log.js'
import { thing, things } from './tables.js'

const test = suite("the log's end: firestore", { needs: ['firestore'] })
const logs = testLogs(test)

test('an end that is hundreds of commits ahead is found', async () => {
  const { storage, layout, again } = await logs.fresh()
  const other = await again()
  await other.head()
  const commits = Array.from({ length: 620 }, (_, i) => ({
    set: `${layout.log}/${COMMITS}/${numberId(i + 1)}`,
    fields: { last: i + 1, chain: `chain ${i + 1}`, at: '2026-01-01T00:00:00.000Z', generation: 1 }
  }))
  await logs.client.commit(commits)
  for (const one of [other, storage, await again()]) {
    assert.equal(await one.head(), { position: 620, chain: 'chain 620', at: '2026-01-01T00:00:00.000Z', generation: 1 })
  }
})

test('an end that was cut off leaves no seal behind that an earlier end had', async () => {
  const { storage, layout, again } = await logs.fresh()
  for (const seal of ['key.one', 'key.two', 'key.three']) {
    const { head, ...commit } = commitAfter(await storage.head(), [{}])
    await storage.commit({ ...commit, head: { ...head, seal } })
  }
  assert.is((await (await again()).head()).seal, 'key.three')
  await logs.client.commit([
    { remove: `${layout.log}/${COMMITS}/${numberId(3)}` },
    { remove: `${layout.log}/${EVENTS}/thing-3:${numberId(1)}` }
  ])
  const { position, seal } = await (await again()).head()
  assert.equal([position, seal], [2, undefined])
})

test('a log whose past is another than the one that is known is started from again', async () => {
  const { storage, layout, count } = await logs.fresh()
  await change(storage, ...puts(things, [thing('a')]))
  const lost = await storage.head()
  const first = (collection: string) => ({ remove: `${layout.log}/${collection}/${numberId(1)}` })
  await logs.client.commit([first(COMMITS), { remove: `${layout.log}/${EVENTS}/thing-1:${numberId(1)}` }])
  assert.is(await storage.commit(commitAfter(lost, [{}], puts(things, [thing('b')]))), 'stale')
  assert.is((await storage.head()).position, 0)
  assert.is(await storage.rows(1).get(things, 'b'), null)
  await change(storage)
  assert.is(await count(layout.log, COMMITS), 2)
})

/** The same client, which notes what it is asked. */
function counting(client: Client): { readonly client: Client; readonly asked: string[] } {
  const asked: string[] = []
  const noted =
    <A extends readonly unknown[], T>(name: string, call: (...args: A) => T) =>
    (...args: A) => {
      asked.push(name)
      return call(...args)
    }
  const { commit, get, query, count } = client
  return {
    asked,
    client: {
      ...client,
      commit: noted('commit', commit),
      get: noted('get', get),
      query: noted('query', query),
      count: noted('count', count)
    }
  }
}

test('a commit behind an end that was read is one round trip, and so is a question', async () => {
  const { layout } = await logs.fresh()
  const { client, asked } = counting(logs.client)
  const end = new LogEnd(client, layout)
  const during = async (work: () => Promise<unknown>) => {
    asked.length = 0
    await work()
    return [...asked]
  }
  for (let i = 0; i < 3; i++) {
    const commit = commitAfter(
      (await end.read()).head,
      [{}, {}],
      [
        ...puts(things, [thing(`a${i}`)]),
        { op: 'patch', table: things, id: 'a0', set: { size: i } },
        { op: 'delete', table: things, id: `a${i - 2}` }
      ]
    )
    assert.equal(await during(() => end.commit(commit)), ['commit'])
  }
  assert.equal(await during(() => end.read()), ['query'])
  const rows = rowReads({ client, parent: layout.generation(1) })
  assert.equal(await during(() => rows.get(things, 'a1')), ['get'])
  assert.equal(await during(() => rows.getAll(things, ['a1', 'a2', 'none'])), ['get'])
  assert.equal(await during(() => rows.list(things, 'byParent', ['p1'], { limit: 1, reverse: true })), ['query'])
  assert.equal(await during(() => rows.list(things, 'byParent', ['p1'], { ids: ['a1', 'a2'] })), ['get'])
  assert.equal(await during(() => rows.count(things, 'byParent', ['p1'])), ['count'])
})

test('a patch of a row that is not there does not keep the rest from being committed', async () => {
  const { storage, again } = await logs.fresh()
  await change(storage, ...puts(things, [thing('a'), thing('b')]))
  const patch = (id: string) => ({ op: 'patch', table: things, id, set: { size: 3 } }) as const
  await change(await again(), patch('none'), patch('a'), { op: 'delete', table: things, id: 'b' }, patch('gone'))
  assert.equal(await storage.scan(1, things, '', 10), [thing('a', { size: 3 })])
  assert.is((await storage.head()).position, 2)
})

test('rows that change without an event are a mistake', async () => {
  const { storage } = await logs.fresh()
  const commit = commitAfter(await storage.head(), [], puts(things, [thing('a')]))
  assert.ok(await rejection(storage.commit(commit)))
})

test.run()
