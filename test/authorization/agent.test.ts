import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens
} from '@modelcontextprotocol/sdk/shared/auth.js'
import * as assert from 'uvu/assert'
import { fields, records, text } from '../http/client.js'
import { sqlite } from '../http/drivers.js'
import { succeeded } from '../http/world.js'
import { Browser } from '../signIn/browser.js'
import { suite } from '../support/suite.js'
import { aHubThatIsAsked, type Setting } from './setting.js'

const test = suite('agent programs that sign in at the hub')
let setting: Setting
test.before(async () => {
  setting = await aHubThatIsAsked({ agents: { enabled: true } })
})
test.after(() => setting.close())

const REDIRECT = 'http://127.0.0.1:33418/callback'

/** What an agent program keeps of its way to a token. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: 'An editor with agents',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none'
  }
  led: URL | null = null
  #client: OAuthClientInformationMixed | undefined
  #tokens: OAuthTokens | undefined
  #verifier = ''

  clientInformation() {
    return this.#client
  }
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#client = client
  }
  tokens() {
    return this.#tokens
  }
  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens
  }
  redirectToAuthorization(url: URL) {
    this.led = url
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  codeVerifier() {
    return this.#verifier
  }
}

/** Opens the address that a program leads to; resolves to the code of the page that the browser is led to. */
async function codeAt(led: URL, browser: Browser): Promise<string> {
  const page = await browser.ask('GET', led.href)
  return /#\/approve\/(.+)$/.exec(page.headers.get('location') ?? '')?.[1] ?? ''
}

/** What the page that a browser is led to says and does, with the token of an account. */
function atPage(browser: Browser, code: string, token = setting.world.owner.token) {
  const headers = { authorization: `Bearer ${token}` }
  return {
    question: () => browser.ask('GET', `/auth/questions/${code}`, { headers }),
    answer: (approve: boolean) => browser.ask('POST', `/auth/questions/${code}`, { headers, body: { approve } })
  }
}

/** Opens the address that a program leads to, and answers there; resolves to the address that the browser is led back to. */
async function answered(
  led: URL,
  approve: boolean,
  { browser = new Browser(setting.hub.url), token = setting.world.owner.token } = {}
): Promise<URL> {
  const reply = await atPage(browser, await codeAt(led, browser), token).answer(approve)
  assert.is(reply.status, 200)
  const back = await browser.ask('GET', text(fields(JSON.parse(await reply.text())), 'location'))
  return new URL(back.headers.get('location') ?? '')
}

const sessionWith = async (token: string) =>
  (await fetch(`${setting.hub.url}/auth/session`, { headers: { authorization: `Bearer ${token}` } })).status

/** A program that has led a browser to the page, and what it comes back with. */
async function aProgramThatAsks(scope?: string) {
  const program = new Program()
  await auth(program, { serverUrl: serverUrl(), ...(scope !== undefined && { scope }) })
  assert.ok(program.led)
  const led = program.led
  const formWith = (code: string) => ({
    ...{ grant_type: 'authorization_code', code, redirect_uri: REDIRECT },
    ...{ client_id: program.clientInformation()?.client_id ?? '', code_verifier: program.codeVerifier() }
  })
  return {
    program,
    led,
    redeem: (back: URL) => setting.form('/oauth/token', formWith(back.searchParams.get('code') ?? ''))
  }
}

const serverUrl = () => `${setting.hub.url}/mcp`

test('a program that knows nothing but the address gets a token, and works with it', async () => {
  const program = new Program()
  assert.is(await auth(program, { serverUrl: serverUrl() }), 'REDIRECT')
  assert.ok(program.led)
  const back = await answered(program.led, true)
  assert.is(back.origin + back.pathname, REDIRECT)
  const authorizationCode = back.searchParams.get('code') ?? ''
  assert.is(await auth(program, { serverUrl: serverUrl(), authorizationCode }), 'AUTHORIZED')
  assert.match(program.tokens()?.access_token ?? '', /^hbk_/)

  const client = new Client({ name: 'editor', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(serverUrl()), { authProvider: program }))
  const { tools } = await client.listTools()
  assert.ok(tools.length > 0)
  await client.close()
  const [listed] = records(await setting.world.by(setting.world.owner).get('/auth/tokens'), 'tokens')
  assert.is(listed?.name, 'An editor with agents')
  assert.type(listed?.expiresAt, 'string')

  // The code is good once.
  const again = await auth(program, { serverUrl: serverUrl(), authorizationCode }).catch((error: unknown) =>
    String(error)
  )
  assert.match(String(again), /grant|InvalidGrant/)
})

test('of several that come with one code at once one alone gets a token, and it is good for nothing', async () => {
  const { led, redeem } = await aProgramThatAsks()
  const back = await answered(led, true)
  const replies = await Promise.all(Array.from({ length: 5 }, () => redeem(back)))
  const statuses = replies.map(({ status }) => status).sort()
  assert.equal(statuses.slice(1), [400, 400, 400, 400])
  for (const { status, body } of replies)
    if (status === 200) assert.is(await sessionWith(text(body, 'access_token')), 401)
  const listed = records(await setting.world.by(setting.world.owner).get('/auth/tokens'), 'tokens')
  assert.type(listed[0]?.revokedAt, 'string')
})

test('a token is revoked once its code comes again: one of the two has stolen it', async () => {
  const { led, redeem } = await aProgramThatAsks()
  const back = await answered(led, true)
  const { status, body } = await redeem(back)
  const token = text(body, 'access_token')
  assert.equal([status, await sessionWith(token)], [200, 200])
  const again = await redeem(back)
  assert.equal([again.status, again.body.error, await sessionWith(token)], [400, 'invalid_grant', 401])
})

test('who is refused is told so', async () => {
  const program = new Program()
  await auth(program, { serverUrl: serverUrl() })
  assert.ok(program.led)
  const back = await answered(program.led, false)
  assert.is(back.searchParams.get('error'), 'access_denied')
})

test('a question is there for the browser alone that a program has led to it', async () => {
  const { led } = await aProgramThatAsks()
  const [theirs, lured] = [new Browser(setting.hub.url), new Browser(setting.hub.url)]
  const code = await codeAt(led, theirs)
  // Somebody is sent the address of the page, in a browser that was led nowhere, or by another program.
  for (const also of [null, (await aProgramThatAsks()).led]) {
    if (also) await codeAt(also, lured)
    const page = atPage(lured, code)
    assert.equal([(await page.question()).status, (await page.answer(true)).status], [404, 404])
  }
  const [id = ''] = code.split('.')
  for (const forged of [id, `${id}.`, `${id}.${'A'.repeat(20)}`])
    assert.is((await atPage(theirs, forged).question()).status, 404)
  assert.is((await atPage(theirs, code).question()).status, 200)
})

test('one browser may be led by several programs at once', async () => {
  const browser = new Browser(setting.hub.url)
  const [one, other] = [await aProgramThatAsks(), await aProgramThatAsks()]
  const codes = [await codeAt(one.led, browser), await codeAt(other.led, browser)]
  for (const code of codes) assert.is((await atPage(browser, code).question()).status, 200)
})

test('agents write with a token where they may with the one that has approved it, and nowhere else', async () => {
  const by = setting.world.by(setting.world.owner)
  const path = `/admin/users/${setting.world.owner.id}/tokens`
  const admin = setting.world.by(setting.world.admin)
  const issued = succeeded(await admin.post(path, { name: 'writes', agentWrites: true })).body
  for (const [token, mayWrite] of [
    [setting.world.owner.token, false],
    [text(issued, 'secret'), true]
  ] as const) {
    const { led, redeem } = await aProgramThatAsks('agent write')
    const browser = new Browser(setting.hub.url)
    const page = await atPage(browser, await codeAt(led, browser), token).question()
    assert.is(fields(JSON.parse(await page.text())).agentsMayWrite, mayWrite)
    assert.is((await redeem(await answered(led, true, { browser, token }))).status, 200)
    const [listed] = records(await by.get('/auth/tokens'), 'tokens')
    assert.is(listed?.agentWrites, mayWrite)
  }
})

test('scopes that the hub has not are not asked for, and without any it is read', async () => {
  const { led, redeem } = await aProgramThatAsks()
  for (const [scope, asked] of [
    [null, ['read']],
    ['', ['read']],
    ['openid email', ['read']],
    ['openid agent offline_access', ['agent']]
  ] as const) {
    const address = new URL(led)
    if (scope === null) address.searchParams.delete('scope')
    else address.searchParams.set('scope', scope)
    const browser = new Browser(setting.hub.url)
    const code = await codeAt(address, browser)
    const question = await atPage(browser, code).question()
    assert.equal(fields(JSON.parse(await question.text())).scopes, asked)
    const reply = await atPage(browser, code).answer(true)
    const back = await browser.ask('GET', text(fields(JSON.parse(await reply.text())), 'location'))
    const redeemed = await redeem(new URL(back.headers.get('location') ?? ''))
    assert.equal([redeemed.status, redeemed.body.scope], [200, asked.join(' ')])
  }
})

test('a browser is led back to an address with a query, which may stand in the question as it is', async () => {
  const redirect = 'http://127.0.0.1:33418/callback?from=hub'
  const registered = await setting.hub.send({
    ...{ method: 'POST', path: '/oauth/register' },
    body: { client_name: 'x', redirect_uris: [redirect] }
  })
  const more = `client_id=${text(registered.body, 'client_id')}&response_type=code&code_challenge_method=S256`
  const challenge = 'code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
  const led = `${setting.hub.url}/oauth/authorize?redirect_uri=${redirect}&${more}&${challenge}`
  const { headers } = await new Browser(setting.hub.url).ask('GET', led)
  assert.match(headers.get('location') ?? '', '/console/#/approve/')
})

test('below a path the browser is led back below it', async () => {
  const below = await aHubThatIsAsked({}, {}, sqlite, '/team')
  try {
    const registered = await below.hub.send({
      ...{ method: 'POST', path: '/oauth/register' },
      body: { client_name: 'x', redirect_uris: [REDIRECT] }
    })
    const led = new URL(`${below.hub.url}/oauth/authorize`)
    led.search = String(
      new URLSearchParams({
        ...{ client_id: text(registered.body, 'client_id'), response_type: 'code', redirect_uri: REDIRECT },
        ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' }
      })
    )
    const browser = new Browser(below.hub.url)
    const code = await codeAt(led, browser)
    const reply = await atPage(browser, code, below.world.owner.token).answer(true)
    const location = text(fields(JSON.parse(await reply.text())), 'location')
    assert.match(location, `${below.hub.url}/team/oauth/authorize/`)
    // The proxy takes the path off.
    const back = await browser.ask('GET', location.replace('/team/', '/'))
    assert.match(back.headers.get('location') ?? '', `${REDIRECT}?code=`)
  } finally {
    await below.close()
  }
})

test('a token is asked for this hub alone', async () => {
  const { led } = await aProgramThatAsks()
  for (const [resource, isKnown] of [
    [serverUrl(), true],
    [setting.hub.url, true],
    ['https://elsewhere.example/mcp', false]
  ] as const) {
    const asked = new URL(led)
    asked.searchParams.set('resource', resource)
    const page = await fetch(asked, { redirect: 'manual' })
    const location = new URL(page.headers.get('location') ?? '')
    assert.is(location.searchParams.get('error'), isKnown ? null : 'invalid_target', resource)
    const device = { client_id: 'terminal', scope: 'read', resource }
    const { status, body } = await setting.form('/oauth/device_authorization', device)
    assert.equal([status, body.error], isKnown ? [200, undefined] : [400, 'invalid_target'])
  }
})

test('a program that would be led back by a page with a form learns at once that it is not', async () => {
  const { led } = await aProgramThatAsks()
  led.searchParams.set('response_mode', 'form_post')
  const { headers } = await new Browser(setting.hub.url).ask('GET', led.href)
  const back = new URL(headers.get('location') ?? '')
  assert.equal([back.origin + back.pathname, back.searchParams.get('error')], [REDIRECT, 'unsupported_response_mode'])
})

const register = (sent: object) =>
  fetch(`${setting.hub.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sent)
  })

test('a browser is led back nowhere but where the program has registered', async () => {
  const registered = await register({ client_name: 'x', redirect_uris: [REDIRECT] })
  const client_id = text(JSON.parse(await registered.text()), 'client_id')
  const ask = (changes: object) => {
    const asked = {
      ...{
        client_id,
        response_type: 'code',
        redirect_uri: REDIRECT,
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
      },
      ...{ code_challenge_method: 'S256', scope: 'agent', state: 's' },
      ...changes
    }
    return fetch(`${setting.hub.url}/oauth/authorize?${new URLSearchParams(asked)}`, { redirect: 'manual' })
  }
  assert.is((await ask({})).status, 303)
  // A program listens at whatever port is free.
  assert.is((await ask({ redirect_uri: 'http://127.0.0.1:40000/callback' })).status, 303)
  for (const redirect_uri of [
    ...['https://evil.example/', 'http://127.0.0.1:33418/other', 'http://127.0.0.1.evil.example:33418/callback'],
    ...['javascript:alert(1)', 'http://127.0.0.1:33418/callback/../x', `${REDIRECT}#x`, '']
  ])
    assert.is((await ask({ redirect_uri })).status, 400, redirect_uri)
  // Without a challenge, or with one in clear, the program is told so, and nothing is asked.
  for (const wrong of [{ code_challenge: '' }, { code_challenge_method: 'plain' }]) {
    const led = await ask(wrong)
    assert.match(led.headers.get('location') ?? '', /^http:\/\/127\.0\.0\.1:33418\/callback\?error=invalid_request/)
  }
})

test('a link to the hub leads nobody elsewhere who was not asked', async () => {
  const redirect_uri = 'https://elsewhere.example/callback'
  const registered = await register({ redirect_uris: [redirect_uri] })
  const client_id = text(JSON.parse(await registered.text()), 'client_id')
  const { led } = await aProgramThatAsks()
  for (const [name, value] of Object.entries({ client_id, redirect_uri })) led.searchParams.set(name, value)
  assert.is((await fetch(led, { redirect: 'manual' })).status, 303)
  for (const [name, value, error] of [
    ['prompt', 'none', 'login_required'],
    ['response_type', 'token', 'unsupported_response_type'],
    ['code_challenge_method', 'plain', 'invalid_request']
  ] as const) {
    const wrong = new URL(led)
    wrong.searchParams.set(name, value)
    const reply = await fetch(wrong, { redirect: 'manual' })
    assert.equal([reply.status, reply.headers.get('location')], [400, null])
    assert.is(JSON.parse(await reply.text()).error, error)
  }
})

test('a program is registered with addresses that are its own alone', async () => {
  for (const one of [
    'http://example.com/cb',
    'javascript:alert(1)',
    ...['data:text/html,x', 'com.example.app:/callback', 'http://127.0.0.2/cb'],
    'https://example.com/#x',
    '/relative'
  ])
    assert.is((await register({ redirect_uris: [one] })).status, 400, one)
  const many = Array.from({ length: 11 }, (_, i) => `https://example.com/${i}`)
  assert.is((await register({ redirect_uris: many })).status, 400)
  for (const client_name of ['x'.repeat(501), 'a\0b', '\ud800', ' '])
    assert.is((await register({ client_name })).status, 400)
  const before = setting.world.position()
  const statuses = await Promise.all(
    Array.from({ length: 50 }, async () => (await register({ client_name: 'x' })).status)
  )
  assert.equal([...new Set(statuses)], [201])
  assert.is(setting.world.position(), before, 'a registration is kept nowhere')
})

test('an id that somebody has written themselves is none', async () => {
  const forged = `hbc_${Buffer.from('{"client_name":"Evil","redirect_uris":["https://evil.example/"]}').toString('base64url')}`
  for (const client_id of [forged, `${forged}.`, `${forged}.AAAA`, `${forged}.${'A'.repeat(43)}`]) {
    const asked = { client_id, response_type: 'code', redirect_uri: 'https://evil.example/', scope: 'agent' }
    const { status } = await fetch(`${setting.hub.url}/oauth/authorize?${new URLSearchParams(asked)}`, {
      redirect: 'manual'
    })
    assert.is(status, 400)
  }
})

test('without a token /mcp says where there is one', async () => {
  const { headers, status } = await fetch(serverUrl(), { method: 'POST', body: '{}' })
  const address = `${setting.hub.url}/.well-known/oauth-protected-resource/mcp`
  assert.equal([status, headers.get('www-authenticate')], [401, `Bearer resource_metadata="${address}"`])
  for (const [at, resource] of [
    [address, serverUrl()],
    [`${setting.hub.url}/.well-known/oauth-protected-resource`, setting.hub.url]
  ] as const) {
    const metadata = fields(JSON.parse(await (await fetch(at)).text()))
    assert.equal([metadata.resource, metadata.authorization_servers], [resource, [setting.hub.url]])
  }
  const elsewhere = await fetch(serverUrl(), { method: 'POST', body: '{}', headers: { 'x-harbor-tenant': 'team' } })
  assert.is(elsewhere.headers.get('www-authenticate')?.includes('resource_metadata') ?? false, false)
})

test.run()
