import { once } from 'node:events'
import { connect } from 'node:net'
import * as assert from 'uvu/assert'
import { MAIN, newHome } from '../cli/support.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { firstStart } from './client.js'

const FILES = 256
const test = suite('a hub whose process may open few files')

test('takes connections for half of them, goes on with more, and works for those that it has', async () => {
  const home = await newHome(['sh', '-c', `ulimit -n ${FILES}; exec "$0" "$@"`, process.execPath, MAIN])
  const port = await freePort()
  home.configure({ port })
  const { server, call, user } = await firstStart(home, port)
  const open = new Set(Array.from({ length: 2 * FILES }, () => connect(port, '127.0.0.1')))
  await new Promise<void>((resolve) => {
    for (const socket of open)
      socket
        .on('error', () => {})
        .once('close', () => {
          open.delete(socket)
          if (open.size <= FILES / 2) resolve()
        })
  })
  const [one] = open
  const body = '{"name":"Payments"}'
  one?.write(
    `POST /collections HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )
  assert.match(String(await (one && once(one, 'data'))), /^HTTP\/1.1 200 /)
  for (const socket of open) socket.destroy()
  assert.ok(await call(user, 'GET', '/collections'))
  assert.is((await server.stop()).code, 0)
})

test.run()
