import { randomUUID } from 'node:crypto'
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import * as assert from 'uvu/assert'
import { text } from '../http/client.js'
import { suite } from '../support/suite.js'
import type { Browser } from './browser.js'
import { type FakeProvider, startProvider } from './fakeProvider.js'
import { aHubWithProvider, assertNoSecretIn, type Setting } from './setting.js'

/** Logout tokens, which anybody may send: what is not the word of the provider ends no session. */
const test = suite('sessions that somebody wants to end in the name of a provider')
let setting: Setting
let other: FakeProvider
let browser: Browser

test.before(async () => {
  other = await startProvider()
  setting = await aHubWithProvider({}, () => [{ id: 'other', issuer: other.issuer }])
  browser = setting.browser()
  await browser.signIn()
})
test.before.each(() => {
  setting.provider.says = {}
})
test.after(() => other.close())

const now = () => Math.floor(Date.now() / 1000)
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const post = (body: URLSearchParams | string, type = 'application/x-www-form-urlencoded') =>
  fetch(`${setting.hub.url}/auth/sign-in/company/logout`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: String(body)
  })
const logout = (token: string) => post(new URLSearchParams({ logout_token: token }))

/** Asserts that nothing ends, in what way a provider is told, and that nothing of it is told. */
async function assertRefused(status: number, says: RegExp, ask: () => Promise<Response>): Promise<void> {
  const before = setting.world.position()
  const answer = await ask()
  const body = await answer.text()
  assert.is(answer.status, status, body)
  assert.match(text(JSON.parse(body), 'error'), says)
  assert.is(setting.world.position(), before)
  assert.is((await browser.ask('GET', '/auth/session')).status, 200)
  for (const told of [body, JSON.stringify(setting.hub.log)]) assertNoSecretIn(setting, told)
}

const NONE = /^This is no logout token of the provider\.$/

const claims: readonly (readonly [name: string, claims: () => Readonly<Record<string, unknown>>])[] = [
  ['of another issuer', () => ({ iss: 'https://other.example.com' })],
  ['of no issuer', () => ({ iss: undefined })],
  ['for another client', () => ({ aud: 'other' })],
  ['for nobody', () => ({ aud: undefined })],
  ['that is over', () => ({ iat: now() - 200, exp: now() - 31 })],
  ['that was signed long ago and has no end', () => ({ iat: now() - 3600, exp: undefined })],
  ['that does not say when it was signed', () => ({ iat: undefined })],
  ['that is signed later', () => ({ iat: now() + 60 })],
  ['that begins later', () => ({ nbf: now() + 60 })],
  ['without a name of its own', () => ({ jti: undefined })],
  ['with a nonce', () => ({ nonce: 'n' })],
  ['without events', () => ({ events: undefined })],
  ['with other events', () => ({ events: { 'http://schemas.openid.net/event/other': {} } })],
  [
    'with an event that says nothing',
    () => ({ events: { 'http://schemas.openid.net/event/backchannel-logout': null } })
  ],
  ['with events as a text', () => ({ events: 'http://schemas.openid.net/event/backchannel-logout' })],
  ['of nobody', () => ({ sub: undefined })],
  ['of a subject that is a number', () => ({ sub: 7 })],
  ['of a session that is a list', () => ({ sid: ['one'] })]
]

for (const [name, wrong] of claims)
  test(`a logout token ${name} ends nothing`, async () => {
    const token = await setting.provider.logoutToken({ sub: 'ada', ...wrong() })
    await assertRefused(400, NONE, () => logout(token))
  })

const good = (): JWTPayload => ({
  ...{ iss: setting.provider.issuer, aud: 'hub', jti: randomUUID(), iat: now(), exp: now() + 120, sub: 'ada' },
  events: { 'http://schemas.openid.net/event/backchannel-logout': {} }
})

const signed: readonly (readonly [name: string, token: (kid: string) => Promise<string>])[] = [
  ['signed by nobody', async () => `${part({ alg: 'none' })}.${part(good())}.`],
  ['signed by another key of the same name', async (kid) => byAnotherKey(kid)],
  ['signed by a key that there is not', async () => byAnotherKey('other')],
  [
    'signed with the name of the key as a secret',
    async (kid) => new SignJWT(good()).setProtectedHeader({ alg: 'HS256', kid }).sign(Buffer.from(kid.padEnd(32)))
  ],
  ['that brings its own key', async () => byAnotherKey('other', { jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' } })],
  ['that is garbage', async () => 'garbage'],
  ['that is three parts of nothing', async () => 'a.b.c'],
  ['that is sealed', async () => 'a.b.c.d.e']
]

/** The keys of nobody whom the hub knows: to make some takes long. */
const strangers = generateKeyPair('RS256')
async function byAnotherKey(kid: string, header: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { privateKey } = await strangers
  return new SignJWT(good()).setProtectedHeader({ ...header, alg: 'RS256', kid }).sign(privateKey)
}

for (const [name, token] of signed)
  test(`a logout token ${name} ends nothing`, async () => {
    const [header = ''] = (await setting.provider.logoutToken({})).split('.')
    const kid = text(JSON.parse(Buffer.from(header, 'base64url').toString()), 'kid')
    const made = await token(kid)
    await assertRefused(400, NONE, () => logout(made))
  })

test('the ID token of a sign-in ends nothing', async () => {
  const ids = [...setting.provider.issued].filter((one) => one.split('.').length === 3)
  await assertRefused(400, NONE, () => logout(ids[0] ?? ''))
})

test('what is no form with a logout token ends nothing', async () => {
  await assertRefused(400, /logout_token/, () => post(''))
  await assertRefused(400, NONE, () => post('logout_token='))
  await assertRefused(413, /./, () => post(`logout_token=${'a'.repeat(2_000_000)}`))
  await assertRefused(400, /must be a JSON object/, () => post('logout_token=a', 'text/plain'))
})

test('a session of somebody else, and a subject that nobody is, end nothing', async () => {
  for (const claims of [{ sid: 'other' }, { sub: 'eve' }, { sub: 'eve', sid: 'one' }]) {
    assert.is((await logout(await setting.provider.logoutToken(claims))).status, 204)
    assert.is((await browser.ask('GET', '/auth/session')).status, 200)
  }
})

test('a session of another provider that is called the same goes on', async () => {
  const body = new URLSearchParams({ logout_token: await other.logoutToken({ sid: 'one' }) })
  assert.is((await fetch(`${setting.hub.url}/auth/sign-in/other/logout`, { method: 'POST', body })).status, 204)
  assert.is((await browser.ask('GET', '/auth/session')).status, 200)
})

test('tokens of keys that there are not have the provider asked for its keys seldom', async () => {
  const asked = () => setting.provider.asked.get('/keys') ?? 0
  const before = asked()
  const tokens = await Promise.all(Array.from({ length: 20 }, () => byAnotherKey(randomUUID())))
  for (const answer of await Promise.all(tokens.map(logout))) assert.is(answer.status, 400)
  assert.ok(asked() <= before + 1, `asked ${asked() - before} times`)
})

test.run()
