import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'
import { senderFor } from '../../src/followers/webhooks/send.js'
import { notPublic } from '../../src/net/guardedAddress.js'
import { suite } from '../support/suite.js'
import { startReceiver } from './receiver.js'

const test = suite('where webhooks may lead')

const REFUSED = 'The host is at an address that the hub does not connect to.'
const PRIVATE = [
  '127.0.0.1',
  '127.8.9.10',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '198.18.0.1',
  '0.0.0.0',
  '::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '64:ff9b::10.0.0.1',
  '2002:7f00:1::1',
  'localhost'
]
const PUBLIC = ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8']

for (const address of PRIVATE) test(`${address} is refused`, () => assert.is(notPublic([])(address), true))
for (const address of PUBLIC) test(`${address} is allowed`, () => assert.is(notPublic([])(address), false))

test('what is allowed is allowed in every notation, and nothing beside it', () => {
  const isRefused = notPublic(['10.1.0.0/16', 'fd12:3456::/32', '127.0.0.1'])
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd12:3456::7', '127.0.0.1'])
    assert.is(isRefused(address), false, address)
  for (const address of ['10.2.0.1', '127.0.0.2', 'fd12:3457::7', '::1']) assert.is(isRefused(address), true, address)
})

test('addresses of cloud metadata stay refused, whatever is allowed', () => {
  const isRefused = notPublic(['0.0.0.0/0', '::/0'])
  for (const address of ['169.254.169.254', '::ffff:169.254.169.254', 'fd00:ec2::254', '100.100.100.200'])
    assert.is(isRefused(address), true, address)
})

const signal = new AbortController().signal
const outbound = (url: string) => ({ url, headers: {}, body: '{}', signal })

test('a private address is refused before anything is connected to, also where a name leads to it', async () => {
  const receiver = await startReceiver()
  try {
    const { port } = new URL(receiver.url)
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const send = senderFor({ allowPrivateAddresses: [], timeout_ms: 5000, resolve })
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', 'rebound.example.com']) {
      const { status, error } = await send(outbound(`http://${host}:${port}/`))
      assert.equal([host, status, error], [host, null, REFUSED])
    }
    assert.is(receiver.received.length, 0)
  } finally {
    await receiver.close()
  }
})

test('a name that is public once and private the next time is refused then', async () => {
  const receiver = await startReceiver()
  try {
    const { port } = new URL(receiver.url)
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.1']
    const resolve = async () => [{ address: answers.shift() ?? '', family: 4 }]
    const send = senderFor({ allowPrivateAddresses: ['127.0.0.1'], timeout_ms: 5000, resolve })
    const errors: (string | null)[] = []
    for (let i = 0; i < 3; i++) errors.push((await send(outbound(`http://rebound.example.com:${port}/`))).error)
    assert.equal(errors, [null, REFUSED, null])
    assert.is(receiver.received.length, 2)
  } finally {
    await receiver.close()
  }
})

test('one private address of several spoils the name', async () => {
  const resolve = async () => [
    { address: '8.8.8.8', family: 4 },
    { address: '10.0.0.1', family: 4 }
  ]
  const send = senderFor({ allowPrivateAddresses: [], timeout_ms: 5000, resolve })
  assert.is((await send(outbound('http://both.example.com/'))).error, REFUSED)
})

test('a redirect is a failure, and is not followed', async () => {
  const [receiver, other] = [await startReceiver(), await startReceiver()]
  try {
    receiver.answers = () => ({ status: 307, headers: { location: other.url } })
    const resolve = async () => []
    const send = senderFor({ allowPrivateAddresses: ['127.0.0.1'], timeout_ms: 5000, resolve })
    const { isDelivered, status, error } = await send(outbound(receiver.url))
    assert.equal([isDelivered, status, error], [false, 307, 'The receiver redirects, which the hub does not follow.'])
    assert.is(other.received.length, 0)
  } finally {
    await receiver.close()
    await other.close()
  }
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
    const send = senderFor({ allowPrivateAddresses: ['127.0.0.1'], timeout_ms: 5000, resolve: async () => [] })
    const { isDelivered, answer } = await send(outbound(`http://127.0.0.1:${port}/`))
    assert.equal([isDelivered, answer.length], [true, 1024])
    assert.ok(written < 64 * 1024 * 1024)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('an error tells nothing of the URL', async () => {
  const send = senderFor({ allowPrivateAddresses: ['127.0.0.1'], timeout_ms: 5000, resolve: async () => [] })
  const { error } = await send(outbound('http://127.0.0.1:1/hook?token=secret'))
  assert.is(error, 'The receiver could not be reached (ECONNREFUSED).')
  const unknown = await send(outbound('http://nowhere.example.com/hook?token=secret'))
  assert.is(unknown.error, 'The host name has no address.')
})

test.run()
