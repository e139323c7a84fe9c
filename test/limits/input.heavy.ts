import { once } from 'node:events'
import { connect } from 'node:net'
import * as assert from 'uvu/assert'
import { firstSecret, onNewHub } from '../cli/support.js'
import { connectClient } from '../http/client.js'
import { suite } from '../support/suite.js'
import { healthDuring, isPrompt, told } from './support/probe.js'

const test = suite('a hub under bodies made to do harm')
const LONG = { timeout_ms: 120_000 }
const MEGABYTE = 1024 * 1024
const headers = { 'content-type': 'application/json' }
const hub = onNewHub(test)

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
      const { send, close } = connectClient(hub.port)
      const token = firstSecret(hub.server)
      const health = await healthDuring(`http://127.0.0.1:${hub.port}`, hub.server.pid, async () => {
        for (let i = 0; i < 10; i++) {
          const open = await send({ method: 'POST', path: '/auth/invitations/redeem', text, headers })
          assert.is(open.status, 413)
          const known = await send({ method: 'POST', path: '/run-results', token, text, headers })
          assert.ok([400, 403, 413].includes(known.status), `${known.status}`)
        }
      })
      close()
      process.stdout.write(`${what}: ${told(health)}\n`)
      assert.ok(isPrompt(health), told(health))
    },
    LONG
  )
}

test(
  'a byte every 3 seconds is ended with 408, and silence in the middle of the headers too',
  async () => {
    const begin = async (head: string) => {
      const socket = connect(hub.port, '127.0.0.1')
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
