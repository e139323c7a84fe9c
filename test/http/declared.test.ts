import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { type Call, errorOf, fields, type Reply, records } from './client.js'
import { sqlite } from './drivers.js'
import { addressOf, type Endpoint, type Sent, senderOf } from './endpoint.js'
import { endpoints } from './endpoints/index.js'
import { hubSuite } from './hub-suite.js'
import { succeeded } from './world.js'
import { schemaOf, type Wrong, withWrong, wrongIn, wrongInQuery } from './wrong.js'

// What a route declares is held against requests above the storage, so one driver tells it for all.
const { test, world } = hubSuite('what follows from what a route declares', sqlite)

/** A way to send the sample of a route, with these parts otherwise. */
async function sender(endpoint: Endpoint) {
  const sample = await endpoint.sample(world)
  const { token } = (await senderOf(endpoint, sample, world)) ?? {}
  const send = (other: Sent & Partial<Pick<Call, 'method'>> = {}) => {
    const { body, headers = {} } = { ...sample, ...other }
    const address = { ...addressOf(endpoint, { ...sample, ...other }), ...(other.method && { method: other.method }) }
    return world.hub.send({ ...address, token, body, headers })
  }
  return { sample, send }
}
const isOf = (row: Endpoint['row'], pattern: RegExp) => pattern.test(row)

/** What there is none of, by the beginning of a path. */
const OFF = 'Programs get no tokens by themselves here: the configuration has no section authorization.'
const THINGS: readonly (readonly [row: RegExp, error: string])[] = [
  [/^\w+ \/(run-results|requests|collections|folders)\/:id\/discussions/, 'Target entity not found'],
  [/\/(devices|admin\/device-keys)\/:id$/, 'Device not found'],
  [/\/admin\/invitations\//, 'Invitation not found or not revocable.'],
  [/\/(auth\/questions|oauth\/authorize)\//, OFF],
  [/\/auth\/sign-in\//, 'There is no such way to sign in.'],
  [/\/(admin|auth)\/sign-ins\//, 'Sign-in not found'],
  [/\/auth\/users\//, 'Avatar image not found'],
  [/\/scim\/v2\/Users\//, 'User not found'],
  [/\/admin\/llm\/budgets\//, 'Budget not found'],
  [/\/(admin\/groups|scim\/v2\/Groups)\//, 'Group not found'],
  [/\/admin\/users\//, 'User not found'],
  [/\/(admin|auth)\/tokens\//, 'Token not found'],
  [/\/discussion-comments\//, 'Discussion comment not found'],
  [/\/discussion-threads\//, 'Discussion thread not found'],
  [/\/notices\//, 'Notice not found'],
  [/\/webhooks\//, 'Webhook not found'],
  [/\/run-results\//, 'Run result not found'],
  [/\/(docs|console\/assets)\//, 'File not found'],
  [/\/ResourceTypes\//, 'Resource type not found'],
  [/\/Schemas\//, 'Schema not found'],
  [/\/collections\//, 'Collection not found'],
  [/\/environments\//, 'Environment not found'],
  [/\/snippets\//, 'Snippet not found'],
  [/\/live-servers\//, 'Live server not found'],
  [/\/live-pages\//, 'Live page not found'],
  [/\/folders\//, 'Folder not found'],
  [/\/requests\//, 'Request not found'],
  [/\/documents\//, 'Document not found']
]
/** Lists of a collection that does not exist are empty, and nobody takes part in what there is not. */
const NOTHING_THERE = /^GET \/collections\/:collectionId\/\w+$|\/discussion-threads\/:id\/(subscription|unsubscribe)$/
/** What is named by something else than an id. */
const NAMED_OTHERWISE = /\/:(position|address|mlsGroupId)$/
/** Models have names of their own; on this hub there are none, whatever is asked for. */
const OF_MODELS = /\/v1\/models\//
/** Parts of a path that could be an id, though nothing has it. */
const STRANGE_IDS = ['__proto__', '..%2F..%2Fadmin']
/** Parts of a path that cannot be an id, as they stand in the URL. */
const NO_IDS = ['%00', 'a%20b', '%zz', 'a'.repeat(65), 'a'.repeat(300)]

function planIds(endpoint: Endpoint): void {
  const { row, route } = endpoint
  if (!route.input.params || isOf(row, OF_MODELS)) return
  const error = THINGS.find(([pattern]) => isOf(row, pattern))?.[1]
  test(`${row} with an id that nobody has is 404, with a strange one too, and with what cannot be one 400`, async () => {
    const { sample, send } = await sender(endpoint)
    const named = (id: string) =>
      send({ params: Object.fromEntries(Object.keys(sample.params ?? {}).map((name) => [name, id])) })
    if (!isOf(row, NAMED_OTHERWISE)) {
      const id = randomUUID()
      const unknown = await named(id)
      assert.is(unknown.status, isOf(row, NOTHING_THERE) ? 200 : 404, unknown.text)
      if (unknown.status === 404) assert.is(errorOf(unknown), error)
      for (const strange of STRANGE_IDS) {
        const { status, text } = await named(strange)
        assert.equal([status, text.replace(decodeURIComponent(strange), id)], [unknown.status, unknown.text], strange)
      }
    }
    // Files of pages have names, which are known or not.
    if (error === 'File not found') return
    for (const part of NO_IDS) await world.refused(part.length > 200 ? 414 : 400, () => named(part))
  })
}

const PROBLEM_KEYS = ['type', 'title', 'status', 'detail', 'instance', 'errors']
const PROBLEM = { accept: 'application/problem+json' }

/** Asserts that a request is refused for what is wrong with it, and changes nothing. */
async function assertFault(part: 'body' | 'query', { path, value }: Wrong, send: () => Promise<Reply>): Promise<void> {
  const what = `${path.join('.')} as ${JSON.stringify(value)?.slice(0, 100)}`
  const before = world.position()
  const reply = await send()
  assert.is(reply.status, 400, `${what}: ${reply.status} ${reply.text.slice(0, 500)}`)
  assert.is(world.position(), before, what)
  assert.ok(errorOf(reply, PROBLEM_KEYS).length < 200, what)
  // Routes that speak otherwise say what is wrong as a text alone.
  if (reply.headers['content-type'] !== PROBLEM.accept) return
  const faults = records(reply, 'errors').map((fault) => `${fault.in} ${fault.path}`)
  assert.ok(faults.length > 0 && faults.every((one) => one.startsWith(`${part} ${path[0]}`)), `${what}: ${faults}`)
}

function planBodies(endpoint: Endpoint): void {
  const { row, route } = endpoint
  // What is wrong with a message of an agent is answered in its protocol: test/agents/.
  if (!route.input.body || row === 'POST /mcp') return
  const schema = schemaOf(route.input.body)
  test(`${row}: every field of another type, beyond its bounds or missing is 400`, async () => {
    const { sample, send } = await sender(endpoint)
    for (const wrong of wrongIn(schema))
      await assertFault('body', wrong, () => send({ body: withWrong(sample.body, wrong), headers: PROBLEM }))
  })
}

/** What a parameter of a query may not be, though its schema is a text: by its name. */
const NONSENSE: Readonly<Record<string, readonly string[]>> = {
  at: ['yesterday', '99999999'],
  cursor: ['nonsense'],
  fields: ['id,colour', '', '__proto__'],
  from: ['yesterday'],
  to: ['yesterday'],
  kind: ['request,user']
}

function planQueries(endpoint: Endpoint): void {
  if (!endpoint.route.input.query) return
  const schema = schemaOf(endpoint.route.input.query)
  const names = Object.keys(schema.properties ?? {}).filter((name) => name !== 'ticket')
  test(`${endpoint.row}: a query that is none, or twice, is 400`, async () => {
    const { sample, send } = await sender(endpoint)
    const wrong = [
      ...[...wrongInQuery(schema)].filter(({ path: [name = ''] }) => names.includes(name)),
      ...names.flatMap((name) => (NONSENSE[name] ?? []).map((value) => ({ path: [name], value })))
    ]
    for (const { path, value } of wrong) {
      const query = new URLSearchParams(sample.query)
      query.delete(path[0] ?? '')
      if (value !== undefined) query.append(path[0] ?? '', String(value))
      await world.refused(400, () => send({ query: String(query) }))
    }
    for (const name of names) {
      const query = new URLSearchParams([...new URLSearchParams(sample.query), [name, '1'], [name, '2']])
      await world.refused(400, () => send({ query: String(query) }))
    }
  })
}

const NAME_EMPTY = 'Name must not be empty.'
const NAME_BROKEN = 'Name must not contain NUL or broken characters.'
const NAME_TOO_LONG = 'Name must be at most 500 characters long.'

function planNames(endpoint: Endpoint): void {
  const { input, description } = endpoint.route
  const { body: schema } = input
  // In other dialects a name is something else.
  if (!schema || !schemaOf(schema).properties?.name || description.speaks) return
  test(`${endpoint.row}: a name holds 500 characters in composed form, no NUL and no half characters`, async () => {
    const { sample, send } = await sender(endpoint)
    const body = (name: unknown) => ({ body: { ...fields(sample.body), name } })
    for (const [name, error] of [
      ['', NAME_EMPTY],
      [' \t\n', NAME_EMPTY],
      ['a\0b', NAME_BROKEN],
      ['a\u{dfff}b', NAME_BROKEN],
      ['x'.repeat(501), NAME_TOO_LONG],
      [7, 'Name must be a string.']
    ] as const)
      await world.refused(400, () => send(body(name)), error)
    const unique = randomUUID()
    for (const odd of [unique.padEnd(500, 'x'), '😀'.repeat(230), 'Ame\u{301}lie', `"'; DROP TABLE x;--`]) {
      const name = odd.includes(unique) ? odd : unique + odd
      const { user, token, ...record } = fields(succeeded(await send(body(name))).body)
      assert.is(fields(user ?? token ?? record).name, name.normalize('NFC'))
    }
  })
}

function planKeys(endpoint: Endpoint): void {
  const { row, route } = endpoint
  if (!row.startsWith('POST') || route.description.takesKey !== false || endpoint.access === 'public') return
  if (route.description.ignoresKey) return
  test(`${row} with an Idempotency-Key, which cannot be honoured, is 400`, async () => {
    const { send } = await sender(endpoint)
    const keyed = () => send({ headers: { 'idempotency-key': 'once' } })
    await world.refused(
      400,
      keyed,
      'This request cannot be made repeatable. Send it without the Idempotency-Key header.'
    )
  })
}

/** What opens the hub, or signs in its name. */
const SECRET = /\b(hb[ki]_[\w-]{49}|whsec_)/

function planSecrets({ row, route, ...endpoint }: Endpoint): void {
  const { takesKey, answers } = route.description
  if (!takesKey) return
  const showsSecret = Object.values(answers).some((one) => one instanceof z.ZodObject && 'secret' in one.shape)
  test(`${row} ${showsSecret ? 'shows its secret once' : 'shows no secret'}, whatever comes under its key again`, async () => {
    const { sample, send } = await sender({ row, route, ...endpoint })
    const headers = { ...sample.headers, 'idempotency-key': randomUUID() }
    const first = await send({ headers })
    assert.is(SECRET.test(first.text), showsSecret, first.text)
    if (showsSecret) await world.refused(409, () => send({ headers }), /its secret was shown once/)
  })
}

const CHANGED = 'This record has changed since it was read. Read it again, then repeat the change.'
function planTags(endpoint: Endpoint): void {
  if (!endpoint.route.description.takesIfMatch) return
  test(`${endpoint.row} with an If-Match that is none of the record is 412, and with * it goes through`, async () => {
    const { send } = await sender(endpoint)
    for (const tag of ['"0"', '"0", "x"', '"no revision"', 'W/"1"', ''])
      await world.refused(412, () => send({ headers: { 'if-match': tag } }), CHANGED)
    succeeded(await send({ headers: { 'if-match': '*' } }))
  })
}

function planReads(endpoint: Endpoint): void {
  const { row, success, route } = endpoint
  if (!row.startsWith('GET') || success !== 200) return
  if (route.description.isTagged)
    test(`${row} is answered with 304 to who has its tag`, async () => {
      const { send } = await sender(endpoint)
      const told = async () => {
        const { etag = '' } = succeeded(await send()).headers
        assert.match(etag, /^(W\/)?"[^"]+"$/)
        const strong = etag.replace(/^W\//, '')
        const known = [strong, `W/${strong}`, `"other", ${etag}`, '*']
        const replies = await Promise.all(known.map((one) => send({ headers: { 'if-none-match': one } })))
        return replies.every(({ status, text, headers }) => status === 304 && text === '' && headers.etag === etag)
      }
      // Between the answers the minute may pass in which a token was used last, which its list tells: once.
      assert.ok((await told()) || (await told()))
      assert.is((await send({ headers: { 'if-none-match': '"other"' } })).status, 200)
    })
  test(`HEAD works where ${endpoint.row} does`, async () => {
    const { send } = await sender(endpoint)
    const asked = async () => [await send(), await send({ method: 'HEAD' })] as const
    const isSame = ([got, head]: Awaited<ReturnType<typeof asked>>) => {
      assert.equal([head.status, head.text], [200, ''])
      assert.is(head.headers['content-type'], got.headers['content-type'])
      // What is never the same twice has another length each time.
      const steady = got.headers['cache-control'] === 'no-store' ? [] : ['content-length', 'etag']
      return steady.every((name) => head.headers[name] === got.headers[name])
    }
    assert.ok(isSame(await asked()) || isSame(await asked()))
  })
}

function planCaches({ row, ...endpoint }: Endpoint): void {
  if (!row.startsWith('GET') || endpoint.access === 'public') return
  test(`${row} is kept by no cache that serves others too, whether it is answered or refused`, async () => {
    const { send } = await sender({ row, ...endpoint })
    for (const { headers } of [await send(), await send({ query: 'fields=&limit=x' })])
      assert.match(headers['cache-control'] ?? '', /private|no-cache|no-store/)
  })
}

// Route by route, since those of encrypted discussions, which come last, leave the hub with such.
for (const endpoint of endpoints)
  for (const plan of [
    planIds,
    planBodies,
    planQueries,
    planNames,
    planKeys,
    planSecrets,
    planTags,
    planReads,
    planCaches
  ])
    plan(endpoint)

test.run()
