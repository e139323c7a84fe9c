import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Firestore } from '@google-cloud/firestore'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { tables } from '../../projections/index.js'
import { LIMITS } from '../../src/limits.js'
import { seal } from '../../src/log/chain.js'
import type { Client } from '../../src/storage/firestore/client.js'
import { generationStore } from '../../src/storage/firestore/generations.js'
import { documentId, EVENTS, PARTS, rowId, rowsCollection } from '../../src/storage/firestore/layout.js'
import { HEADER_FIELDS, logReads } from '../../src/storage/firestore/log.js'
import { compareValues } from '../../src/storage/order.js'
import { WHOLE_LOG } from '../../src/storage/search.js'
import { BuildLost, ChangeTooLarge } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import { everyRow } from '../support/rows.js'
import { suite } from '../support/suite.js'
import { builderOf, filling } from './builds.js'
import { change, commitAfter, puts } from './commits.js'
import { indexFileOf } from './firestore-indexes.js'
import { testLogs } from './firestore-log.js'
import { named, names, thing, things } from './tables.js'

const test = suite('limits: firestore', { needs: ['firestore'] })
const logs = testLogs(test)

/** A JSON text that cannot be made much smaller. */
const noise = (bytes: number) => JSON.stringify(randomBytes((bytes * 3) / 4).toString('base64'))

test('texts larger than a document come back whole, in rows, lists, snapshots and events', async () => {
  const { storage, again } = await logs.fresh()
  const [body, note, payload] = [noise(700_000), noise(1_200_000), seal(noise(1_100_000))]
  const rows = [thing('a', { body, note }), thing('b')]
  await storage.commit(commitAfter(await storage.head(), [{ payload, who: seal(noise(200_000)) }], puts(things, rows)))
  const other = await again()
  assert.is((await other.readLog(0, 10))[0]?.payload.text, payload.text)
  assert.equal(await other.rows(1).get(things, 'a'), rows[0])
  assert.equal(await other.rows(1).list(things, 'byParent', ['p1']), rows)
  assert.equal(await other.rows(1).list(things, 'byParent', ['p1'], { body: false, limit: 1 }), [
    { ...thing('a', { note }), body: '' }
  ])
  const scanned = await other.snapshot(async (at) => {
    await change(storage, { op: 'delete', table: things, id: 'a' })
    return everyRow((after, limit) => at.scan(things, after, limit))
  })
  assert.equal(scanned, rows)
})

test('of a page no more is read than one document behind it, and headers bring no texts', async () => {
  const { storage, layout } = await logs.fresh()
  const payload = seal(noise(700_000))
  for (let i = 0; i < 4; i++) await storage.commit(commitAfter(await storage.head(), [{ payload }, { payload }]))
  const inOrder = (store: Firestore) => store.collection(`${layout.log}/${EVENTS}`).orderBy('position')
  const answer = await logs.client.query(inOrder, 2_000_000)
  assert.equal([answer.isCut, answer.documents.length], [true, 3])
  assert.is((await storage.readLog(0, 8)).length, 5)
  assert.is((await storage.readAt([1, 2, 3, 5, 7, 8])).length, 5)
  const { documents } = await logs.client.query((store) => inOrder(store).select(...HEADER_FIELDS))
  assert.ok(documents.every(({ fields }) => !('payload' in fields) && !('who' in fields)))
})

test('of many large events that are asked for by position, little more than two pages comes over the network', async () => {
  const { storage, layout } = await logs.fresh()
  const payload = seal(noise(700_000))
  const positions = Array.from({ length: 30 }, (_, i) => i + 1)
  for (let i = 0; i < 30; i += 5) await storage.commit(commitAfter(await storage.head(), Array(5).fill({ payload })))
  let bytes = 0
  const client: Client = {
    ...logs.client,
    async query(...asked) {
      const answer = await logs.client.query(...asked)
      for (const { fields } of answer.documents) bytes += JSON.stringify(fields).length
      return answer
    }
  }
  const { readAt } = logReads(client, layout.log, async () => {})
  assert.equal(
    (await readAt(positions)).map(({ position }) => position),
    [1, 2, 3, 4, 5]
  )
  assert.ok(bytes < 2.5 * LIMITS.page.max, `${bytes} bytes`)
})

test('the parts of a text go with it, in the commit that replaces it', async () => {
  const { storage, layout, count } = await logs.fresh()
  const parts = () => count(layout.generation(1), PARTS)
  const [body, note] = [noise(1_200_000), noise(1_200_000)]
  await change(storage, ...puts(things, [thing('a', { body, note })]))
  assert.is(await parts(), 2)
  await change(storage, { op: 'patch', table: things, id: 'a', set: { body: '{}' } })
  assert.is(await parts(), 1)
  assert.equal(await storage.rows(1).get(things, 'a'), thing('a', { body: '{}', note }))
  await change(storage, { op: 'patch', table: things, id: 'a', set: { body, sortOrder: 4 } })
  assert.equal(await storage.rows(1).get(things, 'a'), thing('a', { body, note, sortOrder: 4 }))
  await change(storage, ...puts(things, [thing('a', { body })]))
  assert.is(await parts(), 1)
  await change(storage, { op: 'delete', table: things, id: 'a' })
  assert.is(await parts(), 0)
})

test('another process that has read a row, or removes what it belongs to, takes its parts away too', async () => {
  const { storage, layout, again, count } = await logs.fresh()
  const other = await again()
  await change(
    storage,
    ...puts(things, [thing('a', { body: noise(1_000_000) }), thing('b', { body: noise(1_000_000) })])
  )
  await other.rows(1).get(things, 'a')
  await change(other, { op: 'delete', table: things, id: 'a' })
  assert.is(await count(layout.generation(1), PARTS), 1)
  await change(await again(), { op: 'deleteWhere', table: things, column: 'parent', value: 'p1' })
  assert.is(await count(layout.generation(1), PARTS), 0)
})

test('a text that is replaced while somebody reads it is read as it was', async () => {
  const { storage, again } = await logs.fresh()
  const other = await again()
  const bodies = [noise(1_000_000), noise(1_000_000)]
  await change(storage, ...puts(things, [thing('a', { body: bodies[0] ?? '' })]))
  let isReading = true
  const reading = (async () => {
    let reads = 0
    for (; isReading; reads++) assert.ok(bodies.includes((await other.rows(1).get(things, 'a'))?.body ?? ''))
    return reads
  })()
  for (const i of [1, 0, 1, 0, 1]) await change(storage, ...puts(things, [thing('a', { body: bodies[i] ?? '' })]))
  isReading = false
  assert.ok((await reading) > 0)
})

test('what does not fit into one change is refused, and nothing has happened', async () => {
  const { storage } = await logs.fresh()
  const refusal = await rejection(change(storage, ...puts(things, [thing('a', { body: noise(6_000_000) })])))
  assert.instance(refusal, ChangeTooLarge)
  assert.equal([(await storage.head()).position, await storage.scan(1, things, '', 10)], [0, []])
  await change(storage, ...puts(things, [thing('a')]))
})

test('a generation takes in one go more than a request can hold', async () => {
  const { storage } = await logs.fresh()
  const rows = Array.from({ length: 8 }, (_, i) => thing(`t${i}`, { body: noise(1_000_000) }))
  await (await filling(storage, 2)).apply(puts(things, rows))
  assert.equal(await everyRow((after, limit) => storage.scan(2, things, after, limit)), rows)
  await storage.dropGeneration(2, await builderOf(storage, 2))
})

test('a generation of more rows than one request removes is dropped to the last', async () => {
  const { storage, layout, count } = await logs.fresh()
  const rows = Array.from({ length: 900 }, (_, i) => thing(`t${i}`))
  await (await filling(storage, 2)).apply(puts(things, rows))
  assert.is(await count(layout.generation(2), rowsCollection(things)), rows.length)
  await storage.dropGeneration(2, await builderOf(storage, 2))
  assert.is(await count(layout.generation(2), rowsCollection(things)), 0)
})

test('who is overtaken between two requests of one change writes nothing in the second', async () => {
  const { storage, layout } = await logs.fresh()
  const second = await filling(storage, 2)
  let taken: Promise<unknown> | undefined
  const client: Client = {
    ...logs.client,
    async commit(...asked) {
      taken ??= storage.takeOver(2, second.fence().builder)
      await taken
      await logs.client.commit(...asked)
    }
  }
  const { apply } = generationStore(client, layout, storage.head)
  assert.instance(await rejection(apply(second.fence(), puts(things, [thing('late')]), 1)), BuildLost)
  assert.equal(await storage.scan(2, things, '', 10), [])
})

test('an erasure takes the parts of a text with it', async () => {
  const { storage, layout, count } = await logs.fresh()
  const large = { who: seal(noise(200_000)), payload: seal(noise(1_100_000)) }
  await storage.commit(commitAfter(await storage.head(), [large, large]))
  const parts = await count(layout.log, PARTS)
  const [event, other] = await storage.readLog(0, 2)
  if (!event) throw new Error('There is no event.')
  for (const part of ['who', 'payload'] as const) await storage.erase([{ event, part, text: null }])
  assert.is(await count(layout.log, PARTS), parts / 2)
  assert.equal((await storage.readLog(0, 1))[0]?.payload.text, null)
  assert.equal(await storage.readLog(1, 1), [other])
})

test('a search for streams of one kind goes on behind hundreds of events of others, from either end', async () => {
  const { storage } = await logs.fresh()
  const found = [1, 502]
  const events = Array.from({ length: 1001 }, (_, i) => ({
    stream: `${found.includes(i + 1) ? 'thing' : 'other'}-${i}`
  }))
  await storage.commit(commitAfter(await storage.head(), events))
  for (const newestFirst of [false, true]) {
    const headers = await storage.searchLog({ streamPrefix: 'thing-' }, WHOLE_LOG, 10, newestFirst)
    assert.equal(
      headers.map(({ position }) => position),
      newestFirst ? found.toReversed() : found
    )
  }
})

test('names too long for an index are kept whole, told apart, and found exactly', async () => {
  const { storage } = await logs.fresh()
  const long = '\u{1f600}'.repeat(499)
  const rows = [named('1', `${long}a`), named('2', `${long}b`), named('3', long.slice(0, 600))]
  await change(storage, ...puts(names, rows))
  for (const row of rows) assert.equal(await storage.rows(1).list(names, 'byUniqueName', [row.name]), [row])
  assert.equal(await storage.rows(1).list(names, 'byUniqueName', [`${long}c`]), [])
  assert.is(await storage.rows(1).count(names, 'byUniqueName', [`${long}a`]), 1)
  assert.ok(await rejection(change(storage, ...puts(names, [named('4', `${long}a`)]))))
  await change(storage, { op: 'patch', table: names, id: '1', set: { name: 'short' } })
  await change(storage, ...puts(names, [named('4', `${long}a`)]))
  assert.equal((await storage.rows(1).get(names, '1'))?.name, 'short')
  await change(storage, { op: 'deleteWhere', table: names, column: 'name', value: `${long}b` })
  assert.equal(
    (await storage.scan(1, names, '', 10)).map(({ id }) => id),
    ['1', '3', '4']
  )
})

const ODD_IDS = ['.', '..', './', '/', '/a', '__x__', '_', '_1', 'a', 'a.', 'a.2', 'a/b', 'a_', '~']

test('ids that Firestore does not take as they are have their order all the same', async () => {
  const { storage } = await logs.fresh()
  await change(
    storage,
    ...puts(
      things,
      ODD_IDS.map((id) => thing(id, { sortKey: '' }))
    )
  )
  const ordered = ODD_IDS.toSorted(compareValues)
  for (const id of ODD_IDS) assert.is((await storage.rows(1).get(things, id))?.id, id)
  const listed = await storage.rows(1).list(things, 'byParent', ['p1'])
  assert.equal(
    [listed.map(({ id }) => id), (await storage.scan(1, things, '', 50)).map(({ id }) => id)],
    [ordered, ordered]
  )
  assert.is((await storage.scan(1, things, '/', 1))[0]?.id, ordered[ordered.indexOf('/') + 1])
  assert.is(await storage.rows(1).get(things, ''), null)
  assert.is(await storage.rows(1).get(things, 'x'.repeat(5000)), null)
})

test.run()

const layout = suite('layout: firestore')

layout('ids are escaped without losing anything', () => {
  for (const id of ODD_IDS) assert.is(rowId(`hub_data/g1/rows/${documentId(id)}`), id)
})

layout('firestore.indexes.json has what the read tables need', async () => {
  const file = await readFile(new URL('../../../firestore.indexes.json', import.meta.url), 'utf8')
  assert.equal(JSON.parse(file), indexFileOf(tables))
})

layout('firestore.indexes.json names no index and no field twice, which a deployment is refused for', async () => {
  const file = await readFile(new URL('../../../firestore.indexes.json', import.meta.url), 'utf8')
  const { indexes, fieldOverrides } = z
    .object({
      indexes: z.array(z.unknown()),
      fieldOverrides: z.array(z.object({ collectionGroup: z.string(), fieldPath: z.string() }))
    })
    .parse(JSON.parse(file))
  const all = [...indexes, ...fieldOverrides].map((one) => JSON.stringify(one))
  assert.equal(
    all.filter((one, i) => all.indexOf(one) !== i),
    []
  )
})

layout.run()
