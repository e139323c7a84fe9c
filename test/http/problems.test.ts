import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { prefersProblem } from '../../src/http/failures.js'
import { LIMITS } from '../../src/limits.js'
import { suite } from '../support/suite.js'
import { type Call, fields, type Reply, records } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'

const PROBLEM = 'application/problem+json'

const guard = { isOverloaded: false, stop() {} }
const { test, world } = hubSuite('problem details', sqlite, { guard })

const ask = (call: Omit<Call, 'headers'>): Promise<Reply> =>
  world.hub.send({
    ...call,
    headers: { accept: PROBLEM, 'x-request-id': 'r.1', ...(call.text && { 'content-type': 'application/json' }) }
  })

/** The members that every problem has. */
function problemOf(reply: Reply) {
  assert.is(reply.headers['content-type'], PROBLEM, reply.text)
  assert.match(reply.headers.vary ?? '', /Accept/)
  const { type, title, status, detail, error, instance } = fields(reply.body)
  assert.is(status, reply.status)
  assert.is(detail, error)
  return { type, title, status, detail, instance }
}

const failures: Readonly<Record<string, () => Omit<Call, 'headers'>>> = {
  'not-found': () => ({ method: 'DELETE', path: `/folders/${randomUUID()}`, token: world.owner.token }),
  unauthorized: () => ({ method: 'GET', path: '/collections' }),
  forbidden: () => ({ method: 'GET', path: '/admin/users', token: world.owner.token }),
  'route-unknown': () => ({ method: 'GET', path: '/nowhere' }),
  'path-unreadable': () => ({ method: 'GET', path: '/%zz' }),
  'id-too-long': () => ({ method: 'GET', path: `/folders/${'x'.repeat(300)}` }),
  'body-too-large': () => ({ method: 'POST', path: '/nowhere', text: 'x'.repeat(5000) }),
  'body-not-json': () => ({ method: 'POST', path: '/collections', token: world.owner.token, text: '{' })
}

for (const [code, call] of Object.entries(failures)) {
  test(`${code}: whoever asks for it gets a problem, and everybody else what they know`, async () => {
    const reply = await ask(call())
    const { type, title, detail, instance } = problemOf(reply)
    const named = code.replaceAll('-', ' ')
    assert.equal([type, title], [`/problems/${code}`, `${named[0]?.toUpperCase()}${named.slice(1)}`])
    assert.is(instance, 'r.1', 'it is the id of the request')
    const headers = { 'content-type': 'application/json' }
    const plain = await world.hub.send({ ...call(), ...(call().text && { headers }) })
    assert.is(plain.status, reply.status)
    assert.is(plain.headers['content-type'], 'application/json; charset=utf-8')
    const { error, message, ...rest } = fields(plain.body)
    assert.is(code === 'route-unknown' ? message : error, detail)
    if (code !== 'route-unknown') assert.equal(rest, {})
  })
}

test('every fault of a request is told at once, wherever it is', async () => {
  const places = async (call: Omit<Call, 'headers'>) => {
    const reply = await ask(call)
    problemOf(reply)
    return records(reply, 'errors').map((fault) => `${fault.in} ${fault.path}`)
  }
  const body = { name: '', role: 'x', llmAccess: 1 }
  assert.equal(await places({ method: 'POST', path: '/admin/users', token: world.admin.token, body }), [
    ...['body name', 'body role', 'body llmAccess']
  ])
  const folder = { token: world.owner.token, body: { name: 1, parentFolderId: 2 } }
  assert.equal(await places({ method: 'POST', path: `/collections/${'x'.repeat(100)}/folders`, ...folder }), [
    ...['params collectionId', 'body name', 'body parentFolderId']
  ])
})

test('what is unknown in a request is named, and a preview that is misspelt is refused', async () => {
  const { token } = world.admin
  const refusal = async (call: Omit<Call, 'headers' | 'token'>) => problemOf(await ask({ ...call, token })).detail
  const undo = { method: 'POST', path: '/admin/undo', body: { token: randomUUID() } }
  assert.is(await refusal({ ...undo, body: { ...undo.body, foo: 1 } }), 'Unrecognized key: "foo".')
  assert.is(await refusal({ ...undo, path: '/admin/undo?dryRun=true' }), 'Unrecognized key: "dryRun".')
  assert.is(await refusal({ method: 'GET', path: '/search?q=a&type=request' }), 'Unrecognized key: "type".')
  assert.match(String(await refusal({ method: 'GET', path: '/search?q=a&kind=requests' })), /^kind must be of these/)
})

test('an id or a question that is empty is said to be, as where a path ends with a slash', async () => {
  const { token } = world.owner
  const refusal = async (path: string) => problemOf(await ask({ method: 'GET', path, token })).detail
  assert.is(await refusal('/collections/'), 'id: Must not be empty')
  assert.is(await refusal('/search?q='), 'q: Must not be empty')
})

test('of many faults only so many are told, and each in few words', async () => {
  const query = Array.from({ length: 500 }, (_, i) => `${'k'.repeat(20)}${i}=1`).join('&')
  const reply = await ask({ method: 'GET', path: `/admin/audit?${query}`, token: world.admin.token })
  const { errors } = fields(reply.body)
  assert.ok(Array.isArray(errors) && errors.length > 0 && errors.length <= LIMITS.faults.max)
  for (const fault of errors) assert.ok(String(fields(fault).message).length <= LIMITS.label.max)
})

test('a refused reload says in a problem what it says without', async () => {
  world.hub.reconfigure(null)
  const call = { method: 'POST', path: '/admin/config/reload', token: world.admin.token }
  const reply = await ask(call)
  const { fatalError, sections, error } = fields(reply.body)
  assert.is(problemOf(reply).type, '/problems/configuration-unusable')
  assert.equal([fatalError, sections], [error, []])
  assert.equal((await world.hub.send(call)).body, { sections: [], fatalError, error })
})

test('an overloaded hub refuses in the form that is asked for', async () => {
  guard.isOverloaded = true
  const reply = await ask({ method: 'GET', path: '/collections' })
  guard.isOverloaded = false
  assert.is(problemOf(reply).type, '/problems/overloaded')
  assert.is(reply.headers['retry-after'], '1')
})

test.run()

const headers = suite('what an Accept header prefers')

for (const [accept, prefers] of [
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['application/*', false],
  ['application/problem+json', true],
  ['Application/Problem+JSON', true],
  ['application/problem+json, application/json', true],
  ['application/json, application/problem+json', false],
  ['application/json;q=0.5, application/problem+json', true],
  ['application/json, application/problem+json;q=0.9', false],
  ['application/problem+json;q=0', false],
  ['text/html, application/problem+json;q=0.1', true],
  [';;,,=', false]
] as const) {
  headers(`${accept}: ${prefers ? 'a problem' : 'plain JSON'}`, () => assert.is(prefersProblem(accept), prefers))
}

headers.run()
