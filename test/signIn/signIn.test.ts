import * as assert from 'uvu/assert'
import { fields, records, text } from '../http/client.js'
import type { TestHub } from '../http/support.js'
import type { World } from '../http/world.js'
import { suite } from '../support/suite.js'
import { Browser } from './browser.js'
import type { FakeProvider } from './fakeProvider.js'
import { aHubWithProvider, type Setting } from './setting.js'

const test = suite('signing in with a provider')
let setting: Setting
let provider: FakeProvider
let hub: TestHub
let world: World
let browser: Browser

test.before.each(async () => {
  setting = await aHubWithProvider()
  ;({ provider, hub, world } = setting)
  browser = setting.browser()
})

const sessionOf = async () => browser.ask('GET', '/auth/session')

test('whoever comes back from the provider has a session in a cookie that no page reads', async () => {
  assert.equal(await (await browser.ask('GET', '/auth/sign-in')).json(), {
    providers: [{ id: 'company', name: 'Company' }]
  })
  const back = await browser.signIn()
  assert.is(back.status, 302, await back.text())
  assert.is(back.headers.get('location'), `${hub.url}/console/#/signed-in`)
  const [cookie = ''] = back.headers.getSetCookie().filter((one) => one.startsWith('hub_session='))
  assert.match(cookie, /^hub_session=hbk_[\w-]{49}; .*Path=\/; .*HttpOnly; SameSite=Strict$/)
  const session = fields(await (await sessionOf()).json())
  assert.is(fields(session.user).name, 'Ada')
  assert.type(fields(session.token).expiresAt, 'string')
})

test('a session lasts no longer than any token may', async () => {
  const config = { tokens: { expiresInDaysMax: 1 } }
  const short = await aHubWithProvider({}, undefined, { config }, undefined, { sessionHours: 48 })
  const one = short.browser()
  await one.signIn()
  const { token } = fields(await (await one.ask('GET', '/auth/session')).json())
  assert.ok(Date.parse(text(token, 'expiresAt')) <= Date.now() + 24 * 3_600_000)
  await short.close()
})

test('who signs in again is the same account, whatever they are called now', async () => {
  await browser.signIn()
  const first = fields(fields(await (await sessionOf()).json()).user)
  provider.says = { userInfo: { name: 'Ada Lovelace', email: 'other@example.com' } }
  await browser.signIn()
  const again = fields(fields(await (await sessionOf()).json()).user)
  assert.equal([again.id, again.name], [first.id, 'Ada'])
  const tokens = records(await world.by(world.admin).get('/admin/tokens'), 'tokens').filter(
    ({ userId }) => userId === first.id
  )
  assert.equal(
    tokens.map(({ name, isSession }) => [name, isSession]),
    [
      ['A browser', true],
      ['A browser', undefined]
    ],
    'one is in force, and the one before is revoked'
  )
})

test('who signs in again in the same browser has one session, whoever they are, and another browser keeps its own', async () => {
  const other = setting.browser()
  await other.signIn()
  const statusWith = async (cookie: string) =>
    (await browser.ask('GET', '/auth/session', { headers: { cookie: `hub_session=${cookie}` } })).status
  const kept: string[] = []
  for (const sub of ['ada', 'ada', 'bob']) {
    provider.says = { claims: { sub }, userInfo: { sub, name: sub } }
    await browser.signIn()
    kept.push(browser.cookies.get('hub_session') ?? '')
  }
  assert.equal(
    [await statusWith(kept[0] ?? ''), await statusWith(kept[1] ?? ''), await statusWith(kept[2] ?? '')],
    [401, 401, 200]
  )
  assert.is((await other.ask('GET', '/auth/session')).status, 200)
})

test('a browser that comes back without its cookie, as from another site, leaves no session behind either', async () => {
  await browser.signIn()
  const kept = browser.cookies.get('hub_session') ?? ''
  const back = await browser.wayBack(await browser.ask('GET', '/auth/sign-in/company'))
  browser.cookies.delete('hub_session')
  assert.is((await browser.ask('GET', back)).status, 302)
  assert.is((await sessionOf()).status, 200)
  browser.cookies.set('hub_session', kept)
  assert.is((await sessionOf()).status, 401)
})

test('who is not let in keeps the session that they had', async () => {
  await browser.signIn()
  const { id } = fields(fields(await (await sessionOf()).json()).user)
  provider.says = { claims: { sub: 'eve' }, userInfo: { sub: 'eve', name: 'Ada' } }
  assert.is((await browser.signIn()).status, 409)
  assert.is(fields(fields(await (await sessionOf()).json()).user).id, id)
})

test('signing out revokes the session and has the browser forget it', async () => {
  await browser.signIn()
  const { hub_session: kept = '' } = Object.fromEntries(browser.cookies)
  const out = await browser.ask('POST', '/auth/sign-out')
  const { location } = fields(await out.json())
  assert.is(out.status, 200)
  assert.ok(String(location).startsWith(`${provider.issuer}/end?client_id=hub&`))
  assert.is(browser.cookies.has('hub_session'), false)
  browser.cookies.set('hub_session', kept)
  assert.is((await sessionOf()).status, 401)
})

test('the provider ends a session by itself, and all sessions of somebody', async () => {
  await browser.signIn()
  const other = new Browser(hub.url)
  provider.says = { claims: { sid: 'two' } }
  await other.signIn()
  const logout = async (claims: Readonly<Record<string, unknown>>) => {
    const body = new URLSearchParams({ logout_token: await provider.logoutToken(claims) })
    return (await fetch(`${hub.url}/auth/sign-in/company/logout`, { method: 'POST', body })).status
  }
  assert.is(await logout({ sid: 'two' }), 204)
  assert.equal([(await sessionOf()).status, (await other.ask('GET', '/auth/session')).status], [200, 401])
  assert.is(await logout({ sub: 'ada' }), 204)
  assert.is((await sessionOf()).status, 401)
})

test('somebody with a token binds the provider to their account, and nobody binds it to another', async () => {
  const { owner, colleague } = world
  const bind = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const led = await browser.ask('POST', '/auth/sign-ins', { body: { provider: 'company' }, headers })
    const { location } = fields(await led.json())
    return browser.ask('GET', await browser.wayBack(new Response(null, { headers: { location: String(location) } })))
  }
  const back = await bind(owner.token)
  assert.equal([back.status, back.headers.get('location')], [302, `${hub.url}/console/#/account`])
  assert.is((await bind(colleague.token)).status, 409)
  const bound = records(await world.by(owner).get('/auth/sign-ins'), 'signIns')
  assert.equal(
    bound.map(({ provider, subject, name }) => [provider, subject, name]),
    [['company', 'ada', 'Ada']]
  )
  await browser.signIn()
  assert.is(fields(fields(await (await sessionOf()).json()).user).id, owner.id)
  // What is let go lets nobody in any more, and ends what it has given.
  const path = `/auth/sign-ins/${bound[0]?.id}`
  assert.is((await world.by(colleague).delete(path)).status, 404)
  assert.is((await world.by(owner).delete(path)).status, 204)
  assert.is((await sessionOf()).status, 401)
})

test.run()
