import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { type Call, errorOf, type Reply } from '../http/client.js'
import { sqlite } from '../http/drivers.js'
import { addressOf, type Endpoint } from '../http/endpoint.js'
import { endpoints } from '../http/endpoints/index.js'
import { anonymous } from '../http/routes.js'
import type { Account, TestHub } from '../http/support.js'
import { World } from '../http/world.js'
import { named, type Teams, teamsSuite } from './support.js'

/** A word that stands in what one tenant has, and nowhere else. */
const wordOf = (tenant: string) => `Quokka of ${tenant}.`
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const SECRET = /hb[kit]_[\w-]{49}/g
const MARKED = ['name', 'label', 'body', 'description'] as const

/** Somebody's log, and whose requests go to it. */
interface Side {
  readonly tenant: string
  readonly world: World
  end(): Promise<number>
}

let teams: Teams
let itself: Side
let a: Side
let b: Side
/** What the answers to each side's own requests have told. */
const seen = new Map<string, Set<string>>()

const test = teamsSuite('what one tenant can learn of another', sqlite, async (made) => {
  teams = made
  const { hub } = made
  itself = {
    tenant: '__default__',
    world: await World.of(watched(hub, '__default__')),
    end: () => endOf('__default__')
  }
  const [one, other] = [await made.tenant('alpha'), await made.tenant('beta')]
  a = { tenant: 'alpha', world: await World.of(watched(one, 'alpha')), end: () => endOf('alpha') }
  b = { tenant: 'beta', world: await World.of(watched(other, 'beta')), end: () => endOf('beta') }
})

async function endOf(tenant: string): Promise<number> {
  if (tenant === '__default__') {
    await teams.hub.hub.ledger.readModel.current()
    return teams.hub.hub.ledger.readModel.head.position
  }
  const lease = await teams.hub.tenants?.enter(tenant)
  if (!lease) throw new Error(`There is no tenant ${tenant}`)
  try {
    await lease.hub.ledger.readModel.current()
    return lease.hub.ledger.readModel.head.position
  } finally {
    lease.leave()
  }
}

/** A hub whose records all carry the word, and whose ids and secrets are noted. */
function watched<T extends TestHub>(hub: T, tenant: string): T {
  const ids = new Set([hub.admin.id, hub.admin.tokenId, hub.admin.token])
  seen.set(tenant, ids)
  const note = (text: string) => {
    for (const id of idsIn(text)) ids.add(id)
  }
  return {
    ...hub,
    async send(call: Call) {
      const sent = { ...call, ...(call.body !== undefined && { body: marked(call.body, wordOf(tenant)) }) }
      const reply = await hub.send(sent)
      if (reply.status < 400) note(reply.text)
      return reply
    }
  }
}

function idsIn(text: string): readonly string[] {
  return [...(text.match(UUID) ?? []), ...(text.match(SECRET) ?? [])]
}

function marked(body: unknown, word: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const own: Record<string, unknown> = { ...body }
  for (const key of MARKED) if (typeof own[key] === 'string') own[key] = `${own[key]} ${word}`
  return own
}

/** The same request, about things that are nowhere. */
function strange(call: Call): { readonly call: Call; readonly given: ReadonlyMap<string, string> } {
  const given = new Map<string, string>()
  const without = (text: string) =>
    text.replace(UUID, (id) => {
      const other = given.get(id) ?? randomUUID()
      given.set(id, other)
      return other
    })
  const { path, body } = call
  return {
    call: {
      ...call,
      path: without(path),
      ...(body !== undefined && { body: JSON.parse(without(JSON.stringify(body))) })
    },
    given
  }
}

/** A refusal as it would be of the things that the first request named. */
function told({ text }: Reply, given: ReadonlyMap<string, string>): string {
  let same = text
  for (const [id, other] of given) same = same.replaceAll(other, id)
  return same
}

function assertNothingOf(other: Side, sent: Call, reply: Reply): void {
  const what = `${sent.method} ${sent.path}: ${reply.status} ${reply.text.slice(0, 300)}`
  assert.not.ok(reply.text.includes(wordOf(other.tenant)), what)
  const own = new Set(idsIn(`${sent.path} ${JSON.stringify(sent.body ?? '')}`))
  const ids = seen.get(other.tenant) ?? new Set()
  const leaked = idsIn(reply.text).filter((id) => ids.has(id) && !own.has(id))
  assert.equal(leaked, [], what)
}

const plain = (side: Side): readonly Account[] => [side.world.owner, side.world.admin]

async function crossed(endpoint: Endpoint, from: Side, to: Side): Promise<void> {
  const sample = await endpoint.sample(to.world)
  const before = await to.end()
  const call = { ...addressOf(endpoint, sample), body: marked(sample.body, wordOf(from.tenant)) }
  for (const { token } of plain(from)) {
    const headers = { ...sample.headers, ...named(from.tenant) }
    const sent = { ...call, token, headers }
    const [reply, twin] = [await teams.hub.send(sent), strange(sent)]
    assertNothingOf(to, sent, reply)
    const other = await teams.hub.send(twin.call)
    assert.is(reply.status, other.status, `${reply.text} / ${other.text}`)
    if (reply.status >= 400) assert.is(reply.text, told(other, twin.given))
  }
  assert.is(await to.end(), before, `the log of ${to.tenant} has changed`)
}

const rows = new Map(endpoints.map((endpoint) => [anonymous(endpoint.row), endpoint]))

test('every route of the hub is asked below', () => {
  const declared = teams.hub.declared.filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS')
  const missing = declared.map(({ method, url }) => `${method} ${url}`).filter((row) => !rows.has(anonymous(row)))
  assert.equal(missing, [])
})

// Whoever signs out is at no tenant any more: that a token is let in at its own alone is told below.
for (const endpoint of endpoints.filter(({ row }) => row !== 'POST /auth/sign-out')) {
  test(`${endpoint.row} of one tenant says nothing of another, nor of the hub itself`, async () => {
    for (const [from, to] of [
      [a, b],
      [itself, b],
      [a, itself]
    ] as const)
      await crossed(endpoint, from, to)
  })
}

test('tokens of one tenant are unknown at another on every route', async () => {
  const before = await a.end()
  const guarded = endpoints.filter(({ access }) => access !== 'public')
  const wrong = [b.world.owner, b.world.admin, itself.world.owner, itself.world.admin]
  await Promise.all(
    guarded.flatMap((endpoint) =>
      wrong.map(async ({ token }) => {
        const { method, path } = addressOf(endpoint, {})
        const reply = await teams.hub.send({ method, path, token, headers: named('alpha') })
        assert.equal([reply.status, errorOf(reply)], [401, 'Unauthorized'], endpoint.row)
      })
    )
  )
  assert.is(await a.end(), before)
})

test.run()
