import { getEventListeners } from 'node:events'
import * as assert from 'uvu/assert'
import { type ClientOptions, connectHub } from '../../clients/typescript/src/index.js'
import { heldNow } from '../support/memory.js'
import { suite } from '../support/suite.js'

const test = suite('the signal of the typed client')

/** A hub that answers as it is told, and counts how often it is asked. */
function hub(answer: typeof fetch, options: Partial<ClientOptions> = {}) {
  let asked = 0
  const counted: typeof fetch = (...call) => {
    asked++
    return answer(...call)
  }
  return { ...connectHub({ url: 'http://hub', fetch: counted, ...options }), asked: () => asked }
}

/** The name of the error that a promise is rejected with. */
async function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'It must fail.',
    (error: unknown) => (error instanceof Error ? error.name : String(error))
  )
}

const never = <T>() => new Promise<T>(() => {})
const turn = () => new Promise((resolve) => setImmediate(resolve))
/** A body of which nothing more comes, whatever anybody does. */
const endless = (text = '') =>
  new ReadableStream<Uint8Array>({
    start: (controller) => text && controller.enqueue(new TextEncoder().encode(text)),
    cancel: () => never<void>()
  })
const events = 'id: 1\nevent: change\ndata: {"position":1}\n\nid: 2\nevent: change\ndata: {"position":2}\n\n'
const streaming = async (text: string) =>
  new Response(endless(text), { headers: { 'content-type': 'text/event-stream' } })

test('whoever has aborted before asks nothing', async () => {
  const { request, download, changes, asked } = hub(async () => Response.json({}))
  const signal = AbortSignal.abort()
  assert.is(await failure(request('GET', '/collections', { signal })), 'AbortError')
  const file = { path: { id: 'c' }, query: { format: 'har' }, signal } as const
  assert.is(await failure(download('/collections/{id}/export', file)), 'AbortError')
  assert.is(await failure(changes({ signal }).next()), 'AbortError')
  assert.is(asked(), 0)
})

for (const [when, answer] of [
  ['before the answer, though fetch minds no signal', () => never<Response>()],
  ['within an answer', async () => new Response(endless('{"'), { headers: { 'content-type': 'application/json' } })],
  ['within a refusal that is repeated', async () => new Response(endless('{"'), { status: 503 })],
  ['within a refusal that is not', async () => new Response(endless('{"'), { status: 404 })],
  ['between two attempts', async () => Response.json({}, { status: 503, headers: { 'retry-after': '60' } })]
] as const)
  test(`a call that is aborted ${when} rejects at once, and nothing goes on`, async () => {
    for (const call of ['request', 'download'] as const) {
      const stop = new AbortController()
      const one = hub(answer)
      const file = { path: { id: 'c' }, query: { format: 'har' }, signal: stop.signal } as const
      const work =
        call === 'request'
          ? one.request('GET', '/collections', { signal: stop.signal })
          : one.download('/collections/{id}/export', file)
      const failed = failure(work)
      await turn()
      stop.abort()
      assert.is(await failed, 'AbortError')
      await turn()
      assert.is(one.asked(), 1)
    }
  })

test('a POST is not sent again once its signal is aborted', async () => {
  const stop = new AbortController()
  const one = hub(async () => {
    stop.abort()
    throw new TypeError('The connection broke.')
  })
  const post = one.request('POST', '/collections', { body: { name: 'One' }, signal: stop.signal })
  assert.is(await failure(post), 'AbortError')
  assert.is(one.asked(), 1)
})

test('a feed that is aborted gives away nothing more, not even what has come already', async () => {
  const stop = new AbortController()
  const one = hub(() => streaming(events))
  const feed = one.changes({ after: '0', signal: stop.signal })
  assert.is((await feed.next()).value?.position, 1)
  stop.abort()
  assert.is(await failure(feed.next()), 'AbortError')
  assert.equal(await feed.next(), { done: true, value: undefined })
  assert.is(one.asked(), 1)
})

for (const [when, answer] of [
  ['while it waits for a change', () => streaming('')],
  ['while it connects', () => never<Response>()],
  ['within a refusal', async () => new Response(endless('{"'), { status: 401 })],
  ['between two connections', async () => new Response('')]
] as const)
  test(`a feed that is aborted ${when} ends at once with the reason`, async () => {
    const stop = new AbortController()
    const one = hub(answer)
    const next = failure(one.changes({ signal: stop.signal }).next())
    await turn()
    stop.abort()
    assert.is(await next, 'AbortError')
    await turn()
    assert.is(one.asked(), 1)
  })

test('an attempt ends in its time though fetch minds no signal, and the next one begins', async () => {
  const one = hub(() => never<Response>(), { timeout_ms: 20, attempts: 2 })
  assert.is(await failure(one.request('GET', '/collections')), 'HubUnreachableError')
  assert.is(one.asked(), 2)
})

test('an attempt ends in its time though nothing but the client knows of that, and the call has a signal of its own', async () => {
  const { signal } = new AbortController()
  let isSilent = false
  const one = hub(() => (isSilent ? never<Response>() : Promise.resolve(Response.json({}))), {
    timeout_ms: 500,
    attempts: 1
  })
  // What is called often is compiled into what keeps nothing that it does not need any more.
  for (let calls = 0; calls < 3000; calls++) await one.request('GET', '/collections', { signal })
  isSilent = true
  const ended = failure(one.request('GET', '/collections', { signal }))
  for (let times = 0; times < 3; times++) {
    await turn()
    heldNow()
  }
  assert.is(await ended, 'HubUnreachableError')
})

test('a signal that outlives its calls keeps nothing of them', async () => {
  const { signal } = new AbortController()
  const one = hub(async (url) => (String(url).includes('/changes') ? streaming(events) : Response.json({})))
  await one.request('GET', '/collections', { signal })
  for await (const change of one.changes({ signal })) if (change.position === 2) break
  await turn()
  assert.equal(getEventListeners(signal, 'abort'), [])
})

test.run()
