import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { Connections } from '../../src/http/connections.js'
import { LIMITS } from '../../src/limits.js'
import { suite } from '../support/suite.js'

const test = suite('bodies that come slowly, or for nothing')

const bounds = {
  ...LIMITS,
  bodyGrace: { max: 1000 },
  bodyRate: { max: 1000 },
  unreadBody: { max: 1_000_000 },
  unreadTime: { max: 2000 }
}
let server: Server
let connections: Connections
/** Answers what has asked for `/late`; undefined until somebody has. */
let answerLate: (() => void) | undefined

// `/ignored` is answered without a look at its body, `/late` when the test says so, `/half` never to its end, and everything
// else when its body has come.
test.before.each(async () => {
  answerLate = undefined
  server = createServer((request, response) => {
    if (request.url === '/ignored') response.end('answered')
    else if (request.url === '/half') response.write('half of it')
    else if (request.url === '/late') answerLate = () => response.end('late')
    else request.resume().on('end', () => response.end('whole'))
  })
  connections = new Connections(server, bounds)
  server.on('clientError', (error, socket) => connections.refuse(error, socket as Socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
test.after.each(() => {
  connections.stop()
  server.closeAllConnections()
  server.close()
})

/** A connection that has sent the head of a request, and what comes back over it until it is closed. */
async function begin(path: string, length = 1_000_000_000) {
  const address = server.address()
  const socket = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  socket.on('error', () => {})
  // Who still sends when the server closes gets an error before: not even that is a failure.
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)))
  await once(socket, 'connect')
  socket.write(`POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: ${length}\r\n\r\n`)
  return { socket, closed, text: () => text }
}

test('a body that comes more slowly than it must ends with 408', async () => {
  const { socket, closed } = await begin('/')
  const drip = setInterval(() => socket.write('x'), 50)
  const text = await closed.finally(() => clearInterval(drip))
  assert.match(text, /^HTTP\/1\.1 408 Request Timeout\r\n/)
  assert.match(text, /\{"error":"The request did not come in time\."\}$/)
})

test('one that comes fast enough is taken, however long it takes', async () => {
  const { socket, text } = await begin('/', 40_000)
  for (let sent = 0; sent < 40_000; sent += 1000) {
    socket.write('x'.repeat(1000))
    await sleep(60)
  }
  while (!text().endsWith('whole')) await sleep(10)
  assert.match(text(), /^HTTP\/1\.1 200 /)
  socket.destroy()
})

test('what comes after the answer is taken up to a number of bytes, and for a time', async () => {
  const [fast, slow] = [await begin('/ignored'), await begin('/ignored')]
  const pour = setInterval(() => fast.socket.write('x'.repeat(500_000)), 10)
  assert.match(await fast.closed.finally(() => clearInterval(pour)), /answered$/)
  assert.is(slow.socket.closed, false, 'who has sent little may go on')
  assert.match(await slow.closed, /answered$/)
})

test('a rest that ends within the bounds leaves the connection for the next request', async () => {
  const { socket, text } = await begin('/ignored', 500_000)
  socket.write('x'.repeat(500_000))
  socket.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx')
  while (!text().endsWith('whole')) await sleep(10)
  socket.destroy()
})

test('a server that stops closes what has sent no whole request, and lets those finish that have', async () => {
  const [slow, idle, late] = [await begin('/'), await begin('/', 0), await begin('/late', 0)]
  while (!idle.text().endsWith('whole') || !answerLate) await sleep(10)
  connections.closeUnfinished()
  assert.is(await slow.closed, '')
  assert.match(await idle.closed, /whole$/)
  answerLate()
  while (!late.text().endsWith('late')) await sleep(10)
  late.socket.destroy()
})

test('what is no request is 400, and headers that are too large are 431', async () => {
  const { port } = server.address() as { port: number }
  for (const [sent, status, error] of [
    ['NO SENSE\r\n\r\n', 400, 'Bad Request'],
    [`GET / HTTP/1.1\r\nHost: h\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'The headers are larger than 16384 bytes.']
  ] as const) {
    const socket = connect(port, '127.0.0.1')
    socket.write(sent)
    const [text] = await once(socket.setEncoding('utf8'), 'data')
    assert.ok(text.startsWith(`HTTP/1.1 ${status} `), text)
    assert.ok(text.endsWith(JSON.stringify({ error })), text)
  }
})

test('a connection that has been answered is told of what is wrong with its next request', async () => {
  const { socket, text, closed } = await begin('/', 0)
  while (!text().endsWith('whole')) await sleep(10)
  socket.write('NO SENSE\r\n\r\n')
  assert.match(await closed, /whole.*HTTP\/1\.1 400 Bad Request\r\n.*\{"error":"Bad Request"\}$/s)
})

test('nothing is written into an answer that is on its way, whatever comes behind its request', async () => {
  const [late, wrong] = [await begin('/half', 0), await begin('/half', 0)]
  const halves = [late, wrong].map(({ text }) => text)
  while (!halves.every((text) => text().includes('half of it'))) await sleep(10)
  late.socket.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n')
  wrong.socket.write('NO SENSE\r\n\r\n')
  for (const { closed } of [late, wrong]) assert.match(await closed, /half of it\r\n$/)
})

test.run()
