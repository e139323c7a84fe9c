import * as assert from 'uvu/assert'
import type { z } from 'zod'
import { errors } from '../../src/errors.js'
import type { DeclaredRoute } from '../../src/http/bodies.js'
import { errorOf } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { unbounded } from './schemaBounds.js'

// Large enough to differ from the others, and sent to every route in no time.
const server = { host: '127.0.0.1', port: 1, bodyLimitMb: 0.25 }
const { test, world } = hubSuite('bounds of every route', sqlite, { config: { server } })

/** Without HEAD, which comes with GET. */
const routes = () => world.hub.declared.filter(({ method }) => method !== 'HEAD')
const headers = { 'content-type': 'application/json' }

/** A request to the route with a JSON object of so many bytes. */
async function send({ method, url }: DeclaredRoute, bytes: number) {
  const path = url.replace(/:\w+/g, 'x')
  const { token } = url === '/auth/sign-out' ? await world.user() : world.owner
  return world.hub.send({ method, path, token, text: `{${' '.repeat(bytes - 2)}}`, headers })
}

test('every route that is served states what it takes', () => {
  assert.is(routes().length, new Set(world.hub.routes().filter((route) => !route.startsWith('HEAD'))).size)
})

test('a body of the size that a route states is read, and one byte more is 413', async () => {
  const sizes = { small: 4096, usual: 65_536, content: 262_144 }
  for (const route of routes()) {
    assert.is(route.limit_bytes, sizes[route.takes])
    // The body of a GET is not read.
    if (route.method === 'GET') continue
    assert.is.not((await send(route, route.limit_bytes)).status, 413, route.url)
    const reply = await send(route, route.limit_bytes + 1)
    assert.equal([reply.status, errorOf(reply)], [413, errors.bodyTooLarge(route.limit_bytes).message], route.url)
  }
})

test('without a token, and where no route is, 4 KB are read', async () => {
  const open = routes().filter(({ url }) => /^\/(auth\/invitations|join|health|readyz|metrics|openapi|docs)/.test(url))
  assert.ok(open.length >= 7)
  for (const { url, takes } of open) assert.is(takes, 'small', url)
  for (const bytes of [4097, 9_000_000]) {
    const reply = await world.hub.send({ method: 'POST', path: '/nowhere', text: ' '.repeat(bytes), headers })
    assert.is(reply.status, 413)
  }
})

test('every text, number and list of a request has a bound', () => {
  const found = routes().flatMap(({ method, url, input }) =>
    Object.entries(input).flatMap(([part, schema]: readonly [string, z.ZodType | undefined]) =>
      unbounded(schema, `${method} ${url} ${part}`)
    )
  )
  assert.equal(found, [])
})

test.run()
