import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Caller } from '../../commands/context.js'
import type { FeedEntry } from '../../src/followers/feed/change.js'
import { changesFor, type Followed, type FollowOptions, follow } from '../../src/followers/feed/follow.js'
import { ada, ops } from '../decide/people.js'
import { reading, type Served, serve, textOf } from '../llm/fakes/client.js'
import { suite } from '../support/suite.js'

const test = suite('following the log over an open connection')

const open: Served[] = []
test.after(async () => {
  await Promise.all(open.map((served) => served.close()))
})

const entry = (position: number): FeedEntry => ({
  change: { position, at: '2026-01-01T00:00:00.000Z', type: 'Happened', kind: 'token', id: 't', actorId: 'ada' },
  collections: []
})

/** A log that ends at `head`, as one caller follows it; a page has `page` entries. */
class Log implements Followed {
  caller: Caller | null = ops
  live = true
  #wake = () => {}

  constructor(
    public end: number,
    readonly page = 500
  ) {}

  readonly head = () => ({ position: this.end, chain: '0123456789abcdef' })
  readonly isLive = () => this.live
  readonly tail = {
    after: async (position: number) =>
      Array.from({ length: Math.min(this.page, this.end - position) }, (_, i) => entry(position + 1 + i)),
    waitForEvents: (position: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (this.end > position || signal.aborted) return resolve()
        this.#wake = resolve
        signal.addEventListener('abort', () => resolve())
      })
  }

  readonly next = changesFor(this.tail, this.head, async () => this.caller)

  moveTo(end: number): void {
    this.end = end
    this.#wake()
  }
}

/** One client of a log, from the position on: what it gets, and when the hub is done with it. */
async function following(log: Followed, start: number, options?: FollowOptions) {
  const end = new AbortController()
  let response: ServerResponse | undefined
  let done: Promise<void> = Promise.resolve()
  const served = await serve((given) => {
    response = given
    done = follow(given, start, log, end.signal, options)
  })
  open.push(served)
  const reply = await served.request()
  return { reply, end: () => end.abort(), isDone: () => done, response: () => response }
}

/** Resolves when a client that reads nothing has filled what lies between it and the hub. */
async function stuck({ response }: Awaited<ReturnType<typeof following>>): Promise<void> {
  for (let before = -1, now = 0; !response()?.writableNeedDrain || now !== before; await sleep(50)) {
    before = now
    now = response()?.socket?.bytesWritten ?? 0
  }
}

const ids = (text: string) =>
  [...text.matchAll(/^id: (\d+)-\d+-[0-9a-f]{12}\nevent: change$/gm)].map(([, id]) => Number(id))

test('everything behind the position, page by page, once and in order', async () => {
  const log = new Log(7, 3)
  const one = await following(log, 2)
  const { text, until } = reading(one.reply)
  await until(/^id: 7-/m)
  log.moveTo(9)
  await until(/^id: 9-/m)
  one.end()
  assert.equal(ids(await text), [3, 4, 5, 6, 7, 8, 9])
})

test('a heartbeat carries the position past what the client may not see', async () => {
  const log = new Log(5)
  log.caller = ada
  const one = await following(log, 0, { heartbeat_ms: 10 })
  const { text, until } = reading(one.reply)
  await until(/heartbeat\nid: 5-5-0123456789ab\n\n/)
  one.end()
  assert.equal(ids(await text), [])
  assert.match(await text, /: heartbeat\nid: 5-5-0123456789ab\n\n/)
})

test('it ends, with nothing more said, when the account has no access any more', async () => {
  const log = new Log(1)
  const one = await following(log, 1)
  const text = textOf(one.reply)
  log.caller = null
  log.moveTo(2)
  assert.equal(ids(await text), [])
})

test('it ends when another log is served', async () => {
  const log = new Log(1)
  const one = await following(log, 1)
  log.live = false
  log.moveTo(2)
  assert.equal(ids(await textOf(one.reply)), [2])
})

test('it ends when the log is put back: what comes next under its position is something else', async () => {
  const log = new Log(9)
  const one = await following(log, 9)
  const text = textOf(one.reply)
  log.moveTo(4)
  assert.equal(ids(await text), [])
})

test('a client that reads nothing does not hold up the end', async () => {
  const one = await following(new Log(1_000_000), 0, { linger_ms: 50 })
  await stuck(one)
  one.end()
  await one.isDone()
  assert.is(one.response()?.destroyed, true)
})

test('a client that reads nothing for long is let go', async () => {
  const one = await following(new Log(1_000_000), 0, { stall_ms: 300, linger_ms: 50 })
  await one.isDone()
  assert.is(one.response()?.destroyed, true)
})

test.run()
