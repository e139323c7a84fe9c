import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'
import { senderFor } from '../../src/followers/webhooks/send.js'
import { suite } from '../support/suite.js'
import { type Receiver, startReceiver } from './receiver.js'

const test = suite('where webhooks may lead')

const REFUSED = 'The host is at an address that the hub does not connect to.'

let receiver: Receiver
test.before.each(async () => {
  receiver = await startReceiver()
})
const port = () => new URL(receiver.url).port
/** Sends to a URL whose host has these addresses, each in its turn. */
function sending(allowPrivateAddresses: readonly string[], ...addresses: readonly (readonly string[])[]) {
  let turn = 0
  const resolve = async () => (addresses[turn++] ?? []).map((address) => ({ address, family: 4 }))
  const send = senderFor({ allowPrivateAddresses, timeout_ms: 5000, resolve })
  return (url: string) => send({ url, headers: {}, body: '{}', signal: new AbortController().signal })
}

test('a private address is refused before anything is connected to, also where a name leads to it', async () => {
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', 'rebound.example.com']) {
    const { status, error } = await sending([], ['127.0.0.1'])(`http://${host}:${port()}/`)
    assert.equal([host, status, error], [host, null, REFUSED])
  }
  assert.is(receiver.received.length, 0)
})

test('a name that is public once and private the next time is refused then', async () => {
  const send = sending(['127.0.0.1'], ['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1'])
  for (const refusal of [null, REFUSED, null])
    assert.is((await send(`http://rebound.example.com:${port()}/`)).error, refusal)
  assert.is(receiver.received.length, 2)
})

test('one private address of several spoils the name', async () => {
  assert.is((await sending([], ['8.8.8.8', '10.0.0.1'])('http://both.example.com/')).error, REFUSED)
})

test('a redirect is a failure, and is not followed', async () => {
  receiver.answers = () => ({ status: 307, headers: { location: `${receiver.url}/elsewhere` } })
  const { isDelivered, status, error } = await sending(['127.0.0.1'])(receiver.url)
  assert.equal([isDelivered, status, error], [false, 307, 'The receiver redirects, which the hub does not follow.'])
  assert.is(receiver.received.length, 1)
})

test('an answer without an end is read no further than is kept of it', async () => {
  let written = 0
  const server = createServer((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384))) written += 16_384
    }
    response.on('drain', more).writeHead(200)
    more()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    // A server that listens on a port has an address with one.
    const { port } = server.address() as AddressInfo
    const { isDelivered, answer } = await sending(['127.0.0.1'])(`http://127.0.0.1:${port}/`)
    assert.equal([isDelivered, answer.length], [true, 1024])
    assert.ok(written < 64 * 1024 * 1024)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('an error tells nothing of the URL', async () => {
  const send = sending(['127.0.0.1'])
  const { error } = await send('http://127.0.0.1:1/hook?token=secret')
  assert.is(error, 'The receiver could not be reached (ECONNREFUSED).')
  assert.is((await send('http://nowhere.example.com/hook?token=secret')).error, 'The host name has no address.')
})

test.run()
