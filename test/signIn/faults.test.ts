import type { ServerResponse } from 'node:http'
import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import type { Saying } from './fakeProvider.js'
import { aHubWithProvider, assertRefused, type Setting } from './setting.js'

/** A provider that fails or misbehaves while it is asked: nobody is let in, and everybody is told. */
const test = suite('a provider that fails')
let setting: Setting

test.before(async () => {
  setting = await aHubWithProvider({}, () => [...discovered, ...unverified].map((_, i) => ({ id: `fresh-${i}` })))
})

const DISCOVERY = '/.well-known/openid-configuration'
const ANSWER_MB = 40
const WRONG = { status: 502, says: /The provider answered something that the hub does not accept/ }
const SILENT = { status: 503, says: /The provider does not answer\. Try again in a moment, or sign in with a token/ }

type Answer = (response: ServerResponse) => unknown

const sends =
  (status: number, type: string, body: string): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body)
const leadsTo =
  (location: string, status = 302): Answer =>
  (response) =>
    response.writeHead(status, { location }).end()

/** Sends megabytes until nobody listens any more. */
async function endless(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  let sent = 0
  response.on('close', () => assert.ok(sent < ANSWER_MB, 'The hub has read all of it.'))
  for (; sent < ANSWER_MB && !response.destroyed; sent++)
    if (!response.write(Buffer.alloc(1024 * 1024, ' ')))
      await new Promise<void>((resolve) => response.once('drain', resolve).once('close', resolve))
  response.end()
}

const failing: readonly (readonly [name: string, refusal: typeof WRONG, answer: Answer])[] = [
  ['breaks off', SILENT, (response) => response.destroy()],
  [
    'breaks off in the middle',
    SILENT,
    (response) => response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy())
  ],
  ['never ends', SILENT, endless],
  ['redirects to a private address', SILENT, leadsTo('http://10.0.0.1/')],
  ['redirects to the address of credentials', SILENT, leadsTo('http://169.254.169.254/latest/meta-data/')],
  ['redirects to itself, and keeps the body', SILENT, leadsTo('/elsewhere', 307)],
  ['redirects for ever', SILENT, leadsTo('/elsewhere', 308)],
  ['answers with a page', WRONG, sends(200, 'text/html', '<h1>secret-of-the-page</h1>')],
  ['answers with what is no JSON', WRONG, sends(200, 'application/json', 'secret-of-the-page')],
  ['answers with a list', WRONG, sends(200, 'application/json', '["secret-of-the-page"]')],
  ['answers with nothing', WRONG, sends(200, 'application/json', '{}')],
  ['answers without a body', WRONG, (response) => response.writeHead(204).end()]
]
const failed: typeof failing = [
  ['has failed', WRONG, sends(500, 'application/json', '{"secret":"secret-of-the-page"}')]
]

const asks: readonly (readonly [where: string, path: string, rows: typeof failing])[] = [
  ['asked what it is', DISCOVERY, [...failing, ...failed]],
  ['asked for tokens', '/token', [...failing, ...failed]],
  ['asked for its keys', '/keys', failing.filter(([name]) => name !== 'answers without a body')],
  ['asked for user info', '/userinfo', [...failing, ...failed]]
]

/** Keys and discovery are kept for minutes: a hub that has asked before does not notice. */
async function asksAnew(path: string): Promise<Saying> {
  if (path === '/keys') await setting.provider.rotate()
  return {}
}

for (const [where, path, rows] of asks)
  for (const [name, refusal, answer] of rows)
    test(`one that ${name} when it is ${where} signs nobody in`, async () => {
      setting.provider.says = { ...(await asksAnew(path)), answers: { [path]: answer } }
      const page = await assertRefused(setting, refusal, async (browser) =>
        path === DISCOVERY ? browser.ask('GET', '/auth/sign-in/company') : browser.signIn()
      )
      for (const text of [page, JSON.stringify(setting.hub.log)]) assert.not.match(text, 'secret-of-the-page')
      assert.is(setting.provider.asked.get('/elsewhere'), undefined)
    })

const discovered: readonly (readonly [name: string, metadata: Readonly<Record<string, unknown>>])[] = [
  ['calls itself another issuer', { issuer: 'https://other.example.com' }],
  ['calls itself nothing', { issuer: undefined }],
  ['leads browsers nowhere', { authorization_endpoint: undefined }],
  ['leads browsers to no address', { authorization_endpoint: 'nowhere at all' }],
  ['leads browsers to a script', { authorization_endpoint: 'javascript:alert(1)' }],
  ['has no keys', { jwks_uri: undefined }],
  ['has keys at no address', { jwks_uri: 'nowhere at all' }]
]

for (const [i, [name, metadata]] of discovered.entries())
  test(`one that ${name} leads nobody to it`, async () => {
    setting.provider.says = { metadata }
    await assertRefused(setting, WRONG, (browser) => browser.ask('GET', `/auth/sign-in/fresh-${i}`))
  })

const unverified: readonly (readonly [path: string, status: number, answer: Answer])[] = [
  [DISCOVERY, 503, (response) => response.destroy()],
  ['/keys', 503, (response) => response.destroy()],
  ['/keys', 503, sends(500, 'application/json', '{}')],
  ['/keys', 502, sends(200, 'application/json', 'no JSON')]
]
for (const [i, [path, status, answer]] of unverified.entries())
  test(`a logout token that cannot be verified is refused with ${status} and may come again: ${path}`, async () => {
    setting.provider.says = { answers: { [path]: answer } }
    const body = new URLSearchParams({ logout_token: await setting.provider.logoutToken({ sub: 'ada' }) })
    const url = `${setting.hub.url}/auth/sign-in/fresh-${discovered.length + i}/logout`
    const logout = async () => (await fetch(url, { method: 'POST', body })).status
    assert.is(await logout(), status)
    setting.provider.says = {}
    assert.is(await logout(), 204)
  })

test('one that is down locks nobody out who has a token, and signs people in again when it is back', async () => {
  setting.provider.says = { answers: { '/token': (response) => response.destroy() } }
  await assertRefused(setting, SILENT, (browser) => browser.signIn())
  setting.provider.says = {}
  const back = await setting.browser().signIn()
  assert.is(back.status, 302, await back.text())
})

test('what went wrong stands in the log, in words of the hub', () => {
  const told = setting.hub.log.filter(({ msg }) => msg === 'a provider of sign-in answered what cannot be used')
  const reasons = new Set(told.map(({ why }) => why))
  for (const why of [
    'The provider cannot be reached.',
    'The provider answers with too much.',
    'The provider answers with a redirect, which the hub does not follow.'
  ])
    assert.ok(reasons.has(why), `${why} not in ${[...reasons].join(' | ')}`)
})

test.run()
