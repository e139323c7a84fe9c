import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { records } from '../http/client.js'
import { type Driver, sqlite } from '../http/drivers.js'
import { type HubOptions, startHub, type TestHub } from '../http/support.js'
import { World } from '../http/world.js'
import { onceAfterwards } from '../support/afterwards.js'
import { temporaryDirectory } from '../support/databases.js'
import { freePort } from '../support/private-server.js'
import { Browser } from './browser.js'
import { CLIENT_SECRET, type FakeProvider, startProvider } from './fakeProvider.js'

/** A hub that signs people in, and the provider that it asks. */
export interface Setting {
  readonly provider: FakeProvider
  readonly hub: TestHub
  readonly world: World
  /** What sign-ins on their way are sealed with. */
  readonly keyFile: string
  /** A browser that has nothing of the hub yet. */
  browser(): Browser
  close(): Promise<void>
}

/** A hub with one provider, which makes accounts unless it is told otherwise, or with these; it closes with the test or the suite. */
export async function aHubWithProvider(
  more: Readonly<Record<string, unknown>> = {},
  others: (provider: FakeProvider) => readonly Readonly<Record<string, unknown>>[] = () => [],
  options: Omit<HubOptions, 'port'> = {},
  driver: Driver = sqlite,
  section: Readonly<Record<string, unknown>> = {}
): Promise<Setting> {
  const provider = await startProvider()
  const { path } = await temporaryDirectory()
  const company = {
    ...{ id: 'company', name: 'Company', issuer: provider.issuer, clientId: 'hub', clientSecret: CLIENT_SECRET },
    ...{ firstSignIn: 'create', ...more }
  }
  const providers = [company, ...others(provider).map((one) => ({ ...company, ...one }))]
  const keyFile = join(path, 'key')
  const signIn = { keyFile, providers, ...section }
  const port = await freePort()
  const server = { host: '127.0.0.1', port: 1, publicUrl: `http://127.0.0.1:${port}` }
  const hub = await startHub(driver, { ...options, port, config: { ...options.config, server, signIn } })
  const world = await World.of(hub)
  return {
    provider,
    hub,
    world,
    keyFile,
    browser: () => new Browser(hub.url),
    close: onceAfterwards(async () => {
      await hub.close()
      await provider.close()
    })
  }
}

/** What somebody is told who is not signed in. */
interface Refusal {
  readonly status: number
  readonly says: RegExp
}

/**
 * Asserts that somebody is refused by a page that a person understands, and that nothing else has happened: the log of events has not
 * moved, the browser has no session, tokens let people in as before, and no secret is on the page or in the log.
 */
export async function assertRefused(
  setting: Setting,
  { status, says }: Refusal,
  refused: (browser: Browser) => Promise<Response>,
  browser = setting.browser()
): Promise<string> {
  const { world, hub } = setting
  const before = world.position()
  const answer = await refused(browser)
  const page = await answer.text()
  assert.is(answer.status, status, page)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(page, /<h1>You are not signed in<\/h1>/)
  assert.match(page, says)
  assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'/)
  assert.not(answer.headers.getSetCookie().some((one) => /^hub_session=./.test(one)))
  await assertNothingHappened(setting, browser, before)
  assertNoSecretIn(setting, page)
  assertNoSecretIn(setting, JSON.stringify(hub.log))
  return page
}

/** Asserts that the log has not moved, that a browser has no session, and that tokens work. */
export async function assertNothingHappened({ world }: Setting, browser: Browser, before: number): Promise<void> {
  assert.is(world.position(), before, 'a refusal has changed something')
  assert.is((await browser.ask('GET', '/auth/session')).status, 401)
  assert.is((await world.by(world.owner).get('/auth/session')).status, 200)
}

/** Asserts that a text holds nothing that the provider or the hub has given out, or that the hub knows the provider by. */
export function assertNoSecretIn({ provider, world, hub }: Setting, text: string): void {
  const secrets = [...provider.issued, CLIENT_SECRET, world.owner.token, hub.admin.token]
  for (const secret of secrets) assert.not(text.includes(secret), `${secret.slice(0, 12)}… is told`)
  assert.not.match(text, /hbk_[\w-]{40}/, 'a session or a token is told')
}

/** How many accounts there are. */
export async function accounts({ world }: Setting): Promise<number> {
  return records(await world.by(world.admin).get('/admin/users'), 'users').length
}
