import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { firstSecret, type Home, newHome, type Server } from '../cli/support.js'
import { connectClient } from '../http/client.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'

const test = suite('a hub under bodies made to do harm')
const LONG = { timeout_ms: 120_000 }
const MEGABYTE = 1024 * 1024
const headers = { 'content-type': 'application/json' }
let home: Home
let port: number
let server: Server

test.before.each(async () => {
  home = await newHome()
  port = await freePort()
  home.configure({ port })
  server = await home.start(['start', '--init'], 'First collection')
})
test.after.each(() => home.remove())

/** Asks for the liveness probe every 50 ms meanwhile, and says how long the slowest answer took. */
async function slowestHealth_ms(work: () => Promise<unknown>): Promise<number> {
  const { send, close } = connectClient(port)
  let [slowest, isOver] = [0, false]
  const asking = (async () => {
    while (!isOver) {
      slowest = Math.max(slowest, (await send({ method: 'GET', path: '/health' })).duration_ms)
      await sleep(50)
    }
  })()
  await work()
  isOver = true
  await asking
  close()
  return slowest
}

const hostile: readonly (readonly [what: string, text: string])[] = [
  ['four million brackets', '['.repeat(4 * MEGABYTE)],
  [
    'a name of combining marks',
    JSON.stringify({ secret: 'hbi_0123456789', tokenName: 'e\u0301\u0316'.repeat(80_000) })
  ],
  ['700,000 keys', JSON.stringify(Object.fromEntries(Array.from({ length: 700_000 }, (_, i) => [`k${i}`, i])))],
  ['eight million commas', `[${','.repeat(8 * MEGABYTE)}]`]
]

for (const [what, text] of hostile) {
  test(
    `${what}, to whoever listens, hold up nobody`,
    async () => {
      const { send, close } = connectClient(port)
      const token = firstSecret(server)
      const slowest = await slowestHealth_ms(async () => {
        for (let i = 0; i < 10; i++) {
          const open = await send({ method: 'POST', path: '/auth/invitations/redeem', text, headers })
          assert.is(open.status, 413)
          const known = await send({ method: 'POST', path: '/run-results', token, text, headers })
          assert.ok([400, 403, 413].includes(known.status), `${known.status}`)
        }
      })
      close()
      process.stdout.write(`${what}: the slowest probe took ${Math.round(slowest)} ms\n`)
      assert.ok(slowest < 1000, `${slowest} ms`)
    },
    LONG
  )
}

test(
  'a byte every 3 seconds is ended with 408, and silence in the middle of the headers too',
  async () => {
    const begin = async (head: string) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(head)
      let text = ''
      socket.setEncoding('utf8').on('data', (more: string) => {
        text += more
      })
      await once(socket, 'connect')
      return { socket, closed: once(socket, 'close').then(() => text) }
    }
    const begun = performance.now()
    const slow = await begin(
      'POST /auth/invitations/redeem HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n'
    )
    const drip = setInterval(() => slow.socket.write('x'), 3000)
    const silent = await begin('GET /health HTTP/1.1\r\nHo')
    assert.match(await slow.closed.finally(() => clearInterval(drip)), /^HTTP\/1\.1 408 /)
    assert.match(await silent.closed, /^HTTP\/1\.1 408 /)
    assert.ok(performance.now() - begun < 25_000)
  },
  LONG
)

test.run()
