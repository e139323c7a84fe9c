import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Storage, Turns } from '../../src/storage/storage.js'
import { suite } from '../support/suite.js'
import { grow, items, make } from './domain.js'
import { memoryLog, type Process, processOn, troubles } from './log.js'

const test = suite('writers that take turns')
let log: Storage
let here: Process
let there: Process
/** Who has the turn, how often somebody had it, and whether anybody gets it. */
let holder: string | null
let taken: number
let isStuck: boolean

/** Turns as a database gives them: to who waits, one at a time, however short they are. */
function turnsOf(name: string): Turns {
  return {
    async take() {
      for (let waits = 0; holder !== null || isStuck; waits++) {
        if (waits === 200) return null
        await sleep(1)
      }
      holder = name
      taken++
      return () => {
        assert.is(holder, name)
        holder = null
      }
    }
  }
}

test.before.each(async () => {
  ;[holder, taken, isStuck] = [null, 0, false]
  log = await memoryLog()
  here = await processOn({ ...log, turns: turnsOf('here') })
  there = await processOn({ ...log, turns: turnsOf('there') })
  await here.submit(make('a'))
})
test.after.each(async () => {
  await Promise.all([here.writer.idle(), there.writer.idle()])
  // No turn is kept by who has nothing to write.
  while (holder !== null) await sleep(1)
  assert.equal(await troubles(log), [])
})

const sizeOf = async (id: string) => (await log.rows(1).get(items, id))?.size
/** Both write at once, each after its last answer, from several places. */
const both = (times: number) =>
  Promise.all(
    [here, there, here, there].map(async ({ submit }) => {
      for (let i = 0; i < times; i++) await submit(grow('a'))
    })
  )

test('a process that writes alone takes none', async () => {
  for (let i = 0; i < 5; i++) await here.submit(grow('a'))
  assert.is(taken, 0)
})

test('processes that write at the same time overtake each other once, and take turns then', async () => {
  await both(50)
  assert.is(await sizeOf('a'), 200)
  assert.ok(taken > 1)
  const conflicts = here.writer.counts.conflicts + there.writer.counts.conflicts
  assert.ok(conflicts <= 4, `${conflicts} conflicts in 200 writes`)
})

test('a turn ends in time though more waits to be written', async () => {
  await both(2)
  const seen = new Set<string | null>()
  let isDone = false
  const watched = (async () => {
    for (; !isDone; await sleep(1)) seen.add(holder)
  })()
  await both(200)
  isDone = true
  await watched
  assert.ok(seen.has('here') && seen.has('there'))
})

test('where no turn is to be had everything is written without', async () => {
  await both(2)
  isStuck = true
  await here.submit(grow('a'))
  assert.is(await sizeOf('a'), 9)
})

test.run()
