import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { newHome } from '../cli/support.js'
import { until } from '../engines/until.js'
import { type Fields, fields, records } from '../http/client.js'
import { leaveByOther } from './otherApplication.js'
import { atConsole, giveUpTokens, leave, session, signedIn, signIn } from './pages.js'
import { ADA, EVE, type Setting } from './setting.js'

/** What has to be so with any provider. */
export interface Check {
  readonly title: string
  run(setting: Setting): Promise<void> | void
}

const SESSION_COOKIE = 'hub_session'

/** In their order: what one does at the provider the next finds there. */
export const checks: readonly Check[] = [
  { title: 'hub doctor finds nothing wrong with it', run: doctor },
  { title: 'somebody signs in to the console on the pages of the provider, and the session is theirs', run: theirs },
  { title: 'the claim with their groups makes them a member of the group that the rule names', run: member },
  { title: 'whose claim changes is a member no more from the next sign-in on', run: noMember },
  { title: 'somebody in no allowed group is refused, and told why', run: refused },
  {
    title: 'who signs out in the console has no session any more, and is led to end that of the provider',
    run: signedOut
  },
  { title: 'who signs out at the provider is refused by the hub at the next request', run: backChannel },
  { title: 'a session is asked of again by its refresh token, and ends with that', run: revoked },
  { title: 'a session that is asked of again ends with the allowed group', run: rechecked },
  { title: 'no secret, password or token is in the log of the hub', run: silent }
]

async function doctor({ signIn: section, hub }: Setting): Promise<void> {
  const home = await newHome()
  const server = { host: '127.0.0.1', port: 1, publicUrl: hub.url }
  const parts = { db: { driver: 'sqlite', path: 'hub.sqlite' }, redis: { driver: 'memory' } }
  writeFileSync(join(home.path, 'server.yaml'), JSON.stringify({ server, ...parts, signIn: section }))
  await home.here('migrate')
  assert.match((await home.here('doctor')).stdout, /^ok +sign-in +company: /m)
}

async function theirs(setting: Setting): Promise<void> {
  const page = await signedIn(setting, ADA)
  const { status, body } = await session(page, setting)
  assert.equal([status, fields(body.user).name], [200, ADA.name])
  const cookie = (await page.context().cookies()).find(({ name }) => name === SESSION_COOKIE)
  assert.equal([cookie?.httpOnly, cookie?.sameSite], [true, 'Strict'])
}

async function member(setting: Setting): Promise<void> {
  await signedIn(setting, ADA)
  const found = await account(setting, ADA.name)
  assert.equal(found?.groups, [{ id: setting.group, by: 'rule', rule: 'company:payments-team' }])
}

async function noMember(setting: Setting): Promise<void> {
  await setting.administration.changePerson({ ...ADA, groups: ['staff'] })
  await signedIn(setting, ADA)
  const found = await account(setting, ADA.name)
  assert.equal([found?.name, found?.groups], [ADA.name, undefined])
}

async function refused(setting: Setting): Promise<void> {
  const page = await atConsole(setting)
  await signIn(page, EVE)
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
  await page.getByText(/Eve is in no group/).waitFor()
  assert.is((await session(page, setting)).status, 401)
  assert.is(await account(setting, EVE.name), undefined)
}

async function signedOut(setting: Setting): Promise<void> {
  const page = await signedIn(setting, ADA)
  const kept = (await page.context().cookies()).find(({ name }) => name === SESSION_COOKIE)?.value ?? ''
  const byCookie = () => fetch(`${setting.hub.url}/auth/session`, { headers: { cookie: `${SESSION_COOKIE}=${kept}` } })
  assert.is((await byCookie()).status, 200)
  await page.getByRole('button', { name: new RegExp(ADA.name) }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByText('wishes you to close the current session').waitFor()
  assert.is((await session(page, setting)).status, 401)
  // Nor is it one for whoever has kept its cookie.
  assert.is((await byCookie()).status, 401)
  await leave(page)
  await page.goto(`${setting.hub.url}/console/`)
  await page.getByRole('link', { name: 'Sign in with Company' }).click()
  await page.getByLabel('Password').waitFor()
}

async function backChannel(setting: Setting): Promise<void> {
  const [here, elsewhere] = [await signedIn(setting, ADA), await signedIn(setting, ADA)]
  const leaving = await here.context().newPage()
  await leaveByOther(leaving, setting)
  assert.is((await session(here, setting)).status, 200)
  await leave(leaving)
  await until('the provider has told the hub', async () => (await session(here, setting)).status === 401)
  await here.reload()
  await here.getByRole('link', { name: 'Sign in with Company' }).waitFor()
  assert.is((await session(elsewhere, setting)).status, 401, 'what the account has elsewhere ends with it')
}

async function revoked(setting: Setting): Promise<void> {
  const page = await signedIn(setting, ADA)
  await setting.askAgain()
  assert.is((await session(page, setting)).status, 200)
  await giveUpTokens(await page.context().newPage(), setting)
  await setting.askAgain()
  assert.is((await session(page, setting)).status, 401)
}

async function rechecked(setting: Setting): Promise<void> {
  const page = await signedIn(setting, ADA)
  await setting.askAgain()
  assert.is((await session(page, setting)).status, 200)
  await setting.administration.changePerson({ ...ADA, groups: ['visitors'] })
  await setting.askAgain()
  assert.is((await session(page, setting)).status, 401)
}

function silent({ hub, secrets }: Setting): void {
  const log = JSON.stringify(hub.log)
  for (const secret of [...secrets, 'eyJ']) assert.not(log.includes(secret), secret)
  assert.not.match(log, /hbk_[\w-]{40}/)
}

async function account({ world }: Setting, name: string): Promise<Fields | undefined> {
  return records(await world.by(world.admin).get('/admin/users'), 'users').find((one) => one.name === name)
}
