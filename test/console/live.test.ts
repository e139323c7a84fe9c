import * as assert from 'uvu/assert'
import { connectHub, type HubClient } from '../../clients/typescript/src/index.js'
import { browserSuite } from './support/browser.js'
import { pressUntil } from './support/keyboard.js'
import { axe, screenshot } from './support/looks.js'
import { leaveUncopied } from './support/shownOnce.js'

const EVERYTHING = {
  collectionAccess: ['*'],
  environmentAccess: ['*'],
  snippetAccess: ['*'],
  liveServerAccess: ['*'],
  livePageAccess: ['*']
}

let ask: HubClient
let secret: string
const { test, run } = browserSuite('live servers and live pages in the console', async (hub) => {
  const admin = connectHub({ url: hub.url, token: hub.admin.token })
  const body = { name: 'Mara Lindqvist', role: 'user', avatarColor: 'sky-600', ...EVERYTHING } as const
  secret = (await admin.request('POST', '/admin/users', { body })).body.secret
  ask = connectHub({ url: hub.url, token: secret })
})

test('a live server is made, filled in and read, and what is not edited here stays as it was', async ({ open }) => {
  const page = await open('#/live-servers', { token: secret })
  await page.getByRole('heading', { name: 'No live servers yet' }).waitFor()
  await page.getByRole('button', { name: 'New live server' }).click()
  await page.getByLabel('Name').fill('Docs site')
  await page.keyboard.press('Enter')
  await page.getByLabel('Folder').fill('/srv/docs')
  await page.getByLabel('Port').fill('4100')
  await page.getByLabel('Command', { exact: true }).fill('npm run docs')
  await page.getByRole('button', { name: 'Add a variable' }).click()
  await page.getByLabel('Name, variable 1').fill('API_TOKEN')
  await page.getByLabel('Value, variable 1').fill('very-secret')
  await axe(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('http://127.0.0.1:4100').waitFor()
  assert.is(await page.getByText('very-secret').count(), 0)
  await screenshot(page, 'live-server')
  await page.getByText('changed folder, port').waitFor()
  const { liveServers } = (await ask.request('GET', '/live-servers')).body
  const [server] = liveServers
  assert.equal([server?.root, server?.port, server?.indexFiles], ['/srv/docs', 4100, ['index.html']])
})

test('a live page shows all that the desktop keeps in it, fits a phone, and its past is put back', async ({ open }) => {
  const headers = [{ key: 'X-Team', value: 'payments', enabled: true }]
  const scripts = [{ id: '1', name: 'Fill in', enabled: true, runAt: 'dom-ready', source: 'fill()' }]
  const auth = { type: 'oauth2', oauth2: { clientId: 'shop', clientSecret: 'shh' } }
  const variables = [{ key: 'pin', value: 'four digits', defaultValue: '', share: false, enabled: true }]
  const more = { homeUrl: 'https://mara:at-home@shop.example/home', variables }
  const body = { name: 'Shop', url: 'https://shop.example', headers, scripts, auth, ...more }
  const { id } = (await ask.request('POST', '/live-pages', { body })).body
  await ask.request('PUT', '/live-pages/{id}', { path: { id }, body: { ...body, url: 'https://broken.example' } })
  const page = await open(`#/live-pages/${id}`, { token: secret, width: 375, height: 800, colorScheme: 'dark' })
  await page.getByText('https://broken.example').waitFor()
  for (const text of ['X-Team', 'Script: Fill in', 'fill()', 'shop']) {
    await page.getByText(text, { exact: true }).first().waitFor()
  }
  await page.getByText('shop.example/home', { exact: false }).waitFor()
  for (const secret of ['shh', 'four digits', 'at-home'])
    assert.is(await page.getByText(secret, { exact: false }).count(), 0, secret)
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
  await axe(page)
  await page.getByRole('link', { name: 'changed URL' }).click()
  await page.getByRole('button', { name: 'Restore' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText('Version 1 is restored.').waitFor()
  assert.is((await ask.request('GET', '/live-pages/{id}', { path: { id } })).body.url, 'https://shop.example')
})

test('search leads to them, and one that is deleted is in the bin and comes back', async ({ open }) => {
  await ask.request('POST', '/live-servers', { body: { name: 'Mock of billing', runCommand: 'node billing.js' } })
  const page = await open('#/', { token: secret })
  await page.getByText('Live', { exact: true }).waitFor()
  const search = page.getByRole('combobox', { name: 'Search' })
  await pressUntil(page, 'Control+K', search)
  await search.fill('billing.js')
  await page.getByRole('option', { name: /^Mock of billing/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Mock of billing', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'More with this live server' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('“Mock of billing” is deleted.').waitFor()
  await page.goto('#/deleted')
  await page.getByText(/^Live server, deleted by Mara Lindqvist/).waitFor()
  await page.getByRole('button', { name: 'Undelete Mock of billing' }).click()
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByText('brought it back').waitFor()
})

test('administrators open them to accounts, lock them, and read in the audit what became of them', async ({
  hub,
  open
}) => {
  const { id } = (await ask.request('POST', '/live-pages', { body: { name: 'Status page' } })).body
  const page = await open('#/people/new', { token: hub.admin.token })
  await page.getByLabel('Name', { exact: true }).fill('Jonas Weber')
  const pages = page.getByRole('group', { name: 'Live pages' })
  await pages.first().getByLabel('Chosen').check()
  await page.getByLabel('Status page').check()
  await page.getByRole('button', { name: 'Make the account and invite' }).click()
  await page.getByRole('heading', { name: 'Invitation for Jonas Weber' }).waitFor()
  const admin = connectHub({ url: hub.url, token: hub.admin.token })
  const { users } = (await admin.request('GET', '/admin/users')).body
  const jonas = users.find(({ name }) => name === 'Jonas Weber')
  assert.equal([jonas?.livePageAccess, jonas?.liveServerAccess], [[id], []])
  await leaveUncopied(page)
  await page.getByRole('heading', { name: 'Jonas Weber', level: 1 }).waitFor()
  await page.goto('#/locks?show=livePage&q=status')
  await page.getByRole('switch', { name: 'Lock Status page' }).click()
  await page.getByText('locked', { exact: true }).waitFor()
  await page.goto('#/audit')
  await page.getByText('locked the live page Status page against deletion').waitFor()
  await page.getByRole('link', { name: 'Status page' }).first().click()
  await page.getByRole('heading', { name: 'Status page', level: 1 }).waitFor()
})

run()
