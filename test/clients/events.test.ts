import * as assert from 'uvu/assert'
import { HubRequestError, HubUnreachableError, refusalOf } from '../../clients/typescript/src/errors.js'
import { eventsOf, type ServerEvent } from '../../clients/typescript/src/events.js'
import { changesOf } from '../../clients/typescript/src/feed.js'
import { waitAfter } from '../../clients/typescript/src/retry.js'
import { suite } from '../support/suite.js'

const test = suite('what the typed client is made of')

/** The events of a stream that comes in these pieces. */
async function read(pieces: readonly Uint8Array[]): Promise<readonly ServerEvent[]> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    }
  })
  const events: ServerEvent[] = []
  for await (const event of eventsOf(stream)) events.push(event)
  return events
}

test('an event is whole wherever the stream is cut', async () => {
  const bytes = new TextEncoder().encode(': connected\n\nid: 7\n\nid: 8\nevent: change\ndata: {"name":"Größe 🧭"}\n\n')
  const whole = [
    { id: null, data: '' },
    { id: '7', data: '' },
    { id: '8', data: '{"name":"Größe 🧭"}' }
  ]
  for (let at = 0; at <= bytes.length; at++) assert.equal(await read([bytes.slice(0, at), bytes.slice(at)]), whole)
})

test('half an event at the end of a stream is none', async () => {
  assert.equal(await read([new TextEncoder().encode('id: 1\n\nid: 2\ndata: {')]), [{ id: '1', data: '' }])
})

test('an event without an end is not kept for ever', async () => {
  const piece = new Uint8Array(512 * 1024).fill(120)
  const failure = await read([piece, piece, piece]).then(String, String)
  assert.match(failure, 'too large')
})

const backoff = { attempts: 4, first_ms: 100, most_ms: 1000, retryAfterMost_ms: 60_000 }
const refused = (status: number, retryAfter_ms: number | null) =>
  new HubRequestError(status, 'x', {}, null, retryAfter_ms)

test('a refusal says when to come back also where that is a time, as proxies may write it', async () => {
  const after = async (header: string) =>
    (await refusalOf(new Response('', { status: 503, headers: { 'retry-after': header } }))).retryAfter_ms
  assert.is(await after('7'), 7000)
  const wait_ms = (await after(new Date(Date.now() + 60_000).toUTCString())) ?? 0
  assert.ok(wait_ms > 30_000 && wait_ms <= 60_000, String(wait_ms))
  assert.is(await after('Wed, 21 Oct 2015 07:28:00 GMT'), 0)
  assert.is(await after('Fri, 31 Dec 9999 23:59:59 GMT'), 1_000_000_000)
  assert.is(await after('soon'), null)
})

test('pauses grow up to their bound, and what is refused for good is not asked for again', () => {
  for (const [attempt, most_ms] of [
    [1, 100],
    [2, 200],
    [3, 400],
    [9, 1000]
  ] as const) {
    const wait_ms = waitAfter(new HubUnreachableError(), attempt, backoff)
    assert.ok(wait_ms !== null && wait_ms >= most_ms / 2 && wait_ms <= most_ms, `${attempt}: ${wait_ms}`)
  }
  for (const status of [400, 401, 403, 404, 409, 412, 500, 502])
    assert.is(waitAfter(refused(status, null), 1, backoff), null)
  assert.is(waitAfter(refused(503, 5000), 1, backoff), 5000)
  assert.is(waitAfter(refused(429, 900_000), 1, backoff), null)
  assert.is(waitAfter(new Error('a defect'), 1, backoff), null)
})

test('a feed that is blocked goes on once its time is over, though a request would not wait for so long', async () => {
  const answers = [
    new Response('{}', { status: 429, headers: { 'retry-after': '1' } }),
    new Response('id: 8\ndata: {}\n\n')
  ]
  const asked: number[] = []
  const open = async () => {
    asked.push(performance.now())
    return answers.shift() ?? new Response('{}', { status: 401 })
  }
  const feed = changesOf(open, { ...backoff, retryAfterMost_ms: 500 }, { after: '7' })
  assert.equal((await feed.next()).value, {})
  await feed.return()
  const [first = 0, second = 0] = asked
  assert.ok(second - first >= 990, 'Retry-After is a second')
})

test.run()
