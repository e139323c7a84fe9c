import * as assert from 'uvu/assert'
import { errorOf } from '../http/client.js'
import { suite } from '../support/suite.js'
import { aHubWithProvider, type Setting } from './setting.js'

/** What pages of other sites make a browser send that has a session. */
const test = suite('requests with the session of a browser')
let setting: Setting
let cookie: string

test.before(async () => {
  setting = await aHubWithProvider()
  const browser = setting.browser()
  await browser.signIn()
  cookie = `hub_session=${browser.cookies.get('hub_session')}`
})

type Headers = Readonly<Record<string, string>>
const CROSS_SITE = 'A page of another address may not do this with the session of this browser.'

const send = (method: string, path: string, headers: Headers) =>
  setting.hub.send({ method, path, headers: { cookie, ...headers }, ...(method !== 'GET' && { body: {} }) })

/** Everything that changes something for who is signed in. */
const changing = () =>
  setting.hub.declared
    .filter(({ method, description }) => !/^(GET|HEAD)/.test(method) && description.access.who !== 'public')
    .map(({ method, url }) => ({ method, path: url.replace(/:\w+/g, 'x') }))

const strange = (own: string): readonly (readonly [what: string, headers: Headers])[] => [
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['another site that claims the origin of the hub', { 'sec-fetch-site': 'cross-site', origin: own }],
  ['a neighbour', { 'sec-fetch-site': 'same-site' }],
  ['no page', { 'sec-fetch-site': 'none' }],
  ['a browser that says it twice', { 'sec-fetch-site': 'same-origin, cross-site' }],
  ['a browser that says it strangely', { 'sec-fetch-site': 'SAME-ORIGIN' }],
  ['nobody who says so', {}],
  ['another origin', { origin: 'https://evil.example.com' }],
  ['an origin that begins the same', { origin: `${own}.evil.example.com` }],
  ['another port', { origin: 'http://127.0.0.1:1' }],
  ['the same host over TLS', { origin: own.replace('http:', 'https:') }],
  ['no origin in particular', { origin: 'null' }],
  ['a page of the hub, in words that no browser sends', { referer: `${own}/console/` }]
]

test('whatever changes something is refused to a page of another site, and to a neighbour, by every route', async () => {
  const before = setting.world.position()
  const routes = changing()
  assert.ok(routes.length > 80, `${routes.length} routes`)
  assert.equal([...new Set(routes.map(({ method }) => method))].sort(), ['DELETE', 'PATCH', 'POST', 'PUT'])
  for (const { method, path } of routes)
    for (const site of ['cross-site', 'same-site']) {
      const reply = await send(method, path, { 'sec-fetch-site': site })
      assert.equal([reply.status, errorOf(reply)], [403, CROSS_SITE], `${method} ${path}: ${reply.text}`)
    }
  assert.is(setting.world.position(), before)
})

for (const method of ['POST', 'DELETE'])
  test(`${method} is refused to whoever does not say that it is a page of the hub`, async () => {
    const path = method === 'POST' ? '/auth/sign-out' : '/auth/sign-ins/x'
    for (const [what, headers] of strange(setting.hub.url)) {
      const reply = await send(method, path, headers)
      assert.equal([reply.status, errorOf(reply)], [403, CROSS_SITE], `${what}: ${reply.text}`)
    }
    assert.is((await send('GET', '/auth/session', {})).status, 200)
  })

test('a page of the hub may do what its account may, as its browser says it one way or the other', async () => {
  const own: readonly Headers[] = [{ 'sec-fetch-site': 'same-origin' }, { origin: setting.hub.url }]
  for (const headers of own) {
    assert.is((await send('DELETE', '/auth/sign-ins/x', headers)).status, 404)
    assert.is((await send('POST', '/auth/sign-ins', headers)).status, 400)
  }
})

test('a token does whatever its page is, and a session beside it counts for nothing', async () => {
  const { owner } = setting.world
  for (const [what, headers] of strange(setting.hub.url)) {
    const call = { method: 'POST', path: '/auth/tokens', body: { name: what }, headers: { cookie, ...headers } }
    assert.is((await setting.hub.send({ ...call, token: owner.token })).status, 201, what)
    assert.is((await setting.hub.send({ ...call, token: 'hbk_wrong' })).status, 401, what)
  }
})

test('a session reads from wherever a link leads', async () => {
  for (const [what, headers] of strange(setting.hub.url))
    assert.is((await send('GET', '/auth/session', headers)).status, 200, what)
})

const kept: readonly (readonly [what: string, cookie: (session: string) => string])[] = [
  ['without its last letter', (session) => session.slice(0, -1)],
  ['of another name', (session) => session.replace('hub_session', '__Host-hub_session')],
  ['in quotes inside another', (session) => `other="${session}"`],
  ['behind an empty one', (session) => `hub_session=; ${session}`],
  ['that is no secret', () => 'hub_session=%00%ff'],
  ['that is the account of somebody', () => `hub_session=${setting.world.owner.id}`]
]

for (const [what, change] of kept)
  test(`a session ${what} lets nobody in`, async () => {
    const reply = await setting.hub.send({ method: 'GET', path: '/auth/session', headers: { cookie: change(cookie) } })
    assert.is(reply.status, 401)
  })

test.run()
