import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EncryptJWT, type JWTPayload, jwtDecrypt } from 'jose'
import * as assert from 'uvu/assert'
import { cookieNames, keptCookie, sessionCookie } from '../../src/http/cookies.js'
import { sealsWith } from '../../src/signIn/sealed.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import type { Browser } from './browser.js'
import { aHubWithProvider, assertNothingHappened, assertRefused, type Setting } from './setting.js'

/** What browsers keep of a sign-in and of a session, and what others make of it. */
const test = suite('what a browser keeps')
let setting: Setting

test.before(async () => {
  setting = await aHubWithProvider()
})

const LOST = { status: 400, says: /This sign-in was not begun in this browser, or too long ago/ }
const wayBack = async (browser: Browser) => browser.wayBack(await browser.ask('GET', '/auth/sign-in/company'))

const letterAt = (place: number) => (sealed: string) => {
  const at = sealed.length + place
  return sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
}
const cookies: readonly (readonly [name: string, change: (sealed: string) => string])[] = [
  ['changed at its end', letterAt(-10)],
  ['changed in the middle', letterAt(-100)],
  ['cut off', (sealed) => sealed.slice(0, 40)],
  ['in place of which nothing is kept', () => ''],
  [
    'signed by nobody',
    () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}.`
  ],
  ['that is garbage', () => 'garbage'],
  ['that is very long', () => 'a'.repeat(6000)]
]

for (const [name, change] of cookies)
  test(`a browser that comes back with what it has kept ${name} is not signed in`, async () => {
    await assertRefused(setting, LOST, async (browser) => {
      const back = await wayBack(browser)
      browser.cookies.set('hub_sign_in', change(browser.cookies.get('hub_sign_in') ?? ''))
      return browser.ask('GET', back)
    })
  })

/** What the browser has kept, as the hub would have sealed it with these claims. */
async function sealedAnew(browser: Browser, claims: JWTPayload): Promise<string> {
  const key = new Uint8Array(readFileSync(setting.keyFile))
  const { payload } = await jwtDecrypt(browser.cookies.get('hub_sign_in') ?? '', key)
  return new EncryptJWT({ ...payload, ...claims }).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key)
}

test('what is no key is refused, and seals nothing', async () => {
  const { path } = await temporaryDirectory()
  const file = join(path, 'key')
  writeFileSync(file, 'short')
  assert.throws(() => sealsWith(file), /^The key of sign-ins .* must hold 32 bytes, and it holds 5\.$/)
})

test('a browser that has been away for ten minutes is not signed in', async () => {
  const now = Math.floor(Date.now() / 1000)
  const back = async (browser: Browser, claims: JWTPayload) => {
    const address = await wayBack(browser)
    browser.cookies.set('hub_sign_in', await sealedAnew(browser, claims))
    return browser.ask('GET', address)
  }
  await assertRefused(setting, LOST, (browser) => back(browser, { iat: now - 601, exp: now - 1 }))
  assert.is((await back(setting.browser(), { iat: now - 590, exp: now + 10 })).status, 302)
  const browser = setting.browser()
  await wayBack(browser)
  const key = new Uint8Array(readFileSync(setting.keyFile))
  const { payload } = await jwtDecrypt(browser.cookies.get('hub_sign_in') ?? '', key)
  assert.is((payload.exp ?? 0) - (payload.iat ?? 0), 600)
})

test('over TLS no neighbour and no plain connection can put a cookie of theirs in the place of one of the hub', () => {
  const base = new URL('https://example.com/hub/')
  const names = cookieNames(base)
  for (const [cookie, name] of [
    [keptCookie(base, 'signIn', 'sealed', { maxAge: 600 }), names.signIn],
    [sessionCookie(base, 'secret', new Date()), names.session]
  ] as const) {
    assert.ok(cookie.startsWith(`__Host-`) && cookie.startsWith(`${name}=`), cookie)
    for (const part of ['; Path=/;', '; HttpOnly', '; Secure', '; SameSite=']) assert.ok(cookie.includes(part), cookie)
    assert.not.match(cookie, /domain/i)
  }
})

test('a session that is over stays in the browser for a week, so that whoever comes back is told why', () => {
  const cookie = sessionCookie(new URL('https://example.com/'), 'secret', new Date('2026-02-23T08:00:00Z'))
  assert.match(cookie, /; Expires=Mon, 02 Mar 2026 08:00:00 GMT;/)
})

test('browsers that come back with sessions that are over guess nothing: their address is not blocked for it', async () => {
  const limits = { maxFailures: 3, windowSeconds: 60, blockSeconds: 30, maxFailuresPerAddress: 4 }
  const office = await aHubWithProvider({}, undefined, { limits })
  const browsers = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const browser = office.browser()
      await browser.signIn()
      return browser
    })
  )
  await browsers[0]?.ask('POST', '/auth/sign-out/everywhere')
  for (const browser of browsers) assert.is((await browser.ask('GET', '/auth/session')).status, 401)
  const unknown = () => office.hub.send({ method: 'GET', path: '/auth/session', token: `hbk_${Math.random()}` })
  assert.is((await unknown()).status, 401)
  // One that goes on asking is held up, as with any secret.
  for (const status of [401, 401, 429]) assert.is((await browsers[1]?.ask('GET', '/auth/session'))?.status, status)
})

test('a session that somebody else has put into the browser is replaced, and lets nobody in', async () => {
  const planted = `hbk_${'x'.repeat(49)}`
  const browser = setting.browser()
  browser.cookies.set('hub_session', planted)
  assert.is((await browser.signIn()).status, 302)
  assert.is.not(browser.cookies.get('hub_session'), planted)
  assert.is((await browser.ask('GET', '/auth/session')).status, 200)
  const attacker = setting.browser()
  attacker.cookies.set('hub_session', planted)
  await assertNothingHappened(setting, attacker, setting.world.position())
})

test('a key that could not be read or made is tried again by whoever comes next', async () => {
  const own = await aHubWithProvider()
  mkdirSync(own.keyFile)
  assert.is((await own.browser().ask('GET', '/auth/sign-in/company')).status, 500)
  rmdirSync(own.keyFile)
  assert.is((await own.browser().signIn()).status, 302)
})

test.run()
