import * as assert from 'uvu/assert'
import { fields, holds, records, text } from '../http/client.js'
import { suite } from '../support/suite.js'
import type { Browser } from './browser.js'
import { startProvider } from './fakeProvider.js'
import { accounts, aHubWithProvider, assertRefused, type Setting } from './setting.js'

/** Whom the hub takes somebody for, whom it makes an account for, and whom it does not. */
const test = suite('who somebody is')
/** What a provider says of where a session ends that is no address. */
const ENDS = ['javascript:alert(1)', 'nowhere at all', 7, undefined]

let creating: Setting
let refusing: Setting

test.before(async () => {
  creating = await aHubWithProvider({}, () => ENDS.map((_, i) => ({ id: `fresh-${i}` })))
  refusing = await aHubWithProvider({ firstSignIn: 'refuse' })
})
test.before.each(() => {
  creating.provider.says = {}
  refusing.provider.says = {}
})

/** Somebody whom the provider calls so. */
const somebody = (sub: string, name = sub) => ({ claims: { sub }, userInfo: { sub, name } })
const userOf = async (browser: Browser) => fields(fields(await (await browser.ask('GET', '/auth/session')).json()).user)
const boundTo = async ({ world }: Setting, id: string) =>
  records(await world.by(world.admin).get(`/admin/users/${id}/sign-ins`), 'signIns')

test('who has no account is told so where the hub makes none, and whom to ask', async () => {
  const says = /No account of this hub is that of Ada\. Ask whoever runs the hub for an account/
  const before = await accounts(refusing)
  await assertRefused(refusing, { status: 403, says }, (browser) => browser.signIn())
  assert.is(await accounts(refusing), before)
})

test('who has no account is let in once an administrator has bound them, and never again once that is let go', async () => {
  const { world, provider } = refusing
  provider.says = somebody('grace')
  const admin = world.by(world.admin)
  const bind = await admin.post(`/admin/users/${world.owner.id}/sign-ins`, { provider: 'company', subject: 'grace' })
  assert.is(bind.status, 204)
  const browser = refusing.browser()
  assert.is((await browser.signIn()).status, 302)
  assert.is((await userOf(browser)).id, world.owner.id)
  const [bound] = await boundTo(refusing, world.owner.id)
  assert.is((await admin.delete(`/admin/sign-ins/${bound?.id}`)).status, 204)
  await assertRefused(refusing, { status: 403, says: /No account/ }, (one) => one.signIn(), browser)
  const [unbound] = records(await admin.get('/admin/audit?type=IdentityUnbound&limit=1'), 'entries')
  holds(unbound?.resource, { id: bound?.id, name: 'grace' })
})

test('the same subject of another provider is somebody else', async () => {
  const other = await startProvider()
  const both = await aHubWithProvider({ firstSignIn: 'refuse' }, () => [{ id: 'other', issuer: other.issuer }])
  const { world } = both
  const bind = { provider: 'company', subject: 'ada' }
  assert.is((await world.by(world.admin).post(`/admin/users/${world.owner.id}/sign-ins`, bind)).status, 204)
  for (const provider of [both.provider, other]) provider.says = somebody('ada')
  assert.is((await both.browser().signIn('company')).status, 302)
  await assertRefused(both, { status: 403, says: /No account/ }, (browser) => browser.signIn('other'))
  await both.close()
  await other.close()
})

test('a subject of another provider is somebody else, though it is called the same', async () => {
  const { world } = refusing
  const issuer = 'https://other.example.com'
  const bind = await world
    .by(world.admin)
    .post(`/admin/users/${world.owner.id}/sign-ins`, { provider: 'company', subject: issuer })
  assert.is(bind.status, 204)
  refusing.provider.says = somebody(`${issuer}x`, world.owner.name)
  await assertRefused(refusing, { status: 403, says: /No account/ }, (browser) => browser.signIn())
})

const taken: readonly (readonly [how: string, name: (setting: Setting) => string, status: number, says: RegExp])[] = [
  [
    'as another account is',
    ({ world }) => world.owner.name,
    409,
    /is called .* already\. If it is yours, bind this sign-in to it/
  ],
  ['as another account in capitals', ({ world }) => world.owner.name.toUpperCase(), 409, /is called .* already/],
  ['as the administrator', ({ hub }) => hub.admin.name, 409, /is called .* already/],
  ['as the hub itself', () => 'system', 409, /is called .* already/],
  ['by letters that nobody sees', () => '\u200b\u200b', 400, /./]
]

for (const [how, name, status, says] of taken)
  test(`who comes first and is called ${how} gets no account, and not that one`, async () => {
    const { owner } = creating.world
    creating.provider.says = somebody('mallory', name(creating))
    await assertRefused(creating, { status, says }, (browser) => browser.signIn())
    assert.equal(await boundTo(creating, owner.id), [])
    assert.equal(await boundTo(creating, creating.hub.admin.id), [])
  })

test('what somebody is called is told as text', async () => {
  refusing.provider.says = somebody('markup', '<script>alert(1)</script>')
  const page = await assertRefused(refusing, { status: 403, says: /&lt;script&gt;/ }, (browser) => browser.signIn())
  assert.not.match(page, '<script')
})

test('a new account may use nothing, and is no administrator, whatever the provider says', async () => {
  const { claims, userInfo } = somebody('grace')
  const wishes = { role: 'admin', admin: true, collectionAccess: ['*'], groups: ['admin'] }
  creating.provider.says = { claims: { ...claims, ...wishes }, userInfo: { ...userInfo, ...wishes } }
  await creating.world.collection()
  const browser = creating.browser()
  assert.is((await browser.signIn()).status, 302)
  assert.is((await userOf(browser)).role, 'user')
  assert.equal(fields(await (await browser.ask('GET', '/collections')).json()).collections, [])
  assert.is((await browser.ask('GET', '/admin/users')).status, 403)
})

test('the sessions of a deleted account end, and who comes back is nobody or somebody new', async () => {
  creating.provider.says = somebody('leaving')
  const { world } = creating
  const browser = creating.browser()
  await browser.signIn()
  const first = await userOf(browser)
  assert.is((await world.by(world.admin).delete(`/admin/users/${text(first, 'id')}`)).status, 204)
  assert.is((await browser.ask('GET', '/auth/session')).status, 401)
  assert.is((await browser.signIn()).status, 302)
  assert.is.not((await userOf(browser)).id, first.id)
  const former = await refusing.world.user()
  const admin = refusing.world.by(refusing.world.admin)
  await admin.post(`/admin/users/${former.id}/sign-ins`, { provider: 'company', subject: 'leaving' })
  refusing.provider.says = somebody('leaving')
  assert.is((await admin.delete(`/admin/users/${former.id}`)).status, 204)
  await assertRefused(refusing, { status: 403, says: /No account/ }, (one) => one.signIn())
})

test('who signs out is signed out, whatever the provider says of where that ends', async () => {
  for (const [i, end_session_endpoint] of ENDS.entries()) {
    const { claims, userInfo } = somebody(`leaving-${i}`)
    creating.provider.says = { claims, userInfo, metadata: { end_session_endpoint } }
    const browser = creating.browser()
    assert.is((await browser.signIn(`fresh-${i}`)).status, 302)
    const out = await browser.ask('POST', '/auth/sign-out')
    assert.equal([out.status, await out.json()], [200, { location: null }])
    assert.is((await browser.ask('GET', '/auth/session')).status, 401)
  }
})

test.run()
