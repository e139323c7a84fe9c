import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite } from './support/browser.js'
import { axe, picture } from './support/looks.js'
import { seed, type Team } from './support/seed.js'

/** Opens the palette; a page that has just appeared may not hear the keys yet. */
async function palette(page: Page) {
  const input = page.getByRole('combobox', { name: 'Search' })
  for (let tries = 0; tries < 20 && !(await input.isVisible()); tries++) {
    await page.keyboard.press('Control+k')
    await page.waitForTimeout(100)
  }
}

let team: Team
const { test, run } = browserSuite('what the palette does', async (hub) => {
  team = await seed(hub)
})

test('it makes something new, goes somewhere and shows keys, by keyboard alone', async ({ open }) => {
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
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
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

run()
