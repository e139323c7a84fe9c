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

/** Opens the address that a program leads to, and answers there; resolves to the address that the browser is led back to. */
async function answered(led: URL, approve: boolean, browser = new Browser(setting.hub.url)): Promise<URL> {
  const page = await browser.ask('GET', led.href)
  const code = /#\/approve\/(.+)$/.exec(page.headers.get('location') ?? '')?.[1] ?? ''
  const by = setting.world.by(setting.world.owner)
  const { body } = succeeded(await by.post(`/auth/questions/${code}`, { approve }))
  const back = await browser.ask('GET', text(body, 'location'))
  return new URL(back.headers.get('location') ?? '')
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

test('of several that come with one code at once one alone gets a token', async () => {
  const program = new Program()
  await auth(program, { serverUrl: serverUrl() })
  assert.ok(program.led)
  const code = (await answered(program.led, true)).searchParams.get('code') ?? ''
  const client_id = program.clientInformation()?.client_id ?? ''
  const sent = {
    grant_type: 'authorization_code',
    code,
    client_id,
    redirect_uri: REDIRECT,
    code_verifier: program.codeVerifier()
  }
  const replies = await Promise.all(Array.from({ length: 5 }, () => setting.form('/oauth/token', sent)))
  assert.equal(replies.map(({ status }) => status).sort(), [200, 400, 400, 400, 400])
  const another = await setting.form('/oauth/token', { ...sent, code_verifier: 'x'.repeat(43) })
  assert.is(another.body.error, 'invalid_grant')
})

test('who is refused is told so', async () => {
  const program = new Program()
  await auth(program, { serverUrl: serverUrl() })
  assert.ok(program.led)
  const back = await answered(program.led, false)
  assert.is(back.searchParams.get('error'), 'access_denied')
})

test('what somebody is lured to approve leads no other browser anywhere', async () => {
  const program = new Program()
  await auth(program, { serverUrl: serverUrl() })
  assert.ok(program.led)
  const page = await new Browser(setting.hub.url).ask('GET', program.led.href)
  const code = /#\/approve\/(.+)$/.exec(page.headers.get('location') ?? '')?.[1] ?? ''
  const by = setting.world.by(setting.world.owner)
  const { body } = succeeded(await by.post(`/auth/questions/${code}`, { approve: true }))
  // The browser of who approves has nothing of the one that began.
  const { status } = await new Browser(setting.hub.url).ask('GET', text(body, 'location'))
  assert.is(status, 400)
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

test('a program is registered with addresses that are its own alone', async () => {
  for (const one of [
    'http://example.com/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://example.com/#x',
    '/relative'
  ])
    assert.is((await register({ redirect_uris: [one] })).status, 400, one)
  const many = Array.from({ length: 11 }, (_, i) => `https://example.com/${i}`)
  assert.is((await register({ redirect_uris: many })).status, 400)
  assert.is((await register({ client_name: 'x'.repeat(501) })).status, 400)
  const before = setting.world.position()
  const statuses = await Promise.all(
    Array.from({ length: 1000 }, async () => (await register({ client_name: 'x' })).status)
  )
  assert.equal([...new Set(statuses)], [201])
  assert.is(setting.world.position(), before, 'a registration is kept nowhere')
})

test('an id that somebody has written themselves is none', async () => {
  const forged = `hbc_${Buffer.from('{"client_name":"Evil","redirect_uris":["https://evil.example/"]}').toString('base64url')}`
  for (const client_id of [forged, `${forged}.`, `${forged}.AAAA`]) {
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
  const metadata = fields(JSON.parse(await (await fetch(address)).text()))
  assert.equal([metadata.resource, metadata.authorization_servers], [serverUrl(), [setting.hub.url]])
})

test.run()
