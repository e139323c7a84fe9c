import { createServer, type Server, type ServerResponse } from 'node:http'
import * as assert from 'uvu/assert'
import { HubError } from '../../src/errors.js'
import type { Resolve } from '../../src/net/guardedAddress.js'
import { type FetchOptions, providerFetch } from '../../src/signIn/fetch.js'
import { Provider } from '../../src/signIn/provider.js'
import { afterwards } from '../support/afterwards.js'
import { suite } from '../support/suite.js'
import { aHubWithProvider, assertRefused } from './setting.js'

/** Where a provider can have the hub connect to, and how long it can keep it waiting. */
const test = suite('where the hub connects to for a provider')
let inside: Server
let port: number
let asked: number
let answer: (response: ServerResponse) => unknown

// One for each test: what was given up in one may be read in the next.
test.before.each(async () => {
  const mine = createServer((_, response) => {
    if (inside === mine) asked++
    answer(response)
  })
  inside = mine
  asked = 0
  answer = (response) => response.end('{}')
  afterwards(() => {
    mine.closeAllConnections()
    mine.close()
  })
  await new Promise<void>((resolve) => mine.listen(0, '127.0.0.1', resolve))
  const address = mine.address()
  port = address !== null && typeof address === 'object' ? address.port : 0
})

const SILENT = { status: 503, says: /The provider does not answer\. Try again in a moment, or sign in with a token/ }
const at =
  (address: string): Resolve =>
  async () => [{ address, family: address.includes(':') ? 6 : 4 }]
const PRIVATE = /leads to an address that the hub does not connect to/

/** Asks as for a provider at `id.example.com`. */
const ask = (url: string, options: Partial<FetchOptions> = {}) =>
  providerFetch({ host: 'id.example.com', allowPrivateAddresses: [], ...options })(url)

async function refusalOf(asking: Promise<Response>): Promise<string> {
  return asking.then(
    () => 'It was answered.',
    (error: unknown) => String(error)
  )
}

test('it connects to no private address, by number or by name, unless somebody has allowed it', async () => {
  for (const address of ['127.0.0.1', '169.254.169.254', '::1', '64:ff9b::7f00:1']) {
    const host = address.includes(':') ? `[${address}]` : address
    assert.match(await refusalOf(ask(`http://${host}:${port}/token`)), PRIVATE)
    assert.match(await refusalOf(ask(`http://token.example.com:${port}/`, { resolve: at(address) })), PRIVATE)
  }
  assert.is(asked, 0)
})

test('it connects to no number that is written otherwise', async () => {
  for (const host of ['2130706433', '0x7f.1', '0177.0.0.1', '127.1'])
    assert.match(await refusalOf(ask(`http://${host}:${port}/`)), PRIVATE)
  assert.is(asked, 0)
})

test('it connects to a private address that is allowed, and no other', async () => {
  const allowPrivateAddresses = ['127.0.0.0/8']
  assert.is((await ask(`http://127.0.0.1:${port}/`, { allowPrivateAddresses })).status, 200)
  assert.is(
    (await ask(`http://token.example.com:${port}/`, { allowPrivateAddresses, resolve: at('127.0.0.1') })).status,
    200
  )
  assert.match(await refusalOf(ask('http://10.0.0.1/', { allowPrivateAddresses })), PRIVATE)
  assert.is(asked, 2)
})

test('a name without an address, or with a private one beside a public one, is connected to by nobody', async () => {
  assert.match(await refusalOf(ask('http://token.example.com/', { resolve: async () => [] })), /has no address/)
  const both: Resolve = async () => [
    { address: '93.184.215.14', family: 4 },
    { address: '127.0.0.1', family: 4 }
  ]
  assert.match(await refusalOf(ask(`http://token.example.com:${port}/`, { resolve: both })), PRIVATE)
})

/** Asks until that has arrived: on a busy machine the time may be over before. */
async function untilAsked(asking: () => Promise<void>): Promise<void> {
  const before = asked
  do await asking()
  while (asked === before)
}

const CONFIG = {
  ...{ id: 'company', name: 'Company', clientId: 'hub', scopes: ['openid'], firstSignIn: 'refuse' as const },
  ...{ nameClaim: 'name', emailClaim: 'email', groupsClaim: 'groups' },
  ...{ allowedDomains: [], allowedGroups: [], groupRules: [], externalIdIsSubject: false, allowPrivateAddresses: [] }
}
const slow: readonly (readonly [how: string, answer: (response: ServerResponse) => unknown])[] = [
  ['never answers', () => {}],
  ['begins to answer, and never ends', (response) => response.writeHead(200).write('{')]
]
for (const [how, slowly] of slow)
  test(`whoever waits for a provider that ${how} is told so in the end`, async () => {
    answer = slowly
    const url = `http://127.0.0.1:${port}/`
    await untilAsked(async () => {
      const text = await refusalOf(ask(url, { host: `127.0.0.1:${port}`, timeout_ms: 100 }))
      assert.match(text, /did not answer within 0\.1 seconds/)
    })
    const told: string[] = []
    const provider = new Provider(
      { ...CONFIG, issuer: `http://127.0.0.1:${port}` },
      'http://hub.example.com/',
      (...words) => void told.push(words.join(' ')),
      {
        timeout_ms: 100
      }
    )
    await untilAsked(async () => {
      told.length = 0
      const refusal: unknown = await provider.begin().catch((error: unknown) => error)
      assert.ok(refusal instanceof HubError && refusal.status === SILENT.status && SILENT.says.test(refusal.message))
      assert.equal(told, ['company PROVIDER_UNREACHABLE The provider did not answer within 0.1 seconds.'])
    })
  })

test('a provider that names endpoints at private hosts, elsewhere than its issuer, signs nobody in', async () => {
  const endpoints = ['token_endpoint', 'userinfo_endpoint', 'jwks_uri']
  const rows = endpoints.flatMap((endpoint) => ['127.0.0.1', 'localhost'].map((host) => ({ endpoint, host })))
  const setting = await aHubWithProvider({}, () => rows.map((_, i) => ({ id: `fresh-${i}` })))
  for (const [i, { endpoint, host }] of rows.entries()) {
    setting.provider.says = { metadata: { [endpoint]: `http://${host}:${port}/` } }
    await assertRefused(setting, SILENT, (browser) => browser.signIn(`fresh-${i}`))
  }
  assert.is(asked, 0)
})
test.run()
