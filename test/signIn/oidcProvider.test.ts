import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { fields, text } from '../http/client.js'
import { sqlite } from '../http/drivers.js'
import { startHub, type TestHub } from '../http/support.js'
import { temporaryDirectory } from '../support/databases.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { Browser } from './browser.js'
import { FormFiller, type OidcProvider, startOidcProvider } from './oidcProvider.js'

/** The same with a provider that others have written, through its forms. */
const test = suite('signing in with a provider of oidc-provider')
let provider: OidcProvider
let hub: TestHub

const SECRET = 'secret of the client: with % and + and :'
const PEOPLE = {
  ada: { name: 'Ada', email: 'ada@example.com', groups: ['staff', 'other'] },
  eve: { name: 'Eve', email: 'eve@example.com', groups: ['other'] }
}

test.before(async () => {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const client = {
    ...{ client_id: 'hub', client_secret: SECRET, redirect_uris: [`${publicUrl}/auth/sign-in/company/callback`] },
    ...{ backchannel_logout_uri: `${publicUrl}/auth/sign-in/company/logout`, backchannel_logout_session_required: true }
  }
  provider = await startOidcProvider(client, PEOPLE)
  const { path } = await temporaryDirectory()
  const company = { id: 'company', name: 'Company', issuer: provider.issuer, clientId: 'hub', clientSecret: SECRET }
  const providers = [{ ...company, allowedGroups: ['staff'], firstSignIn: 'create' }]
  const signIn = { keyFile: join(path, 'key'), providers }
  hub = await startHub(sqlite, { port, config: { server: { host: '127.0.0.1', port: 1, publicUrl }, signIn } })
})
test.after(async () => {
  await hub.close()
  await provider.close()
})

async function signIn(browser: Browser, person: FormFiller): Promise<Response> {
  const led = await browser.ask('GET', '/auth/sign-in/company')
  assert.is(led.status, 302, await led.text())
  return browser.ask('GET', await person.go(provider.issuer, led.headers.get('location') ?? ''))
}
const session = (browser: Browser) => browser.ask('GET', '/auth/session')

test('somebody who is in the group signs in through its forms, and is signed out when the provider says so', async () => {
  const [browser, other] = [new Browser(hub.url), new Browser(hub.url)]
  const [person, elsewhere] = [new FormFiller('ada'), new FormFiller('ada')]
  for (const [one, who] of [
    [browser, person],
    [other, elsewhere]
  ] as const) {
    const back = await signIn(one, who)
    assert.equal(
      [back.status, back.headers.get('location')],
      [302, `${hub.url}/console/#/signed-in`],
      await back.text()
    )
  }
  assert.is(fields(fields(await (await session(browser)).json()).user).name, 'Ada')
  const out = await other.ask('POST', '/auth/sign-out')
  assert.match(text(await out.json(), 'location'), `${provider.issuer}/session/end`)
  assert.is((await session(browser)).status, 200)
  // She ends the session of this browser at the provider, which tells the hub.
  await person.go(provider.issuer, `${provider.issuer}/session/end?client_id=hub`)
  assert.is((await session(browser)).status, 401)
  assert.is((await signIn(browser, person)).status, 302)
  assert.is((await session(browser)).status, 200)
})

test('somebody who is in no group that is let in is told so', async () => {
  const browser = new Browser(hub.url)
  const back = await signIn(browser, new FormFiller('eve'))
  assert.equal([back.status, /Eve is in no group/.test(await back.text())], [403, true])
  assert.is((await session(browser)).status, 401)
})

test('nothing of a sign-in is in the log', () => {
  const log = JSON.stringify(hub.log)
  for (const secret of [SECRET, encodeURIComponent(SECRET), 'hbk_', 'eyJ']) assert.not(log.includes(secret), secret)
})

test.run()
