import * as assert from 'uvu/assert'
import { fields, records, text } from '../http/client.js'
import type { Account } from '../http/support.js'
import { succeeded } from '../http/world.js'
import { suite } from '../support/suite.js'
import type { Browser } from './browser.js'
import { aHubWithProvider, assertRefused, type Setting } from './setting.js'

/** Ways to have somebody else's sign-in bound to an account, or one's own to somebody else's. */
const test = suite('binding a provider to an account')
let setting: Setting

test.before(async () => {
  setting = await aHubWithProvider({ firstSignIn: 'refuse' })
})

const LOST = { status: 400, says: /This sign-in was not begun in this browser, or too long ago/ }

/** Begins it on behalf of an account. Resolves to the address that the provider leads back to. */
async function begin(browser: Browser, { token }: Account): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const led = await browser.ask('POST', '/auth/sign-ins', { body: { provider: 'company' }, headers })
  const location = text(fields(await led.json()), 'location')
  return browser.wayBack(new Response(null, { headers: { location } }))
}
const boundTo = async ({ id }: Account) =>
  records(await setting.world.by(setting.world.admin).get(`/admin/users/${id}/sign-ins`), 'signIns')

test('what was begun in another browser binds nobody', async () => {
  const back = await begin(setting.browser(), setting.world.owner)
  await assertRefused(setting, LOST, (browser) => browser.ask('GET', back))
  const victim = setting.browser()
  await victim.ask('GET', '/auth/sign-in/company')
  await assertRefused(setting, LOST, (browser) => browser.ask('GET', back), victim)
  assert.equal(await boundTo(setting.world.owner), [])
})

const ends: readonly (readonly [what: string, end: (who: Account) => Promise<unknown>])[] = [
  ['whose token is revoked', async (who) => succeeded(await setting.world.by(who).post('/auth/sign-out'))],
  [
    'whose token is deleted',
    async ({ tokenId }) => succeeded(await setting.world.by(setting.world.admin).delete(`/admin/tokens/${tokenId}`))
  ],
  [
    'whose account is deleted',
    async ({ id }) => succeeded(await setting.world.by(setting.world.admin).delete(`/admin/users/${id}`))
  ]
]

for (const [what, end] of ends)
  test(`somebody ${what} on the way binds nothing`, async () => {
    const who = await setting.world.user()
    const browser = setting.browser()
    const back = await begin(browser, who)
    await end(who)
    await assertRefused(setting, LOST, (one) => one.ask('GET', back), browser)
  })

test('binding is none of signing in: who comes back has no session', async () => {
  const browser = setting.browser()
  const back = await browser.ask('GET', await begin(browser, setting.world.owner))
  assert.is(back.status, 302)
  assert.is(browser.cookies.has('hub_session'), false)
  assert.equal(
    (await boundTo(setting.world.owner)).map(({ subject }) => subject),
    ['ada']
  )
})

test('nobody binds who shows no token, and no administrator binds a subject that is another account', async () => {
  const { world } = setting
  assert.is((await setting.browser().ask('POST', '/auth/sign-ins', { body: { provider: 'company' } })).status, 401)
  const path = `/admin/users/${world.colleague.id}/sign-ins`
  const subject = { provider: 'company', subject: 'ada' }
  assert.is((await world.by(world.admin).post(path, subject)).status, 409)
  assert.is((await world.by(world.colleague).post(path, { provider: 'company', subject: 'own' })).status, 403)
  assert.equal(await boundTo(world.colleague), [])
})

test('an issuer with a slash behind its host is the one without: who is bound by either is found by either', async () => {
  const own = await aHubWithProvider({ firstSignIn: 'refuse' })
  const { provider, world } = own
  const iss = `${provider.issuer}/`
  const says = (sub: string) => ({ metadata: { issuer: iss }, claims: { iss, sub }, userInfo: { sub }, back: { iss } })
  provider.says = says('ada')
  const admin = world.by(world.admin)
  const bind = ({ id }: Account, subject: string) =>
    admin.post(`/admin/users/${id}/sign-ins`, { provider: 'company', subject })
  succeeded(await bind(world.owner, 'ada'))
  const browser = own.browser()
  assert.is((await browser.signIn()).status, 302)
  const body = new URLSearchParams({ logout_token: await provider.logoutToken({ iss, sub: 'ada' }) })
  const ended = await fetch(`${own.hub.url}/auth/sign-in/company/logout`, { method: 'POST', body })
  assert.equal([ended.status, (await browser.ask('GET', '/auth/session')).status], [204, 401])
  // Whoever has bound themselves is told to whoever binds them elsewhere.
  provider.says = says('eve')
  const eve = own.browser()
  const headers = { authorization: `Bearer ${world.colleague.token}` }
  const led = await eve.ask('POST', '/auth/sign-ins', { body: { provider: 'company' }, headers })
  const location = text(fields(await led.json()), 'location')
  assert.is((await eve.ask('GET', await eve.wayBack(new Response(null, { headers: { location } })))).status, 302)
  assert.is((await bind(world.owner, 'eve')).status, 409)
})

test.run()
