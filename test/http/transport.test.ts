import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import consumers from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { pathOf } from '../../src/http/methods.js'
import { type Call, fields, text } from './client.js'
import { clientExtras, collectionContent, requestContent } from './content.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { until } from './support.js'

const { test, world } = hubSuite('transport', sqlite)

const json = { 'content-type': 'application/json' }

for (const route of [
  ...['GET /nope', 'POST /', 'GET /console/assets', 'GET /console/index.html', 'POST /nope', 'PUT /health?x=1'],
  ...['OPTIONS /nope', 'DELETE /collections', 'GET /health/', 'GET /collections/a/folders/b']
]) {
  test(`${route} is no route: 404 that says so, with a token and without`, async () => {
    const [method = '', path = ''] = route.split(' ')
    const message = `Route ${method}:${path} not found`
    for (const token of [undefined, world.owner.token]) {
      const reply = await world.hub.send({ method, path, token })
      assert.equal([reply.status, reply.body], [404, { message, error: 'Not Found', statusCode: 404 }])
    }
  })
}

const EMPTY = 'The request body is empty, but its content type is application/json.'
const NO_OBJECT = 'The request body must be a JSON object.'
const TOO_DEEP = 'JSON may be nested at most 64 levels deep.'
const NO_JSON = 'The request body is not valid JSON, or has a __proto__ key in it.'

type Body = Pick<Call, 'text' | 'headers'>
const bodies: readonly (readonly [what: string, status: number, error: string, body: Body])[] = [
  ['no body', 400, NO_OBJECT, {}],
  ['an empty body that says it is JSON', 400, EMPTY, { headers: json }],
  ['half a JSON', 400, NO_JSON, { headers: json, text: '{"name":' }],
  ['JSON with a comment', 400, NO_JSON, { headers: json, text: '{"name":"x"} // x' }],
  ['a __proto__ key', 400, NO_JSON, { headers: json, text: '{"__proto__":{"role":"admin"},"name":"x"}' }],
  ['a __proto__ key further in', 400, NO_JSON, { headers: json, text: '{"name":"x","more":{"__proto__":{}}}' }],
  [
    'a constructor with a prototype',
    400,
    NO_JSON,
    { headers: json, text: '{"name":"x","constructor":{"prototype":{"role":"admin"}}}' }
  ],
  ['JSON that nests too deep', 400, TOO_DEEP, { headers: json, text: '{"name":'.repeat(65) }],
  ['a JSON array', 400, NO_OBJECT, { headers: json, text: '[]' }],
  ['a JSON null', 400, NO_OBJECT, { headers: json, text: 'null' }],
  ['a JSON text', 400, NO_OBJECT, { headers: json, text: '"name"' }],
  ['plain text', 400, NO_OBJECT, { headers: { 'content-type': 'text/plain' }, text: '{"name":"x"}' }],
  [
    'a form',
    415,
    'Unsupported content type. Send application/json.',
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, text: 'name=x' }
  ],
  [
    'a compressed body',
    415,
    'The request body must not be encoded (Content-Encoding: gzip). Send it as it is.',
    { headers: { ...json, 'content-encoding': 'gzip' }, text: gzipSync('{"name":"x"}') }
  ],
  ['a body without a type', 415, 'Unsupported content type. Send application/json.', { text: '{"name":"x"}' }]
]

for (const [what, status, error, body] of bodies) {
  test(`${what}: ${status}`, async () => {
    const { token } = world.owner
    await world.refused(status, () => world.hub.send({ method: 'POST', path: '/collections', token, ...body }), error)
  })
}

test('JSON of any charset parameter is JSON; an empty body that says it is JSON is refused with DELETE too', async () => {
  const { token } = world.owner
  const path = '/collections'
  const headers = { 'content-type': 'Application/JSON; charset=UTF-8' }
  const made = await world.hub.send({ method: 'POST', path, token, headers, text: '{"name":"é"}' })
  assert.is(fields(made.body).name, 'é')
  const gone = { method: 'DELETE', path: `${path}/${fields(made.body).id}`, token, headers: json }
  await world.refused(400, () => world.hub.send(gone), EMPTY)
})

test('bytes that are no UTF-8 are 400, in a body and in a query', async () => {
  const text = Buffer.concat([Buffer.from('{"name":"a'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')])
  const call = { method: 'POST', path: '/collections', token: world.owner.token, headers: json, text }
  await world.refused(400, () => world.hub.send(call), 'The request body is not valid UTF-8.')
  const encoding = 'The query of the URL is not valid: check its percent-encoding.'
  for (const path of ['/changes?after=%FF', '/changes?x=%C3', '/changes?after=%zz'])
    await world.refused(400, () => world.by(world.owner).get(path), encoding)
})

test('the log shows no secret that was sent in a URL', async () => {
  const secrets = [world.owner.token, 'hbi_s3same', 'op3n']
  for (const path of [
    `/collections?token=${world.owner.token}`,
    `/nowhere/${world.owner.token}?access_token=op3n`,
    '/nowhere?x=%68bi_s3same&password=op3n',
    '/join?code=hbi_s3same',
    `/changes?after=0&secret=op3n`,
    `/folders/${'hbi_s3same'.repeat(30)}`,
    '/%zz?key=op3n'
  ]) {
    await world.hub.send({ method: 'GET', path })
    await world.hub.send({ method: 'POST', path, token: world.owner.token, headers: json, text: '{' })
  }
  const log = JSON.stringify(world.hub.log)
  assert.equal(
    secrets.filter((secret) => log.includes(secret)),
    []
  )
  assert.ok(log.includes('/nowhere/[redacted]?access_token=[redacted]'))
})

test('a path is the same however it is spelled: for the methods that it has, and for a key', async () => {
  const headers = { ...json, 'idempotency-key': randomUUID(), authorization: `Bearer ${world.owner.token}` }
  const ids = new Set<unknown>()
  for (const path of ['/collections', '/%63ollections', '/collections?x=1']) {
    const made = await fetch(world.hub.url + path, { method: 'POST', headers, body: '{"name":"Once"}' })
    ids.add(fields(await made.json()).id)
    const none = await fetch(world.hub.url + path, { method: 'PATCH' })
    assert.match(none.headers.get('allow') ?? '', /GET.*POST/, path)
  }
  assert.is(ids.size, 1)
  for (const url of ['http://hub.example/collections?x', '/collections#x', '/%63ollections'])
    assert.is(pathOf(url), '/collections')
  assert.equal([pathOf('http://hub.example'), pathOf('/a%2Fb'), pathOf('/%zz')], ['/', '/a%2Fb', '/%zz'])
})

test('keys that the interface does not know are ignored', async () => {
  const { put, post } = world.by(world.owner)
  const id = await world.collection()
  const changed = await put(`/collections/${id}`, { ...collectionContent, ...clientExtras, id: 'other', createdAt: 0 })
  assert.is(text(changed.body, 'id'), id)
  const made = await post(`/collections/${id}/requests`, { ...requestContent, ...clientExtras, sortOrder: 'last' })
  const requestId = text(made.body, 'id')
  const saved = await put(`/requests/${requestId}`, { ...requestContent, ...clientExtras, collectionId: id })
  assert.is(text(saved.body, 'id'), requestId)
})

const UNKNOWN = '/collections/00000000-0000-4000-8000-000000000001'
const order: readonly (readonly [who: 'nobody' | 'a user' | 'a stranger', call: Call, status: number])[] = [
  ['nobody', { method: 'POST', path: '/collections', headers: json, text: '{' }, 401],
  ['nobody', { method: 'POST', path: '/collections', headers: { 'content-type': 'image/png' }, text: 'x' }, 401],
  ['nobody', { method: 'PUT', path: UNKNOWN, body: {} }, 401],
  ['a user', { method: 'POST', path: '/admin/users', body: {} }, 400],
  ['a user', { method: 'PUT', path: `/admin${UNKNOWN}`, body: { deletionLocked: true } }, 403],
  ['a stranger', { method: 'PUT', path: UNKNOWN, body: {} }, 400],
  ['a stranger', { method: 'PUT', path: UNKNOWN, body: collectionContent }, 403],
  ['a stranger', { method: 'DELETE', path: UNKNOWN }, 403],
  ['a stranger', { method: 'DELETE', path: UNKNOWN.replace('collections', 'requests') }, 403],
  ['a user', { method: 'PUT', path: UNKNOWN, body: {} }, 400],
  ['a user', { method: 'PUT', path: UNKNOWN, body: collectionContent }, 404]
]

for (const [who, call, status] of order) {
  const { method, path, body, text } = call
  const sent = text ?? JSON.stringify(body ?? null).slice(0, 30)
  test(`authentication, form, access, existence, in this order: ${who} sends ${method} ${path} ${sent}: ${status}`, async () => {
    const known = { 'a user': world.owner, 'a stranger': await world.user(), nobody: undefined }
    await world.refused(status, () => world.hub.send({ ...call, token: known[who]?.token }))
  })
}

test('a request is logged at debug with method, URL, address and id, and no log line holds a token', async () => {
  const { token } = world.owner
  const paths = ['/auth/session?x=1', '/nope', '/collections/%zz']
  for (const path of paths) await world.hub.send({ method: 'GET', path, token, headers: { 'x-request-id': 'a.1' } })
  const lines = await until(() => {
    const found = world.hub.log.filter(({ reqId }) => reqId === 'a.1')
    return found.length === paths.length ? found : null
  })
  assert.equal(
    lines.map(({ level, method, url, address }) => [level, method, url, address]),
    paths.map((path) => [20, 'GET', path, '127.0.0.1'])
  )
  const log = JSON.stringify(world.hub.log)
  for (const { token } of [world.admin, world.owner, world.colleague]) assert.not.match(log, token)
})

test('OPTIONS of every path tells its methods, without a token', async () => {
  const paths = new Map<string, Set<string>>()
  for (const { method, url } of world.hub.declared) paths.set(url, (paths.get(url) ?? new Set()).add(method))
  for (const [url, methods] of paths) {
    const path = url.replace(/:\w+/g, 'x')
    const { status, text, headers } = await world.hub.send({ method: 'OPTIONS', path: `${path}?x=1` })
    assert.equal([status, text], [204, ''], path)
    const told = (headers.allow ?? '').split(', ')
    for (const method of [...methods, 'OPTIONS']) assert.ok(told.includes(method), `${method} ${path}: ${told}`)
  }
})

test('the 404 of a method that a path has not names those that it has', async () => {
  const { headers } = await world.hub.send({ method: 'DELETE', path: '/collections' })
  assert.is(headers.allow, 'GET, HEAD, POST, OPTIONS')
  assert.is((await world.hub.send({ method: 'DELETE', path: '/nope' })).headers.allow, undefined)
})

const raw = (...head: readonly string[]) => {
  const socket = connect(Number(new URL(world.hub.url).port), '127.0.0.1')
  socket.end(`${head.join('\r\n')}\r\n\r\n`)
  return consumers.text(socket)
}
const NO_HOST = 'The request has no Host header.'
const TWO_HOSTS = 'The request has more than one Host header.'
const NO_EXPECTATION = 'Expect: The hub knows 100-continue alone.'
for (const [what, status, body, head] of [
  ['without a Host', 400, { error: NO_HOST }, ['GET /health HTTP/1.1', 'Connection: close']],
  ['with two Hosts', 400, { error: TWO_HOSTS }, ['GET /health HTTP/1.1', 'Host: h', 'X-Other: h', 'hOST: h']],
  ['of an unknown Expect', 417, { error: NO_EXPECTATION }, ['GET /health HTTP/1.1', 'Host: h', 'Expect: tea']],
  ['of an unknown method', 400, { error: 'Bad Request' }, ['TEA /health HTTP/1.1', 'Host: h']],
  ['with CONNECT', 400, { error: 'Bad Request' }, ['CONNECT other:443 HTTP/1.1', 'Host: h']],
  [
    ...(['with QUERY', 404] as const),
    { message: 'Route QUERY:/health not found', error: 'Not Found', statusCode: 404 },
    ['QUERY /health HTTP/1.1', 'Host: h']
  ]
] as const) {
  test(`a request ${what} is ${status}, as JSON like every refusal`, async () => {
    const [headers = '', sent = ''] = (await raw(...head)).split('\r\n\r\n')
    assert.match(headers, new RegExp(`^HTTP/1\\.1 ${status} `))
    assert.match(headers, /\r\ncontent-type: application\/json/i)
    assert.equal(JSON.parse(sent), body)
  })
}

test('HTTP/1.0 needs no Host, and 100-continue is answered', async () => {
  assert.match(await raw('GET /health HTTP/1.0'), /^HTTP\/1\.1 200 /)
  assert.match(
    await raw('GET /health HTTP/1.1', 'Host: h', 'Expect: 100-Continue'),
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /
  )
})

test('no answer invites browsers of other origins', async () => {
  const headers = { origin: 'https://elsewhere.example' }
  const { headers: answered } = await world.hub.send({ method: 'GET', path: '/health', headers })
  assert.equal(
    Object.keys(answered).filter((name) => name.startsWith('access-control')),
    []
  )
})

test.run()
