import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import type { Browser } from './browser.js'
import { aHubWithProvider, assertRefused, type Setting } from './setting.js'

/** Browsers that come back from a provider with something else than they were sent there with. */
const test = suite('coming back from a provider')
let setting: Setting

test.before(async () => {
  setting = await aHubWithProvider({}, () => [{ id: 'other', name: 'Other' }])
})
test.before.each(() => {
  setting.provider.says = {}
})

const LOST = { status: 400, says: /This sign-in was not begun in this browser, or too long ago/ }
const WRONG = { status: 502, says: /The provider answered something that the hub does not accept/ }

const begin = (browser: Browser, id = 'company') => browser.ask('GET', `/auth/sign-in/${id}`)
/** The address that leads a browser back which has begun. */
const wayBack = async (browser: Browser, id?: string) => browser.wayBack(await begin(browser, id))

const backs: readonly (readonly [
  name: string,
  refusal: typeof LOST,
  back: Readonly<Record<string, string | undefined>>
])[] = [
  ['with another state', LOST, { state: 'other' }],
  ['without a state', LOST, { state: undefined }],
  ['without a code', WRONG, { code: undefined }],
  ['in the name of another issuer', WRONG, { iss: 'https://other.example.com' }],
  ['in the name of no issuer, of a provider that names itself', WRONG, { iss: undefined }],
  [
    'with a code that it has not given',
    { status: 400, says: /The provider did not sign you in: invalid_grant/ },
    { code: 'made-up' }
  ],
  ['with a token in place of a code', WRONG, { id_token: 'a.b.c' }],
  ['with an answer that is signed in another way', WRONG, { response: 'a.b.c' }]
]

for (const [name, refusal, back] of backs)
  test(`a browser that comes back ${name} is not signed in`, async () => {
    setting.provider.says = { back }
    await assertRefused(setting, refusal, (browser) => browser.signIn())
  })

test('a state that is there twice is none', async () => {
  await assertRefused(setting, WRONG, async (browser) => browser.ask('GET', `${await wayBack(browser)}&state=other`))
})

const refusals: readonly (readonly [error: string, status: number, says: RegExp])[] = [
  ['access_denied', 400, /The provider did not sign you in: access_denied\./],
  ['login_required', 400, /The provider did not sign you in: login_required\./],
  ['<script>alert(1)</script>', 502, WRONG.says],
  ['"><img src=x onerror=alert(1)>', 502, WRONG.says],
  [`access_denied\r\nset-cookie: hub_session=x`, 502, WRONG.says],
  ['a'.repeat(4000), 502, WRONG.says]
]

for (const [error, status, says] of refusals)
  test(`an error that the provider calls ${JSON.stringify(error.slice(0, 30))} is told without what it has written`, async () => {
    const description = '<script>alert("description")</script>'
    setting.provider.says = {
      back: { code: undefined, error, error_description: description, error_uri: 'javascript:alert(1)' }
    }
    const page = await assertRefused(setting, { status, says }, (browser) => browser.signIn())
    for (const markup of ['<script', '<img', 'description', 'javascript:']) assert.not(page.includes(markup), page)
  })

test('a browser that has begun nothing is not signed in', async () => {
  const elsewhere = await wayBack(setting.browser())
  await assertRefused(setting, LOST, (browser) => browser.ask('GET', elsewhere))
})

test('what an attacker has begun signs nobody in who has begun nothing or something of their own', async () => {
  const ofAttacker = await wayBack(setting.browser())
  const victim = setting.browser()
  await begin(victim)
  await assertRefused(setting, LOST, (browser) => browser.ask('GET', ofAttacker), victim)
})

test('a browser that comes back to another provider than it was sent to is not signed in', async () => {
  await assertRefused(setting, LOST, async (browser) => {
    const back = await wayBack(browser, 'other')
    return browser.ask('GET', back.replace('/other/', '/company/'))
  })
})

test('a browser that has begun twice comes back from the later one alone', async () => {
  const browser = setting.browser()
  const first = await wayBack(browser)
  const second = await wayBack(browser)
  const kept = new Map(browser.cookies)
  await assertRefused(setting, LOST, (one) => one.ask('GET', first), browser)
  for (const [name, value] of kept) browser.cookies.set(name, value)
  assert.is((await browser.ask('GET', second)).status, 302)
})

test('the same way back leads nowhere again, whatever the browser has kept', async () => {
  const browser = setting.browser()
  const back = await wayBack(browser)
  const kept = browser.cookies.get('hub_sign_in') ?? ''
  assert.is((await browser.ask('GET', back)).status, 302)
  assert.is(browser.cookies.has('hub_sign_in'), false)
  await assertRefused(setting, LOST, (one) => one.ask('GET', back))
  const replaying = setting.browser()
  replaying.cookies.set('hub_sign_in', kept)
  const refused = { status: 400, says: /The provider did not sign you in: invalid_grant/ }
  await assertRefused(setting, refused, (one) => one.ask('GET', back), replaying)
  assert.is((await browser.ask('GET', '/auth/session')).status, 200)
})

test('wherever a request wants to be led, it is led to the console', async () => {
  const browser = setting.browser()
  const wishes = ['returnTo', 'next', 'redirect_uri', 'location', 'url'].map(
    (name) => `${name}=https://evil.example.com/`
  )
  const led = await browser.ask('GET', `/auth/sign-in/company?${wishes.join('&')}`)
  const location = new URL(led.headers.get('location') ?? '')
  assert.is(location.origin, setting.provider.issuer)
  assert.is(location.searchParams.get('redirect_uri'), `${setting.hub.url}/auth/sign-in/company/callback`)
  const back = await browser.ask('GET', `${await browser.wayBack(led)}&${wishes.join('&')}`, {
    headers: { host: 'evil.example.com', 'x-forwarded-host': 'evil.example.com', referer: 'https://evil.example.com/' }
  })
  assert.equal([back.status, back.headers.get('location')], [302, `${setting.hub.url}/console/#/signed-in`])
})

test.run()
