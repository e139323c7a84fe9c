import type { ServerResponse } from 'node:http'
import { generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import * as assert from 'uvu/assert'
import type { Ledger } from '../../src/ledger/ledger.js'
import { forgetEnded, keepForRecheck, recheckSessions } from '../../src/signIn/recheck.js'
import { suite } from '../support/suite.js'
import type { Browser } from './browser.js'
import { aHubWithProvider, assertNoSecretIn, type Setting } from './setting.js'

/** Where a provider sends no word of an end, the hub asks for it. */
const test = suite('providers that are asked again of sessions')
const MINUTES = 15
let setting: Setting
let now_ms = Date.now()
const later = (minutes: number) => {
  now_ms += minutes * 60_000
}

test.before(async () => {
  const company = { allowedDomains: ['example.com'] }
  const section = { recheckMinutes: MINUTES }
  setting = await aHubWithProvider(company, undefined, { now: () => now_ms }, undefined, section)
})
test.before.each(async () => {
  setting.provider.says = { refreshes: true }
  setting.provider.refreshTokens.clear()
  for (const { key } of await entries()) await setting.hub.hub.ledger.storage.state.delete(key)
})

async function signedIn(): Promise<Browser> {
  const browser = setting.browser()
  assert.is((await browser.signIn()).status, 302)
  return browser
}

const recheck = async (ended?: AbortSignal, ledger: Ledger = setting.hub.hub.ledger) => {
  const { signIn } = setting.hub.hub
  assert.ok(signIn)
  await recheckSessions(ledger, signIn, MINUTES, ended)
}
const status = async (browser: Browser) => (await browser.ask('GET', '/auth/session')).status
const asked = () => setting.provider.asked.get('/token') ?? 0
const entries = () => setting.hub.hub.ledger.storage.state.list('sign-in-', '', 64)

test('a session goes on as long as the provider stands by it, by a new token each time, which nobody can read', async () => {
  const browser = await signedIn()
  const before = asked()
  for (let round = 0; round < 3; round++) {
    await recheck()
    later(MINUTES)
    await recheck()
    assert.equal([asked() - before, await status(browser)], [round + 1, 200])
  }
  const [entry] = await entries()
  assertNoSecretIn(setting, entry?.text ?? '')
  assertNoSecretIn(setting, JSON.stringify(setting.hub.log))
  setting.provider.refreshTokens.clear()
  later(MINUTES)
  await recheck()
  assert.equal([await status(browser), await entries()], [401, []])
})

test('what a sign-in keeps is not forgotten before its session has begun', async () => {
  const { ledger, signIn } = setting.hub.hub
  assert.ok(signIn)
  const who = { provider: 'company', key: 'k', subject: 's', refreshToken: 'r' }
  await keepForRecheck(ledger, signIn, 'on-its-way', who)
  await forgetEnded(ledger)
  assert.is((await entries()).length, 1)
  later(2)
  await forgetEnded(ledger)
  assert.equal(await entries(), [])
  // The clocks of two hubs may be so far apart.
  const ahead = { storage: ledger.storage, now: () => now_ms + 30_000 }
  await keepForRecheck(ahead, signIn, 'on-its-way', who)
  await forgetEnded(ledger)
  assert.is((await entries()).length, 1)
})

test('one ends alone whose refresh token the provider takes no more', async () => {
  const [gone, stays] = [await signedIn(), await signedIn()]
  const [first] = setting.provider.refreshTokens
  setting.provider.refreshTokens.delete(first ?? '')
  later(MINUTES)
  await recheck()
  assert.equal([await status(gone), await status(stays)], [401, 200])
})

test('one ends whose refresh token is refused without a word, which some providers do', async () => {
  const browser = await signedIn()
  const refusing = (headers: Readonly<Record<string, string>>) => {
    const answer = (response: ServerResponse) => response.writeHead(400, headers).end()
    setting.provider.says = { refreshes: true, answers: { '/token': answer } }
  }
  // This is none of the provider's.
  refusing({ 'content-type': 'text/html' })
  later(MINUTES)
  await recheck()
  assert.is(await status(browser), 200)
  refusing({})
  later(MINUTES)
  await recheck()
  assert.is(await status(browser), 401)
})

test('who is in no domain any more that is let in is refused, and the log says why', async () => {
  const browser = await signedIn()
  setting.provider.says = { refreshes: true, userInfo: { email: 'ada@elsewhere.example' } }
  later(MINUTES)
  await recheck()
  assert.is(await status(browser), 401)
  const { ledger } = setting.hub.hub
  const { position } = await ledger.storage.head()
  const [event] = await ledger.storage.readAt([position])
  assert.match(event?.payload.text ?? '', /"reason":"notAllowed"/)
})

test('of a provider that answers nothing that can be used nothing is concluded', async () => {
  const browser = await signedIn()
  const broken = (response: { writeHead(status: number): { end(): void } }) => response.writeHead(500).end()
  setting.provider.says = { refreshes: true, answers: { '/token': broken } }
  later(MINUTES)
  await recheck()
  assert.is(await status(browser), 200)
  setting.provider.says = { refreshes: true, claims: { sub: 'somebody else' } }
  later(MINUTES)
  await recheck()
  assert.is(await status(browser), 401)
})

test('one that is silent is asked once, whoever has signed in there, and nobody once the hub stops', async () => {
  const browsers = [await signedIn(), await signedIn(), await signedIn()]
  setting.provider.says = { refreshes: true, answers: { '/token': (response: ServerResponse) => response.destroy() } }
  later(MINUTES)
  let before = asked()
  await recheck(AbortSignal.abort())
  assert.is(asked() - before, 0)
  await recheck()
  assert.equal([asked() - before, ...(await Promise.all(browsers.map(status)))], [1, 200, 200, 200])
  setting.provider.says = { refreshes: true }
  before = asked()
  await recheck()
  assert.is(asked() - before, 2, 'the others are still due')
})

test('several are asked of together, once one was answered', async () => {
  const browsers = await Promise.all([1, 2, 3].map(signedIn))
  const who = JSON.stringify({ sub: 'ada', email: 'ada@example.com', email_verified: true })
  const waiting: ServerResponse[] = []
  let count = 0
  const answer = (response: ServerResponse) => {
    waiting.push(response.setHeader('content-type', 'application/json'))
    // The second waits for the third.
    if (++count !== 2) for (const one of waiting.splice(0)) one.end(who)
  }
  setting.provider.says = { refreshes: true, answers: { '/userinfo': answer } }
  later(MINUTES)
  await recheck()
  assert.equal([count, ...(await Promise.all(browsers.map(status)))], [3, 200, 200, 200])
})

test('a hub that stops asks of no session that waits for the answer to another', async () => {
  await Promise.all([1, 2, 3].map(signedIn))
  const stopping = new AbortController()
  const answer = (response: ServerResponse) => {
    stopping.abort()
    response.writeHead(500).end()
  }
  setting.provider.says = { refreshes: true, answers: { '/token': answer } }
  later(MINUTES)
  const before = asked()
  await recheck(stopping.signal)
  assert.is(asked() - before, 1)
})

test('of what another has signed nothing is concluded', async () => {
  const browser = await signedIn()
  const { privateKey } = await generateKeyPair('RS256')
  const sign = (claims: JWTPayload, { kid = '' }: JWK) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
  setting.provider.says = { refreshes: true, sign, userInfo: { email: 'ada@elsewhere.example' } }
  later(MINUTES)
  const before = asked()
  await recheck()
  assert.equal([asked() - before, await status(browser)], [1, 200])
})

test('one whose clock was ahead when it was asked is asked again as soon as any other', async () => {
  const browser = await signedIn()
  const [entry] = await entries()
  assert.ok(entry)
  const { state } = setting.hub.hub.ledger.storage
  const ahead = { ...JSON.parse(entry.text), askedAt: now_ms + 1000 * MINUTES * 60_000 }
  await state.put(entry.key, JSON.stringify(ahead), entry.mark)
  setting.provider.refreshTokens.clear()
  await recheck()
  assert.is(await status(browser), 401)
})

test('a session of which nothing can be read any more ends alone, and holds up no other and no erasure', async () => {
  const gone = await signedIn()
  const [entry] = await entries()
  assert.ok(entry)
  const stays = await signedIn()
  const { state } = setting.hub.hub.ledger.storage
  await state.put(entry.key, '{"provider":', entry.mark)
  await forgetEnded(setting.hub.hub.ledger)
  assert.is((await entries()).length, 2)
  later(MINUTES)
  const before = asked()
  await recheck()
  assert.equal([asked() - before, await status(gone), await status(stays)], [1, 401, 200])
})

test('an end that the database does not take is tried again, and holds up no other', async () => {
  const browsers = [await signedIn(), await signedIn()]
  setting.provider.says = { refreshes: true, userInfo: { email: 'ada@elsewhere.example' } }
  later(MINUTES)
  const before = asked()
  const away = { ...setting.hub.hub.ledger, run: () => Promise.reject(new Error('The database is away.')) }
  assert.match(String(await recheck(undefined, away).catch(String)), /is away/)
  assert.equal([asked() - before, ...(await Promise.all(browsers.map(status)))], [2, 200, 200])
  await recheck()
  assert.equal(await Promise.all(browsers.map(status)), [401, 401])
  const { ledger } = setting.hub.hub
  const { position } = await ledger.storage.head()
  const [event] = await ledger.storage.readAt([position])
  assert.match(event?.payload.text ?? '', /"reason":"notAllowed"/)
})

test('one that does not say in time who somebody is, is asked for that once, and whether it stands by each', async () => {
  const browsers = [await signedIn(), await signedIn(), await signedIn()]
  const silent = (response: ServerResponse) => response.destroy()
  setting.provider.says = { refreshes: true, answers: { '/userinfo': silent } }
  const [first = ''] = setting.provider.refreshTokens
  setting.provider.refreshTokens.delete(first)
  later(MINUTES)
  const before = [asked(), setting.provider.asked.get('/userinfo') ?? 0]
  await recheck()
  const after = [asked(), setting.provider.asked.get('/userinfo') ?? 0]
  assert.equal(
    after.map((count, i) => count - (before[i] ?? 0)),
    [3, 1]
  )
  assert.equal((await Promise.all(browsers.map(status))).toSorted(), [200, 200, 401])
  setting.provider.says = { refreshes: true }
  later(MINUTES)
  await recheck()
  assert.equal((await Promise.all(browsers.map(status))).toSorted(), [200, 200, 401])
})

test('of a provider that only another hub has yet no session ends, unless none asks of it', async () => {
  const { signIn } = setting.hub.hub
  assert.ok(signIn)
  const withoutProvider = () => recheckSessions(setting.hub.hub.ledger, { ...signIn, providers: [] }, MINUTES)
  const browser = await signedIn()
  for (let round = 0; round < 3; round++) {
    later(MINUTES)
    await withoutProvider()
    await recheck()
  }
  assert.is(await status(browser), 200)
  later(MINUTES)
  await withoutProvider()
  later(MINUTES)
  await withoutProvider()
  assert.equal([await status(browser), await entries()], [401, []])
})

test('of several hubs one asks', async () => {
  const browser = await signedIn()
  later(MINUTES)
  const before = asked()
  await Promise.all([recheck(), recheck(), recheck()])
  assert.equal([asked() - before, await status(browser)], [1, 200])
})

test('what is over is asked of no more', async () => {
  const browser = await signedIn()
  await browser.ask('POST', '/auth/sign-out')
  later(MINUTES)
  const before = asked()
  await recheck()
  assert.equal([asked(), await entries()], [before, []])
})

test('the next refresh token counts though the provider says no more of who it is than that', async () => {
  const browser = await signedIn()
  const unwell = (response: ServerResponse) => response.writeHead(503).end()
  setting.provider.says = { refreshes: true, answers: { '/userinfo': unwell } }
  later(MINUTES)
  await recheck()
  assert.is(setting.provider.refreshTokens.size, 1)
  setting.provider.says = { refreshes: true }
  later(MINUTES)
  await recheck()
  assert.is(await status(browser), 200)
})

test('without a refresh token a session lasts until it ends', async () => {
  setting.provider.says = {}
  const browser = await signedIn()
  assert.equal(await entries(), [])
  later(MINUTES)
  await recheck()
  assert.is(await status(browser), 200)
})

test.run()
