import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect as connectTo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { clientLeft, type EventStream, type EventStreamOptions, openEventStream } from '../../src/net/sse.js'
import { suite } from '../support/suite.js'
import { eventsOf, reading, type Served, serve, textOf } from './fakes/client.js'

const test = suite('server-sent events')

const BIG = { text: 'x'.repeat(256 * 1024) }
const open: Served[] = []
test.after(async () => {
  await Promise.all(open.map((served) => served.close()))
})

/** One request, with the stream that answers it. */
async function connect(options?: EventStreamOptions) {
  let answer: { readonly stream: EventStream; readonly response: ServerResponse } | undefined
  const served = await serve((response) => {
    answer = { stream: openEventStream(response, options), response }
  })
  open.push(served)
  const reply = await served.request()
  if (!answer) throw new Error('Nobody answered.')
  return { ...answer, reply }
}

const aborted = (signal: AbortSignal) =>
  signal.aborted ? Promise.resolve() : new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))

test('the reply begins with the headers of an event stream and a comment, before there is any event', async () => {
  const { reply, stream } = await connect()
  assert.is(reply.statusCode, 200)
  assert.is(reply.headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.is(reply.headers['cache-control'], 'no-cache, no-transform')
  assert.is(reply.headers['x-accel-buffering'], 'no')
  const [first] = await new Promise<readonly Buffer[]>((resolve) => reply.once('data', (part) => resolve([part])))
  assert.is(first?.toString(), ': connected\n\n')
  await stream.end([])
})

test('each event is one line of data, in order, also those that come with the end', async () => {
  const { reply, stream } = await connect()
  const text = textOf(reply)
  await stream.send({ n: 1, text: 'two\nlines\r\n\u2028 and é' })
  await stream.end([{ n: 3 }, { n: 4 }])
  assert.is(
    await text,
    ': connected\n\ndata: {"n":1,"text":"two\\nlines\\r\\n\u2028 and é"}\n\ndata: {"n":3}\n\ndata: {"n":4}\n\n'
  )
  assert.is(stream.left.aborted, false)
})

test('comments keep the stream alive while nothing happens, and stop with its end', async () => {
  const { reply, stream } = await connect({ heartbeat_ms: 10 })
  const { text, until } = reading(reply)
  await until(/(: heartbeat\n\n){2}/)
  await stream.end([{ last: true }])
  assert.match(await text, /^: connected\n\n(: heartbeat\n\n){2,}data: \{"last":true\}\n\n$/)
})

test('who sends waits for a client that reads slowly, and goes on when it does', async () => {
  const { reply, stream } = await connect()
  let sent = 0
  const sending = (async () => {
    for (; sent < 64; sent += 1) await stream.send(BIG)
  })()
  let stuckAt = -1
  while (stuckAt !== sent) {
    stuckAt = sent
    await setTimeout(150)
  }
  assert.ok(stuckAt < 64, 'everything was sent to a client that reads nothing')
  const text = textOf(reply)
  await sending
  await stream.end([])
  assert.is(eventsOf(await text).length, 64)
})

test('a client that leaves is told of, and whoever waits for it goes on', async () => {
  const { reply, stream, response } = await connect()
  const sending = (async () => {
    for (let sent = 0; sent < 64; sent += 1) await stream.send(BIG)
  })()
  await setTimeout(20)
  reply.destroy()
  await aborted(stream.left)
  await sending
  await stream.send({ too: 'late' })
  await stream.end([{ too: 'late' }])
  assert.is(response.destroyed, true)
})

test('a sender that does not wait loses the client instead of the memory', async () => {
  const { stream, response } = await connect({ maxWaitingBytes: 1024 * 1024 })
  for (let sent = 0; sent < 64; sent += 1) void stream.send(BIG)
  assert.is(response.destroyed, true)
  await aborted(stream.left)
})

test('a single event may be larger than what may wait', async () => {
  const { reply, stream } = await connect({ maxWaitingBytes: 1000 })
  const text = textOf(reply)
  await stream.send(BIG)
  await stream.end([BIG])
  assert.is(eventsOf(await text).length, 2)
})

test('a client that does not take the end is let go after a while', async () => {
  const { stream, response } = await connect({ linger_ms: 50 })
  for (let sent = 0; sent < 40; sent += 1) void stream.send(BIG)
  const begun = performance.now()
  await stream.end([])
  assert.ok(performance.now() - begun < 8000)
  assert.is(response.destroyed, true)
})

test('a reply that nobody waits for any more is not begun', async () => {
  let response: ServerResponse | undefined
  const served = await serve((given) => {
    response = given
  })
  open.push(served)
  void served.request().catch(() => {})
  while (!response) await setTimeout(5)
  response.destroy()
  await setTimeout(20)
  const stream = openEventStream(response, { heartbeat_ms: 5 })
  assert.is(stream.left.aborted, true)
  await stream.send({})
  await stream.end([{}])
})

test('a plain reply knows as well when its client has left, and that it has not', async () => {
  const left: AbortSignal[] = []
  const replies: ServerResponse[] = []
  const served = await serve((response) => {
    left.push(clientLeft(response))
    replies.push(response)
    if (replies.length === 1) response.end('well')
    else response.write('wait')
  })
  open.push(served)
  assert.is(await textOf(await served.request()), 'well')
  await setTimeout(20)
  assert.is(left[0]?.aborted, false)
  const reply = await served.request()
  reply.destroy()
  await aborted(left[1] ?? AbortSignal.abort())
  assert.is(left[1]?.aborted, true)
})

test('a stream that waits for another answer on its connection ends with the connection, and is let go in time', async () => {
  const replies: ServerResponse[] = []
  const server = createServer((_, response) => void replies.push(response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connectTo((server.address() as AddressInfo).port, '127.0.0.1')
  try {
    client.write('GET / HTTP/1.1\r\nhost: test\r\n\r\n'.repeat(3))
    while (replies.length < 3) await setTimeout(5)
    const [written, ended] = replies.slice(1).map((reply) => openEventStream(reply, { linger_ms: 20 }))
    assert.ok(written && ended)
    await ended.end([{ last: true }])
    const writing = written.send(BIG)
    client.destroy()
    await writing
    await aborted(written.left)
    await written.send(BIG)
    await written.end([{ too: 'late' }])
  } finally {
    client.destroy()
    server.close()
  }
})

test.run()
