import { once } from 'node:events'
import { copyFileSync, symlinkSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { firstSecret, type Home, newHome, type Server } from '../cli/support.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const BODY = JSON.stringify({ name: 'late', role: 'user' })
const test = suite('npm start')
let home: Home
let port: number

test.before.each(async () => {
  home = await newHome(['npm', 'start'])
  port = await freePort()
  // The project as it is checked out, but with a configuration and data of its own.
  copyFileSync(join(ROOT, 'package.json'), join(home.path, 'package.json'))
  symlinkSync(join(ROOT, 'dist'), join(home.path, 'dist'))
  home.configure({ port })
})

/** A request that the hub has begun to serve and whose body is still to come. */
async function requestInFlight(secret: string): Promise<ClientRequest> {
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    'content-length': BODY.length,
    expect: '100-continue'
  }
  const call = request({ port, host: '127.0.0.1', method: 'POST', path: '/admin/users', headers })
  call.flushHeaders()
  await once(call, 'continue')
  return call
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} to npm is a signal to the hub: it finishes what is in flight, and ends before npm does`, async () => {
    const npm: Server = await home.start([], 'First collection')
    const call = await requestInFlight(firstSecret(npm))
    const ended = npm.stop(signal)
    call.end(BODY)
    const [response] = await once(call, 'response')
    assert.is(response.statusCode, 201)
    response.resume()
    assert.is((await ended).code, 0)
    const [error] = await once(request({ port, host: '127.0.0.1' }), 'error')
    assert.is(error.code, 'ECONNREFUSED')
  })
}

test.run()
