import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite } from './support/browser.js'
import { LOOKS, looksWell } from './support/looks.js'
import { seed, type Team } from './support/seed.js'

let team: Team
const { test, run } = browserSuite('browsing in the console', async (hub) => {
  team = await seed(hub)
})
const mara = () => ({ token: team.mara.token })
const refund = () => `#/collections/${team.payments}/requests/${team.refund.id}`

const VIEWS: Readonly<Record<string, { readonly path: () => string; readonly heading: () => string }>> = {
  collections: { path: () => '#/', heading: () => 'Collections' },
  collection: { path: () => `#/collections/${team.payments}`, heading: () => 'Payments' },
  request: { path: refund, heading: () => team.refund.name },
  environments: { path: () => '#/environments', heading: () => 'Environments' },
  snippets: { path: () => '#/snippets', heading: () => 'Snippets' }
}

for (const [view, { path, heading }] of Object.entries(VIEWS)) {
  for (const [look, options] of LOOKS) {
    test(`${view}${look} is whole, fits, and anybody can use it`, async ({ open }) => {
      const page = await open(path(), { ...mara(), ...options })
      await page.getByRole('heading', { name: heading(), level: 1 }).waitFor()
      await settled(page)
      await looksWell(page, `${view}${look}`)
    })
  }
}

/** Waits until nothing is being loaded any more. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Signed in as/ }).waitFor()
  await page.waitForFunction(`!document.querySelector('[aria-busy=true]')`)
}

test('signing in refuses what is no token, in the words of the hub', async ({ open, expectFailures }) => {
  expectFailures(/401/)
  const page = await open('#/')
  await looksWell(page, 'sign-in')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Paste your token here first.').waitFor()
  await page.getByLabel('Token').fill('hbk_nonsense')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  assert.is(await page.evaluate(`sessionStorage.getItem('hub.token')`), null)
})

test('the tree is walked by arrows and letters, and opens by Enter', async ({ open }) => {
  const page = await open('#/', mara())
  const tree = page.getByRole('tree', { name: 'Collections' })
  await tree.getByRole('treeitem', { name: 'Payments' }).waitFor()
  await tree.focus()
  await page.keyboard.type('pay')
  await page.keyboard.press('ArrowRight')
  await tree.getByRole('treeitem', { name: 'Refunds' }).waitFor()
  await page.keyboard.type('ref')
  await page.keyboard.press('ArrowRight')
  await tree.getByRole('treeitem', { name: `POST ${team.refund.name}`, exact: true }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'History' }).waitFor()
  assert.match(page.url(), /#\/collections\/.+\/requests\//)
})

test('what somebody else changes appears by itself', async ({ open }) => {
  const { id } = (await team.tomas.ask.request('POST', '/snippets', { body: { name: 'Sign a body', code: 'one()' } }))
    .body
  const page = await open(`#/snippets/${id}`, mara())
  await page.getByText('one()').waitFor()
  const body = { name: 'Sign every body', code: 'two()', scope: 'any' } as const
  await team.tomas.ask.request('PUT', '/snippets/{id}', { path: { id }, body })
  await page.getByRole('heading', { name: 'Sign every body', level: 1 }).waitFor()
  await page.getByText('two()').waitFor()
  await page.getByRole('complementary', { name: 'History' }).getByText(team.tomas.name).first().waitFor()
})

test('secrets are masked until they are asked for', async ({ open }) => {
  const body = { name: 'Vault' }
  const { id } = (await team.mara.ask.request('POST', '/environments', { body })).body
  const secret = { key: 'apiToken', value: 'very-secret', defaultValue: '', share: true, enabled: true }
  await team.mara.ask.request('PUT', '/environments/{id}', { path: { id }, body: { ...body, variables: [secret] } })
  const page = await open(`#/environments/${id}`, mara())
  await page.getByText('apiToken').waitFor()
  assert.is(await page.getByText('very-secret').count(), 0)
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('very-secret').waitFor()
})

test('an administrator sees records as they are, and is not offered to change them', async ({ open }) => {
  const page = await open(refund(), { token: team.grace.token })
  await page.getByRole('heading', { name: team.refund.name, level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Copy as cURL' }).waitFor()
  assert.is(await page.getByRole('link', { name: 'Edit' }).count(), 0)
})

run()
