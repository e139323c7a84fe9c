import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { noAccess } from '../../commands/people/user/events.js'
import { openReadyLedger } from '../../src/app/hub.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { issueToken } from '../../src/ledger/secrets.js'
import { makeTenant } from '../tenants/support.js'
import { aForm, field, save, savedRequest } from './support/requests.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('a session of the console', { config: { multitenancy: { enabled: true } } })

/** Hides a tab, or shows it. */
const look = (page: Page, isHidden: boolean) =>
  page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} })
    document.dispatchEvent(new Event('visibilitychange'))`)

test('a token that is revoked ends the session at once, and leaves nothing to be seen', async ({
  open,
  expectFailures
}) => {
  expectFailures(/401/)
  const path = { id: team.jonas.id }
  const issued = await team.grace.ask.request('POST', '/admin/users/{id}/tokens', {
    path,
    body: { name: 'Lost laptop' }
  })
  const { secret, token } = issued.body
  const page = await open('#/', { token: secret })
  await page.getByRole('button', { name: `Signed in as ${team.jonas.name}` }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  await team.grace.ask.request('DELETE', '/admin/tokens/{id}', { path: { id: token.id } })
  await page.getByText('You were signed out: your token was revoked').waitFor()
  assert.is(await page.getByRole('tree').count(), 0)
  assert.is(await page.evaluate(`sessionStorage.getItem('hub.token')`), null)
})

test('a token that expires ends the session, and is called that wherever it is shown again', async ({
  hub,
  open,
  expectFailures
}) => {
  expectFailures(/401/)
  const path = { id: team.jonas.id }
  const expiresAt = new Date(hub.clock.now() + 600_000).toISOString()
  const { body } = await team.grace.ask.request('POST', '/admin/users/{id}/tokens', {
    path,
    body: { name: 'Short', expiresAt }
  })
  const page = await open('#/', { token: body.secret })
  await page.getByRole('button', { name: `Signed in as ${team.jonas.name}` }).waitFor()
  hub.clock.pass(11)
  await page.goto('#/account')
  await page.getByText('You were signed out: your token has expired.').waitFor()
  await page.getByLabel('Token').fill(body.secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This token has expired').waitFor()
})

test('access that is taken away takes the collection with it while somebody looks', async ({
  open,
  expectFailures
}) => {
  expectFailures(/403|404/)
  const path = { id: team.jonas.id }
  const access = (collectionAccess: readonly string[]) =>
    team.grace.ask.request('PUT', '/admin/users/{id}', { path, body: { collectionAccess } })
  await access([team.search])
  const page = await open(`#/collections/${team.search}`, { token: team.jonas.token })
  await page.getByRole('heading', { name: 'Search API', level: 1 }).waitFor()
  await access([])
  await page.getByText('There is nothing that you may see yet.').waitFor()
  await page.getByRole('heading', { name: 'This is not yours to see' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'This is not yours to see' }).waitFor()
})

test('what an account may not make it is not offered, and told why; a change of that is seen at once', async ({
  open
}) => {
  const path = { id: team.jonas.id }
  const access = (collectionAccess: readonly string[]) =>
    team.grace.ask.request('PUT', '/admin/users/{id}', { path, body: { collectionAccess } })
  await access([team.search])
  const page = await open('#/', { token: team.jonas.token })
  await page.getByText('You see the collections that you were given.').waitFor()
  assert.is(await page.getByRole('button', { name: 'New collection' }).count(), 0)
  await page.getByRole('button', { name: 'New', exact: true }).click()
  assert.equal(await page.getByRole('menuitem').allInnerTexts(), ['Import…'])
  await page.getByRole('menuitem', { name: 'Import…' }).click()
  await page.getByRole('textbox', { name: 'Or paste it' }).fill('curl https://api.example.com')
  await page.getByRole('button', { name: 'See what it brings' }).click()
  await page.getByText('GET', { exact: false }).first().waitFor()
  assert.equal(await page.getByRole('combobox', { name: 'Into' }).locator('option').allInnerTexts(), ['Search API'])
  await page.keyboard.press('Escape')
  await access(['*'])
  await page.getByRole('button', { name: 'New collection' }).waitFor()
  assert.is(await page.getByText('You see the collections').count(), 0)
})

test('a hub that is restarted while somebody looks is found again, and what changed since appears', async (tools) => {
  const { hub, open, expectFailures } = tools
  expectFailures(/ERR_|Failed to load resource/)
  const page = await open('#/snippets', { token: team.mara.token })
  await page.getByRole('heading', { name: 'Snippets', level: 1 }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  await hub.stop()
  await hub.start()
  await team.mara.ask.request('POST', '/snippets', { body: { name: 'After the restart', code: '' } })
  await page.getByRole('link', { name: 'After the restart' }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
})

test('what could not be loaded or saved while the hub was away is there once it answers again', async (tools) => {
  const { hub, open, expectFailures } = tools
  expectFailures(/ERR_|Failed to load resource|Failed to fetch dynamically/)
  const admin = await open('#/deleted', { token: team.grace.token })
  await admin.getByRole('heading', { name: 'Deleted', level: 1 }).waitFor()
  const [reader, editor] = [await open('#/', { token: team.mara.token }), await open('#/', { token: team.mara.token })]
  const link = `#/collections/${team.payments}/requests/${team.refund.id}`
  await editor.goto(`${link}?edit=yes`)
  await editor.getByRole('textbox', { name: 'URL', exact: true }).fill('https://api.example.com/typed')
  await reader.getByText('Live', { exact: true }).waitFor()
  await hub.stop()
  for (const page of [reader, admin]) await page.getByText('The hub does not answer', { exact: true }).waitFor()
  await editor.keyboard.press('Control+s')
  await editor.getByRole('alert').getByText('The hub does not answer.', { exact: false }).waitFor()
  let failed = 0
  const path = `/requests/${team.refund.id}/history`
  const history = reader.getByRole('complementary', { name: 'History' })
  reader.on('requestfailed', (request) => (failed += Number(new URL(request.url()).pathname === path)))
  await reader.goto(link)
  await history.getByText('This could not be loaded').waitFor()
  // Who is impatient is no worse off: the hub is asked in vain once more.
  const atOnce = failed
  await history.getByRole('button', { name: 'Try again' }).click()
  while (failed < 2 * atOnce) await reader.waitForEvent('requestfailed')
  await admin.goto('#/people')
  await admin.getByRole('heading', { name: 'This part of the console could not be loaded' }).waitFor()
  await admin.getByText('It comes once the hub answers.', { exact: false }).waitFor()
  await hub.start()
  await reader.getByRole('heading', { name: team.refund.name, level: 1 }).waitFor()
  await reader.getByText('This could not be loaded').first().waitFor({ state: 'detached' })
  await admin.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  await editor.getByRole('alert').waitFor({ state: 'detached' })
  await editor.getByText('1 field changed.').waitFor()
})

test('a hub that answers and cannot serve is not called live; what it refused is there once it serves', async (tools) => {
  const { open, expectFailures } = tools
  expectFailures(/503/)
  const page = await open('#/snippets', { token: team.mara.token })
  const sign = page.getByRole('banner').getByRole('status')
  await sign.getByText('Live', { exact: true }).waitFor()
  await page.route(
    ({ pathname }) => !pathname.startsWith('/console/'),
    (route) => route.fulfill({ status: 503, json: { error: 'The database does not answer.' } })
  )
  await page.goto(`#/collections/${team.payments}/requests/${team.refund.id}`)
  await page.getByText('The database does not answer.').first().waitFor()
  await sign.getByText('The hub cannot serve now', { exact: true }).waitFor()
  await page.unrouteAll()
  await page.getByRole('heading', { name: team.refund.name, level: 1 }).waitFor()
  await sign.getByText('Live', { exact: true }).waitFor()
})

test('what is refused the feed of changes is not called live, until it has it', async ({ open, expectFailures }) => {
  expectFailures(/429/)
  const page = await open('about:blank', { token: team.mara.token })
  await page.route(/[/]changes(\?|$)/, (route) => route.fulfill({ status: 429, json: { error: 'Too many streams.' } }))
  await page.goto('#/snippets')
  await page.getByText('Not live', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Snippets', level: 1 }).waitFor()
  await page.getByRole('main').getByRole('link').first().waitFor()
  await team.mara.ask.request('POST', '/snippets', { body: { name: 'While it was refused', code: '' } })
  await page.unrouteAll()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'While it was refused' }).waitFor()
})

test('where the log went back everything is read anew, and followed from there', async ({ open, expectFailures }) => {
  expectFailures(/410/)
  const page = await open('#/snippets', { token: team.mara.token })
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByRole('main').getByRole('link').first().waitFor()
  await look(page, true)
  await page.getByText('Not live', { exact: true }).waitFor()
  await team.mara.ask.request('POST', '/snippets', { body: { name: 'Before it went back', code: '' } })
  const lost = { status: 410, json: { error: 'after is of another log.' } }
  await page.route(/[/]changes\?after=/, (route) => route.fulfill(lost))
  await look(page, false)
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Before it went back' }).waitFor()
  await team.mara.ask.request('POST', '/snippets', { body: { name: 'After it went back', code: '' } })
  await page.getByRole('link', { name: 'After it went back' }).waitFor()
})

test('a tab that nobody looks at leaves its connection to others, and shows what happened meanwhile once it is looked at', async ({
  open
}) => {
  const streams = async () => (await team.grace.ask.request('GET', '/admin/status')).body.followers.count
  const page = await open('#/snippets', { token: team.mara.token })
  await page.getByText('Live', { exact: true }).waitFor()
  const before = await streams()
  await look(page, true)
  while ((await streams()) >= before) await page.waitForTimeout(100)
  await team.mara.ask.request('POST', '/snippets', { body: { name: 'While nobody looked', code: '' } })
  await look(page, false)
  await page.getByRole('link', { name: 'While nobody looked' }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
})

test('all tabs of a browser share a session and its end, which leaves nothing behind; on a foreign computer it is that of the tab alone', async ({
  open
}) => {
  const page = await open('#/')
  const other = await page.context().newPage()
  await other.goto(page.url())
  const enter = async () => {
    await page.getByLabel('Token').fill(team.mara.token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: `Signed in as ${team.mara.name}` }).waitFor()
  }
  await enter()
  await other.getByRole('button', { name: `Signed in as ${team.mara.name}` }).click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByText('You were signed out in another tab of this browser.').waitFor()
  for (const tab of [page, other]) assert.is(await tab.evaluate('sessionStorage.length + localStorage.length'), 0)
  await page.getByLabel('This is not my computer').check()
  await enter()
  await page.reload()
  await page.getByRole('button', { name: `Signed in as ${team.mara.name}` }).waitFor()
  await other.reload()
  await other.getByLabel('Token').waitFor()
})

test('a page that the browser has kept whole for the way back shows nothing of a session that ended meanwhile', async ({
  open
}) => {
  const page = await open('#/', { token: team.mara.token })
  await page.getByRole('main').getByRole('link', { name: 'Payments' }).first().waitFor()
  await page.evaluate(`sessionStorage.removeItem('hub.token')
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
  await page.getByText('You were signed out in another tab of this browser.').waitFor()
  assert.is(await page.getByText('Payments').count(), 0)
})

test('what is typed in a tab stays where another tab signs in with another token of the same account', async ({
  open
}) => {
  const options = { path: { id: team.mara.id }, body: { name: 'Second', agentWrites: false } }
  const { secret } = (await team.grace.ask.request('POST', '/admin/users/{id}/tokens', options)).body
  const page = await open('#/')
  const other = await page.context().newPage()
  await other.goto(page.url())
  await page.getByLabel('Token').fill(team.mara.token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: `Signed in as ${team.mara.name}` }).waitFor()
  await page.goto(`#/collections/${team.payments}/requests/${team.refund.id}?edit=yes`)
  const url = page.getByRole('textbox', { name: 'URL', exact: true })
  await url.fill('https://api.example.com/typed')
  await other.evaluate(`for (const key of Object.keys(localStorage))
    if (key.startsWith('hub.token')) localStorage.setItem(key, ${JSON.stringify(secret)})`)
  await page.getByText('What you typed', { exact: false }).waitFor()
  assert.is(await url.inputValue(), 'https://api.example.com/typed')
})

test('what refuses the session before the hub does, and is none of its own, does not sign anybody out for good', async ({
  open,
  expectFailures
}) => {
  expectFailures(/404/)
  const page = await open('#/')
  await page.getByLabel('Token').fill(team.mara.token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: `Signed in as ${team.mara.name}` }).waitFor()
  await page.route(/auth.session$/, (route) => route.fulfill({ status: 404, body: 'No such site.' }))
  await page.reload()
  await page.getByText('The hub answered 404.').waitFor()
  await page.unrouteAll()
  await page.reload()
  await page.getByRole('button', { name: `Signed in as ${team.mara.name}` }).waitFor()
})

test('who gets another role while they look sees what that may, and no other', async ({ open, expectFailures }) => {
  // What was asked for by the role before.
  expectFailures(/403/)
  const body = { name: 'Rises', role: 'user', collectionAccess: [team.search] } as const
  const { user, secret } = (await team.grace.ask.request('POST', '/admin/users', { body })).body
  const page = await open('#/', { token: secret })
  await page.getByRole('tree').getByText('Search API').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  const change = (role: 'admin' | 'accountAdmin') =>
    team.grace.ask.request('PUT', '/admin/users/{id}', { path: { id: user.id }, body: { role } })
  await change('admin')
  await page.getByRole('link', { name: 'Health' }).click()
  await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor()
  await page.getByRole('tree').getByText('Payments').waitFor()
})

test('of two answers about who is signed in the one that was asked for last holds, whichever comes first', async ({
  open
}) => {
  const body = { name: 'Named once', role: 'user' } as const
  const { user, secret } = (await team.grace.ask.request('POST', '/admin/users', { body })).body
  const page = await open('#/', { token: secret })
  await page.getByRole('button', { name: 'Signed in as Named once' }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  const rename = (name: string) =>
    team.grace.ask.request('PUT', '/admin/users/{id}', { path: { id: user.id }, body: { name } })
  let first: (() => Promise<void>) | undefined
  await page.route(/auth.session$/, async (route) => {
    const response = await route.fetch()
    if (first) return route.fulfill({ response })
    first = () => route.fulfill({ response })
  })
  await rename('Named twice')
  while (!first) await page.waitForTimeout(50)
  await rename('Named thrice')
  await page.getByRole('button', { name: 'Signed in as Named thrice' }).waitFor()
  const late = page.waitForResponse(/auth.session$/)
  await first()
  await (await late).finished()
  await page.evaluate('new Promise(requestAnimationFrame)')
  await page.getByRole('button', { name: 'Signed in as Named thrice' }).waitFor()
  assert.is(await page.getByRole('button', { name: 'Signed in as Named twice' }).count(), 0)
})

test('who signs in with a provider comes back to the page that they wanted', async ({ hub, open }) => {
  const link = `#/collections/${team.payments}/requests/${team.refund.id}`
  const page = await open('about:blank')
  await page.route(/auth.sign-in$/, (route) =>
    route.fulfill({ json: { providers: [{ id: 'acme', name: 'Acme' }], tokens: true } })
  )
  const location = `${hub.url}/console/#/signed-in`
  await page.route(/sign-in.acme$/, (route) => route.fulfill({ status: 302, headers: { location } }))
  // In place of the cookie of the session.
  const headers = { authorization: `Bearer ${team.mara.token}` }
  await page.route(
    ({ pathname }) => !/^.(console|auth.sign-in)/.test(pathname),
    (route) => route.continue({ headers: { ...route.request().headers(), ...headers } })
  )
  await page.goto(link)
  await page.getByRole('link', { name: 'Sign in with Acme' }).click()
  await page.getByRole('heading', { name: team.refund.name, level: 1 }).waitFor()
  assert.ok(page.url().endsWith(link))
})

test('a tenant that none can be called is told at once, and nothing is asked', async ({ open }) => {
  const page = await open('#/')
  await page.getByLabel('Token').fill(team.mara.token)
  await page.getByText('The hub has several tenants').click()
  await page.getByLabel('Tenant').fill('Größe – 日本')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This is no id of a tenant', { exact: false }).waitFor()
  await page.getByLabel('Tenant').fill('')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: `Signed in as ${team.mara.name}` }).waitFor()
})

test('what was said in passing goes with the session', async ({ open }) => {
  const { body: made } = await team.mara.ask.request('POST', '/snippets', {
    body: { name: 'Gone in passing', code: '' }
  })
  const page = await open(`#/snippets/${made.id}`, { token: team.mara.token })
  await page.getByRole('button', { name: 'More with this snippet' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('“Gone in passing” is deleted.').waitFor()
  await page.getByRole('button', { name: `Signed in as ${team.mara.name}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Token').waitFor()
  assert.is(await page.getByText('Gone in passing').count(), 0)
})

test('where the browser keeps nothing for the page, somebody signs in and works until it is loaded anew', async ({
  open
}) => {
  const { id, form } = await aForm(team, 'Typed where nothing is kept')
  const page = await open('about:blank')
  const blocked = `{ get() { throw new DOMException('Access is denied.', 'SecurityError') } }`
  // As Firefox has it where its storage is switched off.
  const missing = '{ value: null }'
  await page.addInitScript({
    content: `Object.defineProperty(globalThis, 'localStorage', ${blocked})
      Object.defineProperty(globalThis, 'sessionStorage', ${missing})`
  })
  await page.goto(form)
  await page.getByLabel('Token').fill(team.mara.token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await field(page, 'URL').fill('https://api.example.com/kept-nowhere')
  await page.getByRole('link', { name: 'Environments' }).first().click()
  await page.getByRole('button', { name: 'Keep them for later' }).click()
  await page.getByRole('heading', { name: 'Environments', level: 1 }).waitFor()
  await page.goto(form)
  await save(page)
  await page.getByText('Saved.', { exact: true }).waitFor()
  assert.is((await savedRequest(team, id)).url, 'https://api.example.com/kept-nowhere')
  await page.getByRole('button', { name: `Signed in as ${team.mara.name}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Token').waitFor()
})

test('the tab is called by what is open in it, then by the hub', async ({ open }) => {
  const page = await open('#/')
  await page.getByLabel('Token').waitFor()
  assert.is(await page.title(), 'Sign in · Collections Hub')
  await page.getByLabel('Token').fill(team.mara.token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /^Signed in as/ }).waitFor()
  for (const [address, title] of [
    ['snippets', 'Snippets'],
    ['account', team.mara.name],
    ['nowhere', 'Not found']
  ]) {
    await page.goto(`#/${address}`)
    const wanted = JSON.stringify(`${title} · Collections Hub`)
    await page.evaluate(`new Promise((done) => {
      const look = () => (document.title === ${wanted} ? done() : requestAnimationFrame(look))
      look()
    })`)
  }
})

test('who is at a tenant names it with the token, and is at home in no other', async ({
  hub,
  open,
  expectFailures
}) => {
  expectFailures(/401/)
  const { config } = await makeTenant(hub, 'acme', { name: 'Acme Inc' })
  const { secret, token } = issueToken({}, Date.now())
  const ledger = await openReadyLedger(config)
  const account = { ...noAccess, name: 'Wile', role: 'admin' } as const
  await ledger.run({ type: 'CreateUser', id: randomUUID(), account, token }, systemOrigin)
  await ledger.close()

  const page = await open('#/')
  await page.getByLabel('Token').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The hub does not know this token.').waitFor()
  await page.getByText('The hub has several tenants').click()
  await page.getByLabel('Token').fill(secret)
  await page.getByLabel('Tenant').fill('acme')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Signed in as Wile' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Signed in as Wile' }).waitFor()
})

run()
