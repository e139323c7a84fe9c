import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import * as assert from 'uvu/assert'
import { BodyRoom, boundHeldBodies, holding } from '../../src/http/bodyRoom.js'
import { LIMITS } from '../../src/limits.js'
import { suite } from '../support/suite.js'

const test = suite('room for bodies')

/** Asks for room and resolves with how to give it back, or with the refusal. */
const enter = (room: BodyRoom, bytes: number, account: string | null = null) =>
  new Promise<() => void>((resolve, reject) =>
    room.enter(bytes, account, (error, leave) => (error ? reject(error) : resolve(leave)))
  )
const refused = (entering: Promise<unknown>) =>
  entering.then(
    () => null,
    (error) => [error.status, error.headers]
  )

test('who finds no room waits until there is some, in the order of coming', async () => {
  const room = new BodyRoom(100, 5000)
  const [first, second] = [await enter(room, 60), await enter(room, 40)]
  const order: string[] = []
  const large = enter(room, 90).then((leave) => {
    order.push('large')
    leave()
  })
  const small = enter(room, 10).then(() => order.push('small'))
  second()
  second()
  await new Promise(setImmediate)
  assert.equal(order, [])
  first()
  await Promise.all([large, small])
  assert.equal(order, ['large', 'small'])
})

test('who waits too long is refused, and leaves no trace in the line', async () => {
  const room = new BodyRoom(100, 30)
  const leave = await enter(room, 100)
  assert.equal(await refused(enter(room, 50)), [503, { 'retry-after': '1' }])
  leave()
  await enter(room, 100)
})

test('a refusal lets in who stood behind it', async () => {
  const room = new BodyRoom(100, 50)
  await enter(room, 60)
  const large = refused(enter(room, 50))
  await new Promise((resolve) => setTimeout(resolve, 20))
  const small = enter(room, 40)
  assert.equal(await large, [503, { 'retry-after': '1' }])
  await small
})

test('an account has half of the room, and for what it wants beyond that nobody else waits', async () => {
  const room = new BodyRoom(100, 5000)
  const first = await enter(room, 40, 'ada')
  let hasMore = false
  const more = enter(room, 20, 'ada').then((leave) => {
    hasMore = true
    return leave
  })
  const others = [await enter(room, 30, 'bob'), await enter(room, 30, 'eve')]
  assert.not(hasMore)
  first()
  for (const leave of [await more, ...others]) leave()
  const large = await enter(room, 90, 'ada')
  large()
})

test('the line has an end', async () => {
  const room = new BodyRoom(1, 5000)
  const leave = await enter(room, 1)
  const line = Array.from({ length: 1000 }, () => enter(room, 1))
  assert.equal(await refused(enter(room, 1)), [503, { 'retry-after': '1' }])
  leave()
  for (const entering of line) (await entering)()
})

test('a call whose body is kept is handled while there is room for it, and gives it back whatever comes of it', async () => {
  const room = new BodyRoom(100, 0)
  let end = (_: Error | null) => {}
  const handle = holding(
    room,
    () =>
      new Promise<void>((resolve, reject) => {
        end = (error) => (error ? reject(error) : resolve())
      })
  )
  const call = { request: { bodyBytes: 60, userId: null } }
  for (const error of [null, new Error('failed')]) {
    const handled = handle(call).catch((error: Error) => error)
    assert.equal(await refused(handle(call)), [503, { 'retry-after': '1' }])
    end(error)
    assert.is((await handled) ?? null, error)
  }
  const last = handle(call)
  await new Promise(setImmediate)
  end(null)
  await last
})

test('a body whose answer waits for another on its connection gives its room back when the client leaves', async () => {
  const app = fastify()
  app.decorateRequest('userId', null)
  boundHeldBodies(app, LIMITS.contentBody.max)
  let hasCome = false
  app.get('/never', (_, reply) => void reply.hijack())
  // The length of a chunked body is not known: it takes as much room as there is.
  app.put('/body', { bodyLimit: LIMITS.bodiesHeld.max }, async () => {
    hasCome = true
    return {}
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const body =
    '/body HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'
  try {
    const first = connect(port, '127.0.0.1')
    first.write(`GET /never HTTP/1.1\r\nhost: h\r\n\r\nPUT ${body}`)
    while (!hasCome) await sleep(5)
    first.destroy()
    const next = connect(port, '127.0.0.1')
    next.write(`PUT ${body}`)
    const [text] = await once(next.setEncoding('utf8'), 'data')
    assert.match(text, /^HTTP\/1\.1 200 /)
    next.destroy()
  } finally {
    await app.close()
  }
})

test.run()
