import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { pressUntil } from './support/keyboard.js'
import { axe, looksWellOnBoth, picture } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const palette = (page: Page) => pressUntil(page, 'Control+k', page.getByRole('combobox', { name: 'Search' }))

const { test, run, team } = seededSuite('what the palette does')

test('it makes something new, goes somewhere and shows every key that docs/console.md has, by keyboard alone', async ({
  open
}) => {
  const page = await open('#/', { token: team.mara.token })
  await page.getByText('Signed in as').first().waitFor()
  const type = async (text: string, option: RegExp) => {
    await palette(page)
    await page.keyboard.type(text)
    await page.getByRole('option', { name: option }).waitFor()
  }
  await type('new env', /^New environment/)
  await axe(page)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New environment' }).locator('input:focus').waitFor()
  await page.keyboard.type('From the palette')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'From the palette' }).waitFor()
  await type('side', /side by side/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Environments side by side' }).waitFor()
  await type('show keys', /^Show keys/)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Keys' })
  await dialog.waitFor()
  const shown = (await dialog.locator('dt').allInnerTexts()).map((text) => text.toLowerCase())
  // From dist/test/console to the pages of the project.
  const text = await readFile(new URL('../../../docs/console.md', import.meta.url), 'utf8')
  const [, table = ''] = text.split('## Keys')
  const told = (table.split('\n## ')[0] ?? '').split('\n').filter((line) => /^\| (?!Key)/.test(line))
  const keys = told.map((line) => (line.split(' | ')[0] ?? '').slice(2).replaceAll('`', '').toLowerCase())
  assert.ok(keys.length > 10)
  assert.equal(shown, keys)
})

test('on a phone the name of what is found is not cut off for the sake of where it is', async ({ open }) => {
  const name = 'Everything about our northern warehouse'
  const { id } = (await team.mara.ask.request('POST', '/collections', { body: { name } })).body
  const body = { name: 'How to count the pallets' }
  const path = { collectionId: id }
  await team.mara.ask.request('POST', '/collections/{collectionId}/folders', { path, body })
  const page = await open('#/', { token: team.mara.token, width: 375, height: 800, hasTouch: true })
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.keyboard.type('pallets')
  const found = page.getByRole('option', { name: body.name }).locator('bdi').first()
  await found.waitFor()
  assert.ok(await found.evaluate((one) => one.scrollWidth <= one.clientWidth))
})

test('it offers nobody what they may not do, and records come before it', async ({ open }) => {
  const page = await open('#/', { token: team.jonas.token })
  await page.getByText('Signed in as').first().waitFor()
  await palette(page)
  await page.keyboard.type('go')
  await page.getByRole('option', { name: 'Go to Collections' }).waitFor()
  await page.getByRole('combobox', { name: 'Search' }).fill('new collection')
  await page.getByText('Nothing has these words.').waitFor()
  await page.getByRole('combobox', { name: 'Search' }).fill('audit')
  assert.is(await page.getByRole('option', { name: 'Go to Audit' }).count(), 0)
})

test('what is chosen stays so when the hub finds more, which stands before it', async ({ open }) => {
  const { ask, token } = team.mara
  const body = (name: string) => ({ body: { name } })
  for (const name of ['Kestrel egg', 'Kestrel nest']) await ask.request('POST', '/environments', body(name))
  const page = await open('#/', { token })
  await page.getByText('Signed in as').first().waitFor()
  let answer = () => {}
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/search?*', async (route) => {
    await asked
    await route.continue()
  })
  // Of the names that are known only those of their beginning are: the hub knows what has the word in a text.
  await ask.request('POST', '/snippets', { body: { name: 'Falcon', code: 'kestrel', scope: 'any' } })
  await palette(page)
  await page.keyboard.type('kestrel')
  const chosen = page.getByRole('option', { name: 'Kestrel nest', selected: true })
  await page.getByRole('option', { name: 'Kestrel nest' }).waitFor()
  for (let presses = 0; presses < 9 && (await chosen.count()) === 0; presses++) await page.keyboard.press('ArrowDown')
  answer()
  await page.getByRole('option', { name: 'Falcon' }).waitFor()
  assert.is(await chosen.count(), 1)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Kestrel nest', level: 1 }).waitFor()
})

/** What the palette offers for words, once the record is there that is open. */
async function offeredFor(page: Page, words: string) {
  await palette(page)
  const input = page.getByRole('combobox', { name: 'Search' })
  await input.fill(words)
  const texts = await page.getByRole('listbox', { name: 'Results' }).getByRole('option').allInnerTexts()
  await page.keyboard.press('Escape')
  return texts.map((text) => text.split('\n')[0]?.trim())
}

test('it does with the record that is open what its page does, by keyboard alone', async ({ open }) => {
  const { ask, token } = team.mara
  const { id } = (await ask.request('POST', '/collections', { body: { name: 'Done by words' } })).body
  const page = await open(`#/collections/${id}`, { token })
  const choose = async (words: string, option: RegExp | string) => {
    await palette(page)
    await page.keyboard.type(words)
    await page.getByRole('option', { name: option }).waitFor()
    await page.keyboard.press('Enter')
  }
  await page.getByRole('heading', { name: 'Done by words', level: 1 }).waitFor()
  await choose('new request here', 'New request here Done by words')
  await page.getByRole('dialog', { name: 'New request' }).locator('input:focus').waitFor()
  await page.keyboard.type('Asked')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'URL' }).waitFor()
  assert.equal(await offeredFor(page, 'rename'), [], 'what is being edited is saved or given up first')
  await page.getByRole('button', { name: 'Close' }).click()
  await palette(page)
  await page.keyboard.type('copy as curl')
  await page.getByRole('option', { name: /^Copy as cURL/ }).waitFor()
  await looksWellOnBoth(page, 'palette-record')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: /Copy/ }).waitFor()
  await page.keyboard.press('Escape')
  await choose('rename', 'Rename… Asked')
  await page.getByRole('dialog', { name: 'Rename “Asked”' }).locator('input:focus').waitFor()
  await page.keyboard.type('Said')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Said', level: 1 }).waitFor()
  await choose('history', 'History Said')
  await page.locator('aside[aria-label="History"]:focus').waitFor()
  for (const [words, dialog] of [
    ['move', 'Move “Said”'],
    ['delete', 'Delete “Said”?']
  ] as const) {
    await choose(words, /Said$/)
    await page.getByRole('dialog', { name: dialog }).waitFor()
    await page.keyboard.press('Escape')
  }
  await choose('new folder', 'New folder here Said')
  await page.getByRole('dialog', { name: 'New folder' }).locator('input:focus').waitFor()
  await page.keyboard.type('Beside it')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Beside it', level: 1 }).waitFor()
  await choose('go snippets', 'Go to Snippets')
  await page.getByRole('heading', { name: 'Snippets', level: 1 }).waitFor()
  assert.equal(await offeredFor(page, 'rename'), [], 'nothing is open any more')
  // Its tree would ask for what is deleted.
  await page.close()
  await ask.request('DELETE', '/collections/{id}', { path: { id } })
})

test('it offers each role what that may do with the record that is open', async ({ open }) => {
  const body = {
    name: 'Viewers of Onboarding',
    grants: [{ kind: 'collection', id: team.onboarding, role: 'viewer' }]
  } as const
  const group = (await team.grace.ask.request('POST', '/admin/groups', { body })).body
  const member = { path: { id: group.id, user: team.jonas.id } }
  await team.grace.ask.request('PUT', '/admin/groups/{id}/members/{user}', member)
  const at = `#/collections/${team.onboarding}`
  const offers = async (token: string) => {
    const page = await open(at, { token })
    await page.getByRole('heading', { name: 'Onboarding', level: 1 }).waitFor()
    const all = []
    for (const words of [
      'rename',
      'duplicate',
      'delete…',
      'new request',
      'copy link',
      'export',
      'history',
      'open desktop',
      'edit'
    ])
      all.push(...(await offeredFor(page, words)))
    return all
  }
  const [desktop, link] = ['Open the hub in the desktop…', 'Copy the link']
  assert.equal(await offers(team.jonas.token), [link, 'Export…', 'History', desktop])
  assert.equal(await offers(team.grace.token), ['History', desktop])
  const all = ['Rename…', 'Duplicate', 'Delete…', 'New request here', link, 'Export…', 'History', desktop, 'Edit']
  assert.equal(await offers(team.mara.token), all)
  await team.grace.ask.request('DELETE', '/admin/groups/{id}', { path: { id: group.id } })
})

test('the hub is opened in the desktop from the palette and from the menu of a record', async ({ open }) => {
  const page = await open(`#/collections/${team.payments}`, { token: team.mara.token })
  // The hub of the tests names an address where nobody listens.
  await page.route('**/auth/desktop-link', async (route) => {
    const answer = z.object({ link: z.url() }).parse(await (await route.fetch()).json())
    const { pathname, search, hash } = new URL(answer.link)
    await route.fulfill({ json: { link: `${new URL(page.url()).origin}${pathname}${search}${hash}` } })
  })
  await palette(page)
  await page.keyboard.type('open desktop')
  await page.getByRole('option', { name: 'Open the hub in the desktop…' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/join\?.*#/)
  await page.goBack()
  await page.getByRole('button', { name: 'More with this collection' }).click()
  await page.getByRole('menuitem', { name: 'Open the hub in the desktop…' }).click()
  await page.waitForURL(/\/join\?.*#/)
})

test('the theme is chosen there or on the page of the account, and stays', async ({ open }) => {
  const page = await open('#/account', { token: team.mara.token })
  const scheme = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const light = await scheme()
  await palette(page)
  await page.keyboard.type('theme dark')
  await page.getByRole('option', { name: 'Theme: dark' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('html[data-theme=dark]').waitFor()
  assert.is.not(await scheme(), light)
  await page.reload()
  await page.locator('html[data-theme=dark]').waitFor()
  const theme = page.getByRole('combobox', { name: 'Theme' })
  await axe(page)
  await picture(page, 'theme-dark')
  await theme.selectOption('system')
  assert.is(await scheme(), light)
})

test('where more is found than is shown, the last line shows more', async ({ open }) => {
  const { ask, token } = team.mara
  const { id } = (await ask.request('POST', '/collections', { body: { name: 'Many' } })).body
  for (let one = 0; one < 40; one++)
    await ask.request('POST', '/collections/{collectionId}/documents', {
      ...{ path: { collectionId: id }, body: { name: `Document ${one}`, content: 'zebrafinch' } }
    })
  const page = await open('#/', { token })
  await page.getByText('Signed in as').first().waitFor()
  await palette(page)
  await page.keyboard.type('zebrafinch')
  await page.getByRole('option', { name: 'Show more' }).click()
  await page
    .getByRole('option', { name: /^Document/ })
    .nth(39)
    .waitFor()
  await page.getByRole('option', { name: 'Show more' }).waitFor({ state: 'detached' })
})

test('a menu that somebody leaves for something else closes', async ({ open }) => {
  const page = await open('#/', { token: team.mara.token })
  const menu = page.getByRole('menu')
  const show = async () => {
    await page.getByRole('button', { name: /^Signed in as/ }).click()
    await page.locator('[role=menuitem]:focus').first().waitFor()
  }
  await show()
  await palette(page)
  await menu.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await show()
  await page.goto('#/snippets')
  await menu.waitFor({ state: 'detached' })
})

run()
