import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { newHome } from '../cli/support.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { firstStart } from '../whole/client.js'

const test = suite('a hub that stops')

test('answers what it has begun, and what comes over a connection in use with 503 and when to try again', async () => {
  const [home, port] = [await newHome(), await freePort()]
  home.configure({ port })
  const { server, call, user } = await firstStart(home, port)
  const body = JSON.stringify({ name: 'begun' })
  const head = [
    'POST /collections HTTP/1.1',
    'Host: h',
    `Authorization: Bearer ${user}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`
  ]
  const socket = connect(port, '127.0.0.1')
  let answers = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answers += text
  })
  const closed = once(socket, 'close')
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`)
  await call(user, 'GET', '/auth/session')
  const stopping = server.stop()
  // It takes no more connections once it has begun to.
  while (
    await fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false
    )
  )
    await sleep(5)
  socket.write(`${body.slice(5)}GET /auth/session HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${user}\r\n\r\n`)
  await closed
  await stopping
  await home.remove()
  const [begun = '', refused = ''] = answers.split(/(?=HTTP\/1\.1 503)/)
  assert.match(begun, 'HTTP/1.1 200')
  assert.match(refused, /^HTTP\/1\.1 503/)
  assert.match(refused, /^retry-after: \d+\r$/im)
  assert.match(refused, 'The hub is stopping. Try again in a moment.')
})

test.run()
