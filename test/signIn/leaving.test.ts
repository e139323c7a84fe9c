import * as assert from 'uvu/assert'
import { cookieNames, keptCookie } from '../../src/http/cookies.js'
import { fields, text } from '../http/client.js'
import { suite } from '../support/suite.js'
import type { Browser } from './browser.js'
import { aHubWithProvider, assertNoSecretIn, type Setting } from './setting.js'

/** Some providers end a session only for whoever shows the ID token of it. */
const test = suite('signing out at the provider too')
let setting: Setting

test.before(async () => {
  setting = await aHubWithProvider()
})
test.before.each(() => {
  setting.provider.says = {}
})

/** What is kept of the session until it is signed out. */
const KEPT = 'hub_leaving'

/** What a browser shows the provider when it has signed out. */
async function shown(browser: Browser): Promise<string | null> {
  const out = await browser.ask('POST', '/auth/sign-out')
  assert.is(out.status, 200)
  const { origin, pathname, searchParams } = new URL(text(await out.json(), 'location'))
  assert.equal([origin + pathname, searchParams.get('client_id')], [`${setting.provider.issuer}/end`, 'hub'])
  assert.is(browser.cookies.has(KEPT), false)
  return searchParams.get('id_token_hint')
}

async function signedIn(): Promise<Browser> {
  const browser = setting.browser()
  assert.is((await browser.signIn()).status, 302)
  return browser
}

test('the provider is shown the ID token of the session, which the browser has kept and cannot read', async () => {
  const browser = setting.browser()
  const back = await browser.signIn()
  const [cookie = ''] = back.headers.getSetCookie().filter((one) => one.startsWith(`${KEPT}=`))
  assert.match(cookie, /^hub_leaving=[\w.-]+; Path=\/auth\/sign-out; Expires=[^;]+; HttpOnly; SameSite=Strict$/)
  assertNoSecretIn(setting, cookie)
  const hint = await shown(browser)
  assert.ok(hint !== null && setting.provider.issued.has(hint))
  assertNoSecretIn(setting, JSON.stringify(setting.hub.log))
})

test('of two sessions each shows its own, and none that of another', async () => {
  const [one, other] = [await signedIn(), await signedIn()]
  const kept = one.cookies.get(KEPT) ?? ''
  other.cookies.set(KEPT, kept)
  assert.is(await shown(other), null)
  assert.is.not(await shown(one), null)
})

test('what nobody has sealed here, or nobody has kept, is shown to nobody', async () => {
  const onItsWay = setting.browser()
  await onItsWay.ask('GET', '/auth/sign-in/company')
  for (const kept of ['garbage', 'a.b.c.d.e', '', onItsWay.cookies.get('hub_sign_in') ?? '']) {
    const browser = await signedIn()
    browser.cookies.set(KEPT, kept)
    assert.is(await shown(browser), null)
  }
})

test('an ID token that fits into no cookie is not kept, and lets its person in and out', async () => {
  setting.provider.says = { claims: { groups: Array.from({ length: 200 }, (_, i) => `group-${i}-of-the-company`) } }
  const browser = await signedIn()
  assert.is(browser.cookies.has(KEPT), false)
  assert.is(await shown(browser), null)
})

test('it goes to where people sign out alone, below whatever path the hub is at, and over TLS alone where the hub does', () => {
  const base = new URL('https://example.com/hub/')
  const cookie = keptCookie(base, 'leaving', 'sealed', { expires: new Date() })
  assert.is(cookieNames(base).leaving, '__Secure-hub_leaving')
  assert.match(cookie, /^__Secure-hub_leaving=sealed; Path=\/hub\/auth\/sign-out; /)
  for (const part of ['; HttpOnly', '; Secure', '; SameSite=Strict']) assert.ok(cookie.includes(part), cookie)
})

const ways: readonly (readonly [what: string, end: (browser: Browser) => Promise<Response>])[] = [
  ['signs out', (browser) => browser.ask('POST', '/auth/sign-out')],
  ['signs out everywhere', (browser) => browser.ask('POST', '/auth/sign-out/everywhere')],
  [
    'revokes the session by its id',
    async (browser) => {
      const session = await (await browser.ask('GET', '/auth/session')).json()
      return browser.ask('DELETE', `/auth/tokens/${text(fields(session).token, 'id')}`)
    }
  ]
]
for (const [what, end] of ways)
  test(`a link to the desktop that was not used lets nobody in once who made it ${what}`, async () => {
    const link = async (browser: Browser) =>
      text(await (await browser.ask('POST', '/auth/desktop-link')).json(), 'secret')
    const redeemed = async (secret: string) =>
      (await setting.hub.send({ method: 'POST', path: '/auth/invitations/redeem', body: { secret } })).status
    const [browser, ended] = [await signedIn(), await signedIn()]
    const [used, over] = [await link(ended), await link(ended)]
    assert.is(await redeemed(used), 201)
    assert.ok((await end(ended)).ok)
    assert.is(await redeemed(over), 410)
    if (what !== 'signs out everywhere') assert.is(await redeemed(await link(browser)), 201, 'that of another session')
  })

test.run()
