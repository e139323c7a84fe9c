import * as assert from 'uvu/assert'
import { z } from 'zod'
import { connectHub, type HubClient, HubRequestError } from '../../clients/typescript/src/index.js'
import type { DescribedRoute, Description } from '../../src/http/openapi/description.js'
import { suite } from '../support/suite.js'
import { described, describedFetch } from './described.js'

const test = suite('the check of answers against what routes say of themselves')

const thing = z.object({ id: z.string(), inner: z.object({ count: z.int() }).optional() })
const route = (method: string, url: string, more: Partial<Description>): DescribedRoute => ({
  method,
  url,
  limit_bytes: 1,
  input: url.includes(':') ? { params: z.object({ id: z.string() }) } : {},
  description: {
    operation: 'getThing',
    summary: 'x',
    about: 'x',
    tag: 'hub',
    access: { who: 'user', needs: 'read' },
    answers: { 200: thing },
    ...more
  }
})
const check = described([
  route('GET', '/things/:id', { isTagged: true }),
  route('GET', '/things/first', { answers: { 200: { 'application/x-ndjson': thing, 'text/event-stream': thing } } }),
  route('DELETE', '/things/:id', { answers: { 204: null } })
])

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const TAGGED = { ...JSON_TYPE, etag: '"1"' }
const answer = (body: unknown, status = 200, headers: object = TAGGED) => ({
  status,
  text: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { ...headers }
})
const get = { method: 'GET', path: '/things/1?at=now' }

test('an answer that is what the route says passes', () => {
  check(get, answer({ id: 'x', inner: { count: 1 } }))
  check(get, answer('', 304, { etag: '"1"' }))
  check(get, answer({ error: 'Not found' }, 404))
  check({ method: 'DELETE', path: '/things/1' }, answer('', 204, {}))
  check({ method: 'GET', path: '/nowhere' }, answer({ message: 'x', error: 'Not Found', statusCode: 404 }, 404))
  const first = { method: 'GET', path: '/things/first' }
  check(first, answer('{"id":"x"}\n{"id":"y"}\n', 200, { 'content-type': 'application/x-ndjson' }))
  check(first, answer(': hello\n\nid: 1\ndata: {"id":"x"}\n\n', 200, { 'content-type': 'text/event-stream' }))
})

const wrong: readonly (readonly [what: string, asked: typeof get, answered: ReturnType<typeof answer>])[] = [
  ['a field more', get, answer({ id: 'x', more: 1 })],
  ['a field more inside', get, answer({ id: 'x', inner: { count: 1, more: 1 } })],
  ['a field too few', get, answer({})],
  ['another type', get, answer({ id: 1 })],
  ['another status', get, answer({ id: 'x' }, 201)],
  ['a refusal that it does not have', get, answer({ error: 'x' }, 409)],
  ['a failure', get, answer({ error: 'Internal Server Error' }, 500)],
  ['a refusal with a field more', get, answer({ error: 'x', more: 1 }, 404)],
  ['another content type', get, answer('x', 200, { 'content-type': 'text/plain' })],
  ['an entity tag that is not told of', { method: 'DELETE', path: '/things/1' }, answer('', 204, { etag: '"1"' })],
  ['no entity tag where one is told of', get, answer({ id: 'x' }, 200, JSON_TYPE)],
  ['a body where there is none', { method: 'DELETE', path: '/things/1' }, answer({ id: 'x' }, 204, JSON_TYPE)],
  [
    'a wrong line',
    { method: 'GET', path: '/things/first' },
    answer('{"id":"x"}\n{}\n', 200, { 'content-type': 'application/x-ndjson' })
  ]
]

for (const [what, asked, answered] of wrong) {
  test(`${what} is found`, () =>
    assert.throws(() => check(asked, answered), 'is not what the interface is described as'))
}

test('the typed client gets what is as it is described, and of what is not a refusal that tells so, once', async () => {
  let sent = 0
  const clientOf = (body: unknown, type = 'application/json') => {
    const send = async () => {
      sent++
      return new Response(JSON.stringify(body), { headers: { 'content-type': type, etag: '"1"' } })
    }
    return connectHub({ url: 'http://hub', fetch: describedFetch(check, send) })
  }
  const ask = (hub: HubClient) => hub.request('GET', '/collections/{id}', { path: { id: 'x' } }).catch((error) => error)
  const unknown = await ask(clientOf({ id: 'x' }))
  assert.is(unknown instanceof HubRequestError && unknown.status, 599)
  assert.match(String(unknown), 'is not what the interface is described as')
  assert.is(sent, 1)
  const message = { message: 'x', error: 'Not Found', statusCode: 404 }
  assert.equal((await ask(clientOf(message))).body, message)
})

test.run()
