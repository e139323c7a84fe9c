import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import * as assert from 'uvu/assert'
import { sendParts } from '../../src/http/reply.js'
import { suite } from '../support/suite.js'

const test = suite('replies that are sent in parts')

test('no part is made for a client that has left, though its reply waits for another on the connection', async () => {
  const app = fastify()
  let made = 0
  let isBegun = false
  let isOver = false
  async function* parts() {
    isBegun = true
    try {
      for (; made < 100; made++) yield Buffer.alloc(1000)
    } finally {
      isOver = true
    }
  }
  app.get('/never', (_, reply) => void reply.hijack())
  app.get('/parts', (request, reply) => sendParts(request, reply, { partBytes: 1000, parts }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    client.write(['/never', '/parts'].map((path) => `GET ${path} HTTP/1.1\r\nhost: h\r\n\r\n`).join(''))
    while (!isBegun) await sleep(5)
    await sleep(50)
    client.destroy()
    while (!isOver) await sleep(5)
    assert.ok(made < 3, `${made} parts`)
  } finally {
    await app.close()
  }
})

test.run()
