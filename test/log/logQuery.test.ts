import * as assert from 'uvu/assert'
import { momentOf, type Page, positionAt, search, stretchOf } from '../../src/log/logQuery.js'
import type { Storage } from '../../src/storage/storage.js'
import { suite } from '../support/suite.js'
import { emit, emits } from './domain.js'
import { memoryLog, processOn } from './log.js'

const test = suite('looking into the log')
const times = ['01T00:00:00.000', '01T12:00:00.000', '01T12:00:00.000', '01T23:59:59.999', '02T00:00:00.000']
let log: Storage

test.before(async () => {
  log = await memoryLog()
  let at = ''
  const { submit } = await processOn(log, { now: () => Date.parse(at) })
  for (const [i, time] of times.entries()) {
    at = `2026-03-${time}Z`
    await submit(emits(emit(`item-${i}`, 'Noted')))
  }
})

const from = (text: string) => ({ from: momentOf(text, 'from') })
const to = (text: string) => ({ to: momentOf(text, 'to', 'last') })

test('a range of days has the first and the last moment of each, and nothing of the days beside them', async () => {
  assert.equal(await stretchOf(log, { ...from('2026-03-01'), ...to('2026-03-01') }), { after: 0, through: 4 })
  assert.equal(await stretchOf(log, { ...from('2026-03-02'), ...to('2026-03-02') }), { after: 4, through: 5 })
  assert.equal(await stretchOf(log, to('2026-02-28')), { after: 0, through: 0 })
})

test('a range of times has what happened at both of them', async () => {
  const noon = '2026-03-01T12:00:00Z'
  assert.equal(await stretchOf(log, { ...from(noon), ...to(noon) }), { after: 1, through: 3 })
  assert.is(await positionAt(log, { time: '2026-03-01T12:00:00.000Z' }, 'at'), 3)
  assert.is(await positionAt(log, { time: '2026-03-01T11:59:59.999Z' }, 'at'), 1)
})

test('a range of positions has both of them, and ends with the log', async () => {
  assert.equal(await stretchOf(log, { ...from('2'), ...to('4') }), { after: 1, through: 4 })
  assert.equal(await stretchOf(log, { ...from('0'), ...to('9') }), { after: 0, through: 5 })
})

test('page after page has every event once, from either end', async () => {
  for (const newestFirst of [true, false]) {
    const found: number[] = []
    for (let cursor: Page['cursor']; ; ) {
      const { events, next } = await search({ storage: log }, {}, { limit: 2, newestFirst, cursor })
      found.push(...events.map(({ position }) => position))
      if (next === null) break
      cursor = next
    }
    assert.equal(found, newestFirst ? [5, 4, 3, 2, 1] : [1, 2, 3, 4, 5])
  }
})

test.run()
