import * as assert from 'uvu/assert'
import { covers, SCOPES, type Scope } from '../../commands/people/token/scopes.js'
import type { Role } from '../../commands/people/user/events.js'
import { type Needs, ROLES_OF } from '../../src/http/access.js'
import { eachOf, errorOf, fields, holds, type Reply, records, text } from './client.js'
import { livePageContent, liveServerContent, snippetContent } from './content.js'
import { usualDrivers } from './drivers.js'
import { addressOf, type Endpoint, type Sample, sampleAgain } from './endpoint.js'
import { endpoints } from './endpoints/index.js'
import { hubSuite } from './hub-suite.js'
import type { Account } from './support.js'
import { statusFor, type Who } from './who.js'
import { succeeded, type World } from './world.js'

/** What stands in no collection: the path of its list, what that calls it, and one of it. */
const OTHERS = [
  ['environments', 'environments', { name: 'Staging' }],
  ['snippets', 'snippets', snippetContent],
  ['live-servers', 'liveServers', liveServerContent],
  ['live-pages', 'livePages', livePageContent]
] as const

/** An account of each role: of users the one that has made what requests are about. */
const ROLES = {
  user: 'the creator',
  admin: 'an administrator',
  accountAdmin: 'an administrator of accounts',
  auditor: 'an auditor'
} as const satisfies Readonly<Record<Role, Who>>
const roles: readonly Role[] = ['user', 'admin', 'accountAdmin', 'auditor']
/** Every token: a role, and the one scope that it is limited to. */
const tokens = roles.flatMap((role) => SCOPES.map((scope) => ({ role, scope })))
type Limited = (typeof tokens)[number]

const refusalOf = (needs: Needs) =>
  needs === 'all'
    ? 'This token is limited to its scopes, and this takes one without scopes.'
    : `This token is limited to its scopes, and this takes the scope "${needs}".`

const allows = (needs: Needs, scope: Scope) => needs === 'none' || (needs !== 'all' && covers([scope], needs))

/** True where an operation serves accounts of a role. */
function serves({ route }: Endpoint, role: Role): boolean {
  const served: readonly Role[] = ROLES_OF[route.description.access.who]
  return served.includes(role)
}

/** A token of an account that is limited to some scopes. */
async function limited(world: World, { id }: Pick<Account, 'id'>, scopes: readonly string[]): Promise<string> {
  const body = { name: scopes.join(' '), scopes }
  return text(succeeded(await world.by(world.admin).post(`/admin/users/${id}/tokens`, body)).body, 'secret')
}

/** Refused: by the role whatever the scope, and else by the scope. */
function assertRefused({ route }: Endpoint, isServed: boolean, reply: Reply, who: string): void {
  const { needs } = route.description.access
  assert.is(reply.status, 403, `${who}: ${reply.status} ${reply.text}`)
  assert.is(errorOf(reply), isServed ? refusalOf(needs) : 'Forbidden', who)
  const scope = needs === 'all' ? '' : `, scope="${needs}"`
  const challenge = isServed ? `Bearer error="insufficient_scope"${scope}` : undefined
  assert.is(reply.headers['www-authenticate'], challenge, who)
}

for (const driver of usualDrivers) {
  const secrets = new Map<string, string>()
  const { test, world } = hubSuite('what limited tokens may do', driver)
  test.before(async () => {
    const [accountAdmin, auditor] = await Promise.all([world.user({}, 'accountAdmin'), world.user({}, 'auditor')])
    const accounts: Readonly<Record<Role, Account>> = { user: world.owner, admin: world.admin, accountAdmin, auditor }
    for (const { role, scope } of tokens) secrets.set(`${role} ${scope}`, await limited(world, accounts[role], [scope]))
  })
  const send = (endpoint: Endpoint, sample: Sample, { role, scope }: Limited) =>
    world.hub.send({ ...addressOf(endpoint, sample), body: sample.body, token: secrets.get(`${role} ${scope}`) })

  // A token with scopes revokes itself alone: see below.
  const tabled = endpoints.filter(({ access, row }) => access !== 'public' && row !== 'DELETE /auth/tokens/:id')
  for (const endpoint of tabled) {
    const { needs } = endpoint.route.description.access
    const scopes = SCOPES.filter((scope) => allows(needs, scope))
    const served = roles.filter((role) => serves(endpoint, role))
    const isOpen = ({ role, scope }: Limited) => served.includes(role) && scopes.includes(scope)
    test(`${endpoint.row} with ${scopes.join(' or ') || 'no scope'} alone, of ${served.join(' or ')}`, async () => {
      // What is refused changes nothing, so one sample serves all who are.
      const untouched = await endpoint.sample(world)
      const before = world.position()
      const closed = tokens.filter((one) => !isOpen(one))
      const replies = await Promise.all(
        closed.map(async (one) => ({ one, reply: await send(endpoint, untouched, one) }))
      )
      for (const { one, reply } of replies)
        assertRefused(endpoint, served.includes(one.role), reply, `${one.role} ${one.scope}`)
      assert.is(world.position(), before, 'a refusal has changed something')
      for (const one of tokens.filter(isOpen)) {
        const sample = await sampleAgain(endpoint, untouched, world)
        const { status, text } = await send(endpoint, sample, one)
        assert.is(status, statusFor(endpoint, ROLES[one.role]), `${one.role} ${one.scope}: ${text}`)
        assert.not.match(text, /limited to its scopes/)
      }
    })
  }

  test('a token for one collection sees and changes nothing else', async () => {
    const [mine, other] = [await world.collection(), await world.collection()]
    const token = await limited(world, world.owner, ['write', `collection:${mine}`])
    const by = world.by({ ...world.owner, token })
    const { collections } = fields((await by.get('/collections')).body)
    assert.equal(Array.isArray(collections) && collections.map((one) => fields(one).id), [mine])
    assert.is((await by.post(`/collections/${mine}/folders`, { name: 'Here' })).status, 200)
    await world.refused(403, () => by.post(`/collections/${other}/folders`, { name: 'There' }), 'Forbidden')
    await world.refused(403, () => by.post('/collections', { name: 'New' }), 'Forbidden')
    assert.equal(fields((await by.get('/environments')).body).environments, [])
    const { capabilities, mayCreate, token: own } = fields((await by.get('/auth/session')).body)
    holds(capabilities, { dataApi: true, managementApi: false, llm: false, communication: true })
    assert.equal([mayCreate, fields(own).scopes], [[], ['write', `collection:${mine}`]])
    const ofAll = 'This token is limited to collections, and this is of all of them.'
    await world.refused(403, () => by.post('/notices/read-all', {}), ofAll)
    await world.refused(403, () => by.put('/me/notification-settings', { level: 'none' }), ofAll)
  })

  test('an administrator who works on records has no more of them than the token names', async () => {
    const mine = await world.collection()
    const token = await limited(world, world.admin, ['read', `collection:${mine}`])
    const { body } = await world.by({ ...world.admin, token }).get('/search?q=Collection')
    const { results } = fields(body)
    assert.ok(
      Array.isArray(results) && results.every((one) => JSON.stringify(one).includes(mine)),
      JSON.stringify(body)
    )
  })

  test('an administrator’s token for one collection lists that one, and nothing that stands in none', async () => {
    const mine = await world.collection()
    await world.collection()
    for (const [path, , one] of OTHERS) await world.make(path, one)
    const token = await limited(world, world.admin, ['read', `collection:${mine}`])
    const by = world.by({ ...world.admin, token })
    for (const query of ['', '?limit=100']) {
      assert.equal(eachOf(records(await by.get(`/collections${query}`), 'collections'), 'id'), [mine])
      for (const [path, plural] of OTHERS) assert.equal(records(await by.get(`/${path}${query}`), plural), [], path)
    }
  })

  test('a token with scopes ends itself and no other, whoever it is of', async () => {
    for (const { role, scope } of tokens) {
      const own = await world.user({}, role)
      const token = await limited(world, own, [scope])
      const by = world.by({ ...own, token })
      const { id } = fields(fields((await by.get('/auth/session')).body).token)
      await world.refused(403, () => by.delete(`/auth/tokens/${own.tokenId}`), refusalOf('all'))
      assert.is((await by.delete(`/auth/tokens/${id}`)).status, 204)
      assert.is((await by.get('/auth/session')).status, 401)
    }
  })

  test.run()
}
