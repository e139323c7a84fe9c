import * as assert from 'uvu/assert'
import { commandAround } from '../../src/log/eventsOfCommand.js'
import { eventsAt, newestFirst, pages } from '../../src/log/pages.js'
import { suite } from '../support/suite.js'
import { emit, emits } from './domain.js'
import { memoryLog, processOn } from './log.js'

const test = suite('the pages of a log')

/** A log of so many positions that remembers what it was asked for. */
function logOf(length: number) {
  const asked: (readonly [after: number, limit: number])[] = []
  const read = async (after: number, limit: number) => {
    asked.push([after, limit])
    return Array.from({ length: Math.max(0, Math.min(limit, length - after)) }, (_, i) => after + i + 1)
  }
  return { asked, read }
}

async function all(of: AsyncIterable<readonly number[]>): Promise<readonly (readonly number[])[]> {
  const seen: (readonly number[])[] = []
  for await (const page of of) seen.push(page)
  return seen
}

test('hold every position once and in order, and nothing beyond the end that was asked for', async () => {
  assert.equal(await all(pages(logOf(100).read, 0, 7, 3)), [[1, 2, 3], [4, 5, 6], [7]])
  assert.equal(await all(pages(logOf(100).read, 5, 9, 2)), [
    [6, 7],
    [8, 9]
  ])
})

test('end where the log does', async () => {
  assert.equal(await all(pages(logOf(4).read, 0, 50, 3)), [[1, 2, 3], [4]])
  assert.equal(await all(pages(logOf(0).read, 0, 50, 3)), [])
})

test('where an answer ends earlier, what is missing of its page is read, and nothing of the next', async () => {
  const { read } = logOf(100)
  const short = (after: number, limit: number) => read(after, Math.min(limit, 2))
  assert.equal((await all(pages(short, 0, 8, 3))).flat(), [1, 2, 3, 4, 5, 6, 7, 8])
})

test('where there is nothing to read nobody is asked', async () => {
  const { asked, read } = logOf(100)
  assert.equal(await all(pages(read, 7, 7, 3)), [])
  assert.equal(asked, [])
})

test('the next ones are on their way while one is worked on', async () => {
  const { asked, read } = logOf(100)
  for await (const page of pages(read, 0, 100, 10)) {
    assert.equal(page[0], 1)
    break
  }
  assert.ok(asked.length > 1, `asked for ${asked.length} pages`)
})

test('a page that cannot be read fails when its turn comes, and no other failure goes astray', async () => {
  const seen: number[] = []
  const read = async (after: number) => {
    if (after >= 2) throw new Error(`nothing above ${after}`)
    return [after + 1, after + 2]
  }
  let failure = ''
  try {
    for await (const page of pages(read, 0, 50, 2)) seen.push(...page)
  } catch (error) {
    failure = error instanceof Error ? error.message : ''
  }
  assert.equal([seen, failure], [[1, 2], 'nothing above 2'])
})

/** A log of one command with so many events between two of others. */
async function manyBetween(count: number) {
  const log = await memoryLog()
  const { submit } = await processOn(log)
  const noted = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => emit(`item-${from + i}`, 'Noted'))
  for (const [from, to] of [
    [0, 1],
    [1, count + 1],
    [count + 1, count + 2]
  ] as const)
    await submit(emits(...noted(from, to)))
  return log
}

test('the newest events come first, each once, however many pages they are', async () => {
  const found: number[] = []
  for await (const { position } of newestFirst(await manyBetween(1200), {}, { after: 1, through: 1201 }))
    found.push(position)
  assert.equal(
    found,
    Array.from({ length: 1200 }, (_, i) => 1201 - i)
  )
})

test('events are read by their headers, each once and ascending, wherever answers end', async () => {
  const log = await manyBetween(600)
  const wanted = Array.from({ length: 600 }, (_, i) => 601 - i)
  const short = { readAt: async (some: readonly number[]) => (await log.readAt(some)).slice(0, 7) }
  const found: number[] = []
  for await (const { position } of eventsAt(
    short,
    wanted.map((position) => ({ position }))
  ))
    found.push(position)
  assert.equal(found, wanted.toReversed())
})

test('the events of a command are found from any of them, however many pages they are', async () => {
  for (const count of [3, 2500]) {
    const log = await manyBetween(count)
    for (const position of [2, 3, count, count + 1])
      assert.equal(await commandAround(log, position), { first: 2, last: count + 1 })
    assert.equal(await commandAround(log, 1), { first: 1, last: 1 })
    assert.equal(await commandAround(log, count + 2), { first: count + 2, last: count + 2 })
    assert.is(await commandAround(log, count + 3), null)
  }
})

test.run()
