import * as assert from 'uvu/assert'
import { covers, SCOPES, type Scope } from '../../commands/people/token/scopes.js'
import type { Needs } from '../../src/http/access.js'
import { fields, holds, text } from './client.js'
import { sqlite } from './drivers.js'
import { addressOf, type Endpoint, senderOf } from './endpoint.js'
import { endpoints } from './endpoints/index.js'
import { hubSuite } from './hub-suite.js'
import type { Account } from './support.js'
import { succeeded, type World } from './world.js'

let world: World
// The table is looked at above the storage, so one driver tells it for all.
const test = hubSuite('what limited tokens may do', sqlite, (made) => {
  world = made
})

/** A token of an account that is limited to one scope. */
async function limited(account: Account, scopes: readonly string[], more = {}): Promise<string> {
  const body = { name: scopes.join(' '), scopes, ...more }
  return text(succeeded(await world.by(world.admin).post(`/admin/users/${account.id}/tokens`, body)).body, 'secret')
}

const limitedTokens = new Map<string, Promise<string>>()
function tokenOf(account: Account, scope: Scope): Promise<string> {
  const key = `${account.id} ${scope}`
  const token = limitedTokens.get(key) ?? limited(account, [scope])
  limitedTokens.set(key, token)
  return token
}

const refusalOf = (needs: Needs) =>
  needs === 'all'
    ? 'This token is limited to its scopes, and this takes one without scopes.'
    : `This token is limited to its scopes, and this takes the scope "${needs}".`

const allows = (needs: Needs, scope: Scope) => needs === 'none' || (needs !== 'all' && covers([scope], needs))

// A token with scopes revokes itself alone: see below.
const tabled = endpoints.filter(({ access, row }) => access !== 'public' && row !== 'DELETE /auth/tokens/:id')
for (const endpoint of tabled) {
  const { needs } = endpoint.route.description.access
  const open = SCOPES.filter((scope) => allows(needs, scope))
  test(`${endpoint.row} with ${open.length > 0 ? open.join(' or ') : 'no scope'} alone`, async () => {
    const sample = await endpoint.sample(world)
    const sender = await senderOf(endpoint, {}, world)
    assert.ok(sender)
    for (const scope of SCOPES.filter((scope) => !open.includes(scope)))
      await refusedWith(endpoint, sample, await tokenOf(sender, scope), needs)
    for (const scope of open) {
      const { body, ...address } = { body: sample.body, ...addressOf(endpoint, sample) }
      // What else it comes to, the other suites tell: here, that the scope is no reason to refuse it.
      const { status, text } = await world.hub.send({ ...address, body, token: await tokenOf(sender, scope) })
      assert.not.match(text, /limited to its scopes/, `${scope}: ${status}`)
      assert.ok(status < 500 || text.includes('LLM support is not configured'), `${scope}: ${status} ${text}`)
    }
  })
}

async function refusedWith(
  endpoint: Endpoint,
  sample: object & { readonly body?: unknown },
  token: string,
  needs: Needs
) {
  const send = () => world.hub.send({ ...addressOf(endpoint, sample), body: sample.body, token })
  const reply = await world.refused(403, send, refusalOf(needs))
  const scope = needs === 'all' ? '' : `, scope="${needs}"`
  assert.is(reply.headers['www-authenticate'], `Bearer error="insufficient_scope"${scope}`)
}

test('a token for one collection sees and changes nothing else', async () => {
  const [mine, other] = [await world.collection(), await world.collection()]
  const token = await limited(world.owner, ['write', `collection:${mine}`])
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
})

test('an administrator who works on records has no more of them than the token names', async () => {
  const mine = await world.collection()
  const token = await limited(world.admin, ['read', `collection:${mine}`])
  const { body } = await world.by({ ...world.admin, token }).get('/search?q=Collection')
  const { results } = fields(body)
  assert.ok(Array.isArray(results) && results.every((one) => JSON.stringify(one).includes(mine)), JSON.stringify(body))
})

test('a token with scopes ends itself and no other', async () => {
  const own = await world.user()
  const token = await limited(own, ['read'])
  const by = world.by({ ...own, token })
  const { id } = fields(fields((await by.get('/auth/session')).body).token)
  await world.refused(403, () => by.delete(`/auth/tokens/${own.tokenId}`), refusalOf('all'))
  assert.is((await by.delete(`/auth/tokens/${id}`)).status, 204)
  assert.is((await by.get('/auth/session')).status, 401)
})

test.run()
