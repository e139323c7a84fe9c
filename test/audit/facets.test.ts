import * as assert from 'uvu/assert'
import { tables } from '../../projections/index.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { facetsOf } from '../../src/trust/audit/facets.js'
import { sqliteDatabase, type TestDatabase } from '../contract/databases.js'
import { collection, request } from '../decide/made.js'
import { append, counting, newLedger } from '../history/log.js'
import { suite } from '../support/suite.js'

const MANY = 1200

const test = suite('facets of the log')
let database: TestDatabase
let ledger: Ledger
let today = ''

test.before(async () => {
  database = await sqliteDatabase()
  ledger = await newLedger(await database.open(tables))
  await append(ledger, [collection('a'), collection('b')])
  for (let from = 0; from < MANY; from += 400) {
    const ids = Array.from({ length: 400 }, (_, i) => `r${from + i}`)
    await append(
      ledger,
      ids.map((id, i) => request(id, 'a', from + i + 1))
    )
  }
  today = ledger.readModel.head.at.slice(0, 10)
})

test('what there is by kind, type, account and day, the most frequent first, and no text is read', async () => {
  const { storage, reading } = counting(ledger.storage)
  const facets = await facetsOf({ storage, readModel: ledger.readModel }, {})
  assert.equal(facets, {
    counted: MANY + 2,
    isWhole: true,
    kinds: [
      { kind: 'request', count: MANY },
      { kind: 'collection', count: 2 }
    ],
    types: [
      { type: 'RequestCreated', count: MANY },
      { type: 'CollectionCreated', count: 2 }
    ],
    actors: [{ id: 'system', name: null, count: MANY + 2 }],
    days: [{ day: today, count: MANY + 2 }],
    more: { kinds: 0, types: 0, actors: 0, days: 0 }
  })
  assert.is(reading.bytes, 0)
})

test('of more than are counted the newest are, and it is told that there are more', async () => {
  const bounds = { events: 700, values: 50 }
  for (const filter of [{}, { types: ['RequestCreated'] }, { streamPrefix: 'request-' }]) {
    const { counted, isWhole, kinds } = await facetsOf(ledger, { filter }, bounds)
    assert.equal([counted, isWhole, kinds], [700, false, [{ kind: 'request', count: 700 }]])
  }
  const exactly = await facetsOf(ledger, { filter: { types: ['RequestCreated'] } }, { ...bounds, events: MANY })
  assert.equal([exactly.counted, exactly.isWhole], [MANY, true])
})

test('of more values than are listed the most frequent are, and the others are counted', async () => {
  const { types, kinds, more } = await facetsOf(ledger, {}, { events: 5000, values: 1 })
  assert.equal([types.length, types[0]?.type, kinds.length], [1, 'RequestCreated', 1])
  assert.equal(more, { kinds: 1, types: 1, actors: 0, days: 0 })
})

test('between two moments, and where there is nothing', async () => {
  const between = { from: { position: 2 }, to: { position: 4 } }
  const { types } = await facetsOf(ledger, between)
  assert.equal(types, [
    { type: 'RequestCreated', count: 2 },
    { type: 'CollectionCreated', count: 1 }
  ])
  const none = await facetsOf(ledger, { filter: { actorId: 'nobody' } })
  assert.equal([none.counted, none.isWhole, none.days], [0, true, []])
})

test.run()
