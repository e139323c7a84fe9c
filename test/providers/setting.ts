import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { BUILT_CONSOLE } from '../../src/http/console/files.js'
import { recheckSessions } from '../../src/signIn/recheck.js'
import { Missing } from '../engines/engine.js'
import { sqlite } from '../http/drivers.js'
import { startHub, type TestHub } from '../http/support.js'
import { World } from '../http/world.js'
import { afterwards } from '../support/afterwards.js'
import { findChromium, launchChromium } from '../support/chromium.js'
import { temporaryDirectory } from '../support/databases.js'
import { freePort } from '../support/private-server.js'
import { type Administration, administrationOf, type Person, SCOPES } from './administration.js'
import { startGlewlwyd } from './glewlwyd.js'
import { OTHER } from './otherApplication.js'

/** A provider that others have written, a hub that signs people in with it, and a browser. */
export interface Setting {
  /** The provider with its version. */
  readonly name: string
  readonly issuer: string
  readonly administration: Administration
  readonly hub: TestHub
  readonly world: World
  /** The section of the hub's configuration. */
  readonly signIn: Readonly<Record<string, unknown>>
  /** The group of the hub that the rule names. */
  readonly group: string
  readonly browser: Browser
  /** Has the provider asked of all sessions, as it is when their time has come. */
  askAgain(): Promise<void>
  /** What must be in no log. */
  readonly secrets: readonly string[]
}

const SECRET = 'SecretOfTheHubAtTheProvider1'
const RECHECK_MINUTES = 15
/** Somebody who is let in, and whom a rule makes a member of a group. */
export const ADA: Person = {
  ...{ username: 'ada', name: 'Ada', email: 'ada@example.com', password: 'password of Ada' },
  groups: ['staff', 'payments-team']
}
/** Somebody whom the provider knows and the hub does not let in. */
export const EVE: Person = {
  ...{ username: 'eve', name: 'Eve', email: 'eve@example.com', password: 'password of Eve' },
  groups: ['visitors']
}

/** Starts it all, to be ended `afterwards`. Rejects with `Missing` where something is not installed. */
export async function aSetting(): Promise<Setting> {
  const { name, url, stop } = await startGlewlwyd()
  afterwards(stop)
  const chromium = findChromium()
  if ('missing' in chromium) throw new Missing(chromium.missing)
  const administration = await administrationOf(url)
  const issuer = await administration.speakOpenIdConnect()
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const at = `${publicUrl}/auth/sign-in/company`
  const client = { id: 'hub', name: 'Hub', secret: SECRET, redirectUri: `${at}/callback`, logoutUri: `${at}/logout` }
  for (const one of [client, OTHER]) await administration.addClient(one)
  for (const person of [ADA, EVE]) await administration.addPerson(person)
  const signIn = await section(issuer)
  let now_ms = Date.now()
  const hub = await startHub(sqlite, {
    ...{ port, consoleDirectory: BUILT_CONSOLE, now: () => now_ms },
    config: { server: { host: '127.0.0.1', port: 1, publicUrl }, signIn }
  })
  afterwards(() => hub.close())
  const world = await World.of(hub)
  const group = await world.make('admin/groups', { name: 'Payments' }, world.admin)
  const browser = await launchChromium(chromium.path, ['--host-resolver-rules=MAP * 127.0.0.1'])
  afterwards(() => browser.close())
  const askAgain = async () => {
    now_ms += RECHECK_MINUTES * 60_000
    if (hub.hub.signIn) await recheckSessions(hub.hub.ledger, hub.hub.signIn, RECHECK_MINUTES)
  }
  const secrets = [SECRET, OTHER.secret, ADA.password, EVE.password]
  return { name, issuer, administration, hub, world, signIn, group, browser, askAgain, secrets }
}

/** What an operator writes below `signIn`. */
async function section(issuer: string) {
  const { path } = await temporaryDirectory()
  const company = { id: 'company', name: 'Company', issuer, clientId: 'hub', clientSecret: SECRET, scopes: SCOPES }
  const groupRules = [{ value: 'payments-team', group: 'Payments' }]
  const providers = [{ ...company, allowedGroups: ['staff'], groupRules, firstSignIn: 'create' }]
  return { keyFile: join(path, 'key'), recheckMinutes: RECHECK_MINUTES, providers }
}
