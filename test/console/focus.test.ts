import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('the focus in the console')

const inContent = (page: Page) => page.locator('main:focus').waitFor()

test('who follows a link by keyboard is in what it leads to', async ({ open }) => {
  const page = await open('#/people', { token: team.grace.token })
  await page.getByRole('main').getByRole('link', { name: 'Mara Lindqvist' }).press('Enter')
  await page.getByRole('heading', { name: 'Mara Lindqvist', level: 1 }).waitFor()
  await inContent(page)
})

test('who looks at a collection as it was is in that', async ({ open }) => {
  const page = await open(`#/collections/${team.payments}`, { token: team.mara.token })
  await page.getByRole('button', { name: 'As it was…' }).press('Enter')
  await page.getByText('Back to now').waitFor()
  await inContent(page)
})

test('what has the focus and goes once its work is done leaves it to the content', async ({ open }) => {
  const page = await open('#/notices', { token: team.mara.token })
  await page
    .getByRole('button', { name: /^Mark as read/ })
    .first()
    .press('Enter')
  await inContent(page)
})

test('a button that goes when it is pressed leaves the focus to the content', async ({ open }) => {
  const page = await open('#/audit', { token: team.grace.token })
  await page
    .getByRole('button', { name: /^Show all/ })
    .first()
    .press('Enter')
  await inContent(page)
})

test('who gives up an answer by a key goes on in the content', async ({ open }) => {
  const { payments, mara } = team
  const path = { id: payments }
  await mara.ask.request('POST', '/collections/{id}/discussions', { path, body: { body: 'Since when?' } })
  const page = await open(`#/collections/${payments}`, { token: mara.token })
  await page.getByRole('button', { name: 'Answer' }).first().press('Enter')
  await page.locator('textarea:focus').press('Escape')
  await inContent(page)
})

test('a menu works where buttons take no focus from the pointer, as in Safari, and what is around them does', async ({
  open
}) => {
  const page = await open(`#/collections/${team.payments}`, { token: team.mara.token })
  await page.evaluate(`addEventListener('mousedown', (event) => {
    if (event.defaultPrevented) return
    event.preventDefault()
    document.getElementById('content').focus()
  })`)
  const more = page.getByRole('button', { name: 'More with this collection' })
  await more.click()
  await more.click()
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Rename…' }).click()
  await page.getByRole('dialog').waitFor()
})

test('a dialog that asks for something begins in its first field', async ({ open }) => {
  const page = await open('#/groups', { token: team.grace.token })
  const begins = async (path: string, button: string, label: string) => {
    await page.goto(path)
    await page.getByRole('button', { name: button }).press('Enter')
    await page.getByRole('dialog').getByLabel(label).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await begins('#/groups', 'New group', 'Name')
  await begins('#/usage', 'New budget', 'Name')
  await begins('#/webhooks', 'New webhook', 'URL')
  await begins('#/account', 'Issue a token…', 'What to call it')
})

test('a button that is at work keeps the focus, and does nothing twice', async ({ open }) => {
  const page = await open('#/health', { token: team.grace.token })
  let asked = 0
  let answer = () => {}
  const asksAgain = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/[/]admin[/]config[/]reload/, async (route) => {
    asked++
    await asksAgain
    await route.continue()
  })
  const button = page.getByRole('button', { name: 'Read it again' })
  await button.press('Enter')
  await page.locator('button:focus[aria-busy=true]').waitFor()
  await page.keyboard.press('Enter')
  answer()
  await page.locator('button:focus[aria-busy=false]', { hasText: 'Read it again' }).waitFor()
  assert.is(asked, 1)
})

test('a choice that is saved at once keeps the focus', async ({ open }) => {
  const page = await open('#/notices', { token: team.mara.token })
  let save = () => {}
  const saved = new Promise<void>((resolve) => {
    save = resolve
  })
  await page.route('**/me/notification-settings', async (route) => {
    if (route.request().method() === 'PUT') await saved
    await route.continue()
  })
  await page.getByLabel('Tell me about').focus()
  await page.keyboard.press('ArrowDown')
  await page.locator('select:disabled').waitFor()
  save()
  await page.locator('select:focus').waitFor()
})

test('each control of a form shows that it has the focus', async ({ open }) => {
  const { payments, refund } = team
  const page = await open(`#/collections/${payments}/requests/${refund.id}?edit=yes`, { token: team.mara.token })
  for (const name of ['URL', 'Body', 'Before the request']) {
    await page.locator('.cm-content').nth(1).waitFor()
    await page.getByRole('textbox', { name, exact: true }).focus()
    assert.is(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'solid', name)
  }
})

run()
