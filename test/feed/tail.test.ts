import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { Tail } from '../../src/followers/feed/tail.js'
import { LIMITS } from '../../src/limits.js'
import { seal } from '../../src/log/chain.js'
import type { Storage } from '../../src/storage/storage.js'
import { commitAfter } from '../contract/commits.js'
import { grow, make } from '../log/domain.js'
import { memoryLog, type Process, processOn } from '../log/log.js'
import { suite } from '../support/suite.js'
import { turnsOfOthers } from '../support/turns.js'

const test = suite('the tail of a log')
const POLL_MS = 10
const MANY = 200
let log: Storage
let here: Process
let there: Process
let reads: number
let tail: Tail

test.before.each(async () => {
  log = await memoryLog()
  here = await processOn(log)
  there = await processOn(log)
  reads = 0
  const readLog: Storage['readLog'] = (after, limit) => {
    reads++
    return log.readLog(after, limit)
  }
  tail = new Tail({ readLog }, here.readModel, POLL_MS)
  await here.submit(make('a', { size: 1 }))
})

const positions = async (after: number) => (await tail.after(after)).map(({ change }) => change.position)
const wait = (position: number) => tail.waitForEvents(position, new AbortController().signal)

test('many who are at the same place share one read, also those who come later', async () => {
  const pages = await Promise.all(Array.from({ length: MANY }, () => positions(0)))
  assert.equal(pages, Array(MANY).fill([1]))
  assert.equal(await positions(0), [1])
  assert.is(reads, 1)
})

test('what is read from the middle of what is known has no gap and no more than is there', async () => {
  for (let i = 0; i < 4; i++) await here.submit(grow('a'))
  assert.equal(await positions(0), [1, 2, 3, 4, 5])
  assert.equal(await positions(3), [4, 5])
  await here.submit(grow('a'))
  assert.equal(await positions(5), [6])
  assert.equal(await positions(2), [3, 4, 5, 6])
  assert.is(reads, 2)
})

test('who goes through many large events lets others have their turn, though the database answers at once', async () => {
  const content = { name: 'Large', content: 'x'.repeat(LIMITS.page.max / 2), marker: '' }
  const payload = seal(JSON.stringify({ collectionId: 'c', folderId: null, sortOrder: 1, content }))
  const event = { stream: 'document-a', type: 'DocumentUpdated', payload }
  const events = Array.from({ length: 40 }, (_, i) => ({ ...event, version: i + 1 }))
  await log.commit(commitAfter(await log.head(), events))
  let position = 0
  const turns = await turnsOfOthers(async () => {
    for (let page = await tail.after(0); page.length > 0; page = await tail.after(position))
      position = page.at(-1)?.change.position ?? 0
  })
  assert.is(position, 41)
  assert.ok(turns > 5, `${turns} turns`)
})

test('large events come in pages, in order, and nothing of their texts is kept but ids', async () => {
  const large = seal(
    JSON.stringify({ collectionId: 'c', folderId: null, sortOrder: 1, rest: 'x'.repeat(LIMITS.page.max / 2) })
  )
  const streams = ['request-a', 'llmstep-b', 'document-c', 'collection-d', 'request-e', 'environment-f']
  await log.commit(
    commitAfter(
      await log.head(),
      streams.map((stream) => ({ stream, type: 'RequestMoved', payload: large }))
    )
  )
  const pages: string[][] = []
  for (let after = 1; after < 7; ) {
    const page = await tail.after(after)
    pages.push(page.map(({ change, collections }) => `${change.position} ${change.kind} ${collections}`))
    after = page.at(-1)?.change.position ?? 7
  }
  assert.equal(pages, [
    ['2 request c'],
    ['3 llmstep '],
    ['4 document c'],
    ['5 collection d'],
    ['6 request c'],
    ['7 environment ']
  ])
  assert.ok(JSON.stringify(await tail.after(1)).length < 2000)
})

test('a commit of this process wakes everybody at once', async () => {
  const patient = new Tail(log, here.readModel, 60_000)
  const { signal } = new AbortController()
  const waiting = Array.from({ length: MANY }, () => patient.waitForEvents(1, signal))
  await here.submit(grow('a'))
  await Promise.all(waiting)
})

test('everybody can be told to look, though nothing has happened', async () => {
  const patient = new Tail(log, here.readModel, 60_000)
  const waiting = Array.from({ length: MANY }, () => patient.waitForEvents(1, new AbortController().signal))
  patient.wakeAll()
  await Promise.all(waiting)
})

test("another process's commit is noticed while somebody waits", async () => {
  const waiting = wait(1)
  await there.submit(grow('a'))
  await waiting
  assert.equal(await positions(1), [2])
})

test('while nobody waits the log is not asked for', async () => {
  const left = new AbortController()
  const waiting = tail.waitForEvents(1, left.signal)
  await sleep(5 * POLL_MS)
  assert.ok(here.storage.heads > 0, 'it was not asked for while somebody waited')
  left.abort()
  await waiting
  // A look that had begun by then is waited for.
  await here.readModel.current()
  here.storage.heads = 0
  await sleep(5 * POLL_MS)
  assert.is(here.storage.heads, 0)
})

test.run()
