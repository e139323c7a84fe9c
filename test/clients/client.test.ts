import { execFile } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { WITHOUT_KEY } from '../../clients/typescript/src/client.js'
import {
  type ClientOptions,
  connectHub,
  HubRequestError,
  HubUnreachableError
} from '../../clients/typescript/src/index.js'
import type { LoadGuard } from '../../src/http/load.js'
import { pathOf } from '../../src/http/openapi/operation.js'
import { sqlite } from '../http/drivers.js'
import { hubSuite } from '../http/hub-suite.js'
import { startBeside } from '../http/support.js'

const run = promisify(execFile)
const load = { isOverloaded: false, stop() {} }
const guard: LoadGuard = load
const { test, world } = hubSuite('the typed client', sqlite, { guard })

const connect = (options: Partial<ClientOptions> = {}) =>
  connectHub({ url: world.hub.url, token: world.owner.token, ...options })

/** The error that a promise is rejected with. */
async function thrown(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => assert.unreachable('It must fail.'),
    (error: unknown) => error
  )
}

test('it makes, reads, changes and deletes a collection', async () => {
  const hub = connect()
  const { id } = (await hub.request('POST', '/collections', { body: { name: 'Payments' } })).body
  const all = await hub.request('GET', '/collections')
  assert.ok(all.body.collections.some((one) => one.id === id && one.name === 'Payments'))
  const read = await hub.request('GET', '/collections/{id}', { path: { id } })
  const change = { path: { id }, body: { ...read.body, name: 'Refunds' } }
  const changed = await hub.request('PUT', '/collections/{id}', { ...change, ifMatch: read.etag ?? '' })
  assert.is(changed.body.name, 'Refunds')
  const late = await thrown(hub.request('PUT', '/collections/{id}', { ...change, ifMatch: read.etag ?? '' }))
  assert.is(late instanceof HubRequestError && late.status, 412)
  assert.is((await hub.request('DELETE', '/collections/{id}', { path: { id } })).body, undefined)
})

test('a file comes as its bytes and its name, also where it is JSON', async () => {
  const hub = connect()
  const { id } = (await hub.request('POST', '/collections', { body: { name: 'As files' } })).body
  const zip = await hub.download('/collections/{id}/export', { path: { id }, query: { format: 'bruno' } })
  assert.equal([zip.body.name, zip.body.type], ['As-files.bruno.zip', 'application/zip'])
  assert.equal([...zip.body.bytes.subarray(0, 2)], [...Buffer.from('PK')])
  const json = await hub.download('/collections/{id}/export', { path: { id }, query: { format: 'postman' } })
  assert.is(JSON.parse(Buffer.from(json.body.bytes).toString()).info.name, 'As files')
  const none = { path: { id: 'none' }, query: { format: 'har' } } as const
  const refused = await thrown(hub.download('/collections/{id}/export', none))
  assert.is(refused instanceof HubRequestError && refused.message, 'Collection not found')
})

test('a file comes in the form that is asked for, of an answer that has several', async () => {
  const { body } = await connect({ token: world.hub.admin.token }).download('/admin/llm/usage', {
    query: { by: 'day' },
    accept: 'text/csv'
  })
  assert.match(body.type ?? '', /^text\/csv/)
  assert.match(Buffer.from(body.bytes).toString(), /^from,to,day,name,/)
})

test('a refusal tells its status, its text and its request', async () => {
  const refused = await thrown(connect().request('GET', '/folders/{id}', { path: { id: 'a/b' } }))
  if (!(refused instanceof HubRequestError)) throw refused
  assert.equal([refused.status, refused.message, refused.problem.error], [404, 'Folder not found', 'Folder not found'])
  assert.type(refused.requestId, 'string')
})

test('a refusal tells everything that is wrong with the fields', async () => {
  const body = { name: '', code: 'x', scope: 'never' as 'any' }
  const refused = await thrown(connect().request('POST', '/snippets', { body }))
  if (!(refused instanceof HubRequestError)) throw refused
  const { errors } = refused.problem as { readonly errors: readonly { readonly path: string }[] }
  assert.equal(
    errors.map(({ path }) => path),
    ['name', 'scope']
  )
})

test('a GET that gets 503 is repeated when the hub says', async () => {
  const statuses: number[] = []
  load.isOverloaded = true
  const observed: typeof fetch = async (...call) => {
    const response = await fetch(...call)
    statuses.push(response.status)
    load.isOverloaded = false
    return response
  }
  const started = performance.now()
  await connect({ fetch: observed }).request('GET', '/collections')
  assert.equal(statuses, [503, 200])
  assert.ok(performance.now() - started >= 1000, 'Retry-After is a second')
})

test('what directories say and are told has its typed form too', async () => {
  const sent: unknown[] = []
  const directory: typeof fetch = async (_, init) => {
    sent.push(JSON.parse(String(init?.body)))
    return Response.json(
      { id: 'u-1' },
      { status: 201, headers: { 'content-type': 'application/scim+json; charset=utf-8' } }
    )
  }
  const { body } = await connect({ fetch: directory }).request('POST', '/scim/v2/Users', { body: { userName: 'ada' } })
  assert.equal([sent, body.id], [[{ userName: 'ada' }], 'u-1'])
})

test('a request that is to be tried once is', async () => {
  load.isOverloaded = true
  const refused = await thrown(connect().request('GET', '/collections', { attempts: 1 }))
  load.isOverloaded = false
  assert.is(refused instanceof HubRequestError && refused.status, 503)
})

/** Sends each request, and loses the answer of the first. */
function losing(methods: string[]): typeof fetch {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (methods.push(init?.method ?? '') > 1) return response
    await response.arrayBuffer()
    throw new TypeError('The connection broke.')
  }
}

test('a POST whose answer is lost is carried out once', async () => {
  const methods: string[] = []
  const hub = connect({ fetch: losing(methods) })
  const { body } = await hub.request('POST', '/collections', { body: { name: 'Once only' } })
  const { collections } = (await hub.request('GET', '/collections')).body
  assert.equal(methods, ['POST', 'POST', 'GET'])
  assert.equal(
    collections.filter(({ name }) => name === 'Once only').map(({ id }) => id),
    [body.id]
  )
})

test('a DELETE whose answer is lost is not sent again', async () => {
  const id = await world.collection()
  const methods: string[] = []
  const hub = connect({ fetch: losing(methods) })
  const lost = await thrown(hub.request('DELETE', '/collections/{id}', { path: { id } }))
  assert.instance(lost, HubUnreachableError)
  assert.equal(methods, ['DELETE'])
})

/** A hub that takes requests and answers none. */
const silent: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
  })

test('an attempt that takes too long is given up, and the request after as many as are allowed', async () => {
  let attempts = 0
  const counted: typeof fetch = (...call) => {
    attempts++
    return silent(...call)
  }
  const hub = connect({ fetch: counted, timeout_ms: 20, attempts: 2 })
  assert.instance(await thrown(hub.request('GET', '/collections')), HubUnreachableError)
  assert.is(attempts, 2)
})

test('a signal ends a request with its reason', async () => {
  const stop = new AbortController()
  const request = thrown(connect({ fetch: silent }).request('GET', '/collections', { signal: stop.signal }))
  stop.abort('enough')
  assert.is(await request, 'enough')
})

test('who is blocked for longer than a minute is told, and does not wait', async () => {
  const blocked: typeof fetch = async () =>
    new Response('{"error":"Too Many Requests"}', { status: 429, headers: { 'retry-after': '900' } })
  const refused = await thrown(connect({ fetch: blocked }).request('GET', '/collections'))
  assert.is(refused instanceof HubRequestError && refused.retryAfter_ms, 900_000)
})

test('who waits for no more than a while is told by when the hub wants to be asked again', async () => {
  const blocked: typeof fetch = async () =>
    new Response('{"error":"Later"}', { status: 503, headers: { 'retry-after': '60' } })
  const refused = await thrown(connect({ fetch: blocked, retryAfterMost_ms: 5_000 }).request('GET', '/collections'))
  assert.is(refused instanceof HubRequestError && refused.retryAfter_ms, 60_000)
})

test('the feed goes on behind the last change when the hub has started anew', async () => {
  let beside = await startBeside(world.hub)
  const moved: typeof fetch = (url, init) => fetch(String(url).replace('http://hub', beside.url), init)
  const hub = connect({ url: 'http://hub', fetch: moved })
  const stop = new AbortController()
  const after = world.position()
  const feed = hub.changes({ after: String(after), signal: stop.signal })
  try {
    const made = await world.collection()
    const first = await feed.next()
    assert.equal([first.value?.id, first.value?.position], [made, after + 1])
    await beside.close()
    const between = await world.collection()
    beside = await startBeside(world.hub)
    const second = await feed.next()
    assert.equal([second.value?.id, second.value?.position], [between, after + 2])
    const third = feed.next()
    const last = await world.collection()
    assert.is((await third).value?.id, last)
    stop.abort('enough')
    assert.is(await thrown(feed.next()), 'enough')
  } finally {
    await beside.close()
  }
})

test('the feed goes on where a page of changes ends, by what the page says', async () => {
  const hub = connect()
  const { body: page } = await hub.request('GET', '/changes', { query: { after: String(world.position()) } })
  const made = await world.collection()
  const stop = new AbortController()
  const feed = hub.changes({ after: page.cursor, signal: stop.signal })
  assert.is((await feed.next()).value?.id, made)
  await feed.return()
})

test('the feed tells where it is also while nothing happens, and another one goes on from there', async () => {
  const hub = connect()
  const places: string[] = []
  const stop = new AbortController()
  const waiting = thrown(hub.changes({ signal: stop.signal, reached: (place) => places.push(place) }).next())
  while (places.length === 0) await setTimeout(10)
  stop.abort('enough')
  assert.is(await waiting, 'enough')
  const made = await world.collection()
  const feed = hub.changes({ after: places[0] ?? '' })
  assert.is((await feed.next()).value?.id, made)
  await feed.return()
})

test('the feed goes on where it was once a proxy, or a hub that is not ready, lets it through again', async () => {
  const statuses = [502, 503, 504]
  const proxy: typeof fetch = async (...call) => {
    const status = statuses.shift()
    return status === undefined ? fetch(...call) : new Response('', { status, headers: { 'retry-after': '900' } })
  }
  const feed = connect({ fetch: proxy }).changes({ after: String(world.position()) })
  const made = await world.collection()
  assert.is((await feed.next()).value?.id, made)
  assert.equal(statuses, [])
  await feed.return()
})

test('the feed does not come back before the hub wants it to', async () => {
  let asked = 0
  const refusing = async () => {
    asked++
    return new Response('{}', { status: 429, headers: { 'retry-after': '30' } })
  }
  const over = new AbortController()
  const next = thrown(connect({ fetch: refusing }).changes({ signal: over.signal }).next())
  await setTimeout(1500)
  over.abort(new Error('enough'))
  assert.match(String(await next), 'enough')
  assert.is(asked, 1)
})

test('a feed that is refused ends with the refusal', async () => {
  const refused = await thrown(connect({ token: 'hbk_unknown' }).changes({ after: '0' }).next())
  assert.is(refused instanceof HubRequestError && refused.status, 401)
})

test('it draws a key for exactly the POSTs that take one', () => {
  const posts = world.hub.declared.filter(({ method }) => method === 'POST')
  assert.equal(
    [...WITHOUT_KEY].toSorted(),
    posts.flatMap(({ url, description }) => (description.takesKey ? [] : [pathOf(url)])).toSorted()
  )
})

test('its types are those of the description: npm run docs writes them', async () => {
  const cwd = fileURLToPath(new URL('../../../clients/typescript/', import.meta.url))
  await run('npm', ['run', '--silent', 'types', '--', '--check'], { cwd })
})

test.run()
