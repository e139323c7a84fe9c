import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { holdRequests } from './support/held.js'
import { pressUntil } from './support/keyboard.js'
import { LOOKS, looksWell } from './support/looks.js'
import { likeRefund } from './support/requests.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('browsing in the console')
const mara = () => ({ token: team.mara.token })
const refund = () => `#/collections/${team.payments}/requests/${team.refund.id}`

const VIEWS: Readonly<Record<string, { readonly path: () => string; readonly heading: () => string }>> = {
  collections: { path: () => '#/', heading: () => 'Collections' },
  collection: { path: () => `#/collections/${team.payments}`, heading: () => 'Payments' },
  request: { path: refund, heading: () => team.refund.name },
  environments: { path: () => '#/environments', heading: () => 'Environments' },
  snippets: { path: () => '#/snippets', heading: () => 'Snippets' }
}

for (const [look, options] of LOOKS) {
  test(`each page${look} is whole, fits, and anybody can use it`, async ({ open }) => {
    const page = await open('#/', { ...mara(), ...options })
    for (const [view, { path, heading }] of Object.entries(VIEWS)) {
      await page.goto(path())
      await page.getByRole('heading', { name: heading(), level: 1 }).waitFor()
      await settled(page)
      await looksWell(page, `${view}${look}`)
    }
  })
}

/** Waits until nothing is being loaded any more. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Signed in as/ }).waitFor()
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

test('the lines that stand for a page begin where its text will', async ({ open }) => {
  const page = await open('#/', mara())
  await settled(page)
  const go = await holdRequests(page, `**/requests/${team.refund.id}`, 'GET')
  await page.goto(refund())
  const line = await page.locator('main [aria-busy=true] [aria-hidden] span').first().boundingBox()
  go()
  const title = await page.getByRole('heading', { name: team.refund.name, level: 1 }).boundingBox()
  assert.is(line?.x, title?.x)
})

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

test('what of a collection could not be read is read from the tree when somebody asks for it', async ({
  open,
  expectFailures
}) => {
  expectFailures(/500/)
  const page = await open('#/', mara())
  const tree = page.getByRole('tree', { name: 'Collections' })
  const payments = tree.getByRole('treeitem', { name: 'Payments' })
  await payments.waitFor()
  const folders = `**/collections/${team.payments}/folders?*`
  await page.route(folders, (route) => route.fulfill({ status: 500, json: { error: 'Something broke.' } }))
  await tree.focus()
  await page.keyboard.type('pay')
  await page.keyboard.press('ArrowRight')
  await tree.getByRole('treeitem', { name: 'Try again: Something broke.' }).waitFor()
  await page.unroute(folders)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await tree.getByRole('treeitem', { name: 'Refunds' }).waitFor()
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

test('the tree stays where it is scrolled to when somebody deletes what is open in it', async ({
  open,
  expectFailures
}) => {
  expectFailures(/403|404/)
  const { ask } = team.mara
  const { id: collectionId } = (await ask.request('POST', '/collections', { body: { name: 'Zz, a long one' } })).body
  const path = { collectionId }
  for (let n = 10; n < 70; n++)
    await ask.request('POST', '/collections/{collectionId}/documents', {
      path,
      body: { name: `Page ${n}`, content: '' }
    })
  const page = await open(`#/collections/${collectionId}`, { token: team.mara.token })
  const tree = page.getByRole('tree')
  await tree.getByText('Page 10').waitFor()
  await tree.focus()
  await page.keyboard.press('End')
  await tree.getByText('Page 69').click()
  await page.getByRole('heading', { name: 'Page 69', level: 1 }).waitFor()
  const id = page.url().split('/').at(-1) ?? ''
  await ask.request('DELETE', '/documents/{id}', { path: { id } })
  await page
    .getByRole('heading', { name: 'It is not here' })
    .or(page.getByRole('heading', { name: 'This is not yours to see' }))
    .waitFor()
  await tree.getByText('Page 69').waitFor({ state: 'detached' })
  await tree.getByText('Page 68').waitFor()
})

test('what is made appears also while more is made, more quickly than the hub answers', async ({ open }) => {
  const { ask, token } = team.mara
  const { id: collectionId } = (await ask.request('POST', '/collections', { body: { name: 'Zy, a busy one' } })).body
  const path = { collectionId }
  const page = await open(`#/collections/${collectionId}`, { token })
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByText('Nothing in it yet.').waitFor()
  await page.route(/(folders|requests|documents)\?fields/, async (route) => {
    await setTimeout(700)
    await route.continue()
  })
  const shown = page.getByRole('tree').getByText(/^Number/)
  let made = 0
  while (made < 60 && (await shown.count()) === 0) {
    const body = { name: `Number ${made++}`, content: '' }
    await ask.request('POST', '/collections/{collectionId}/documents', { path, body })
    await setTimeout(60)
  }
  assert.ok(made < 60, 'something is shown before all is made')
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

test('the palette leads back to what was opened last, and ? tells what keys do', async ({ open }) => {
  const page = await open(refund(), mara())
  await page.getByRole('heading', { name: team.refund.name, level: 1 }).waitFor()
  await page.goto(`#/collections/${team.search}`)
  await page.getByRole('heading', { name: 'Search API', level: 1 }).waitFor()
  const opened = page.getByRole('option').nth(1).getByText(team.refund.name)
  await pressUntil(page, 'Control+k', opened)
  await opened.waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: team.refund.name, level: 1 }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).getByText('Save what is edited').waitFor()
  await looksWell(page, 'keys')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('what variables stand for is told, and filled into what is copied; secrets where they are asked for', async ({
  open
}) => {
  const fields = [
    { key: 'charge', value: '{{chargeId}}', enabled: true },
    { key: 'password', value: 'abc', enabled: true }
  ]
  const form = { bodyType: 'urlencoded', body: JSON.stringify(fields), url: '{{baseUrl}}/v1/refunds' }
  const page = await open((await likeRefund(team, 'Form', form)).link, {
    ...mara(),
    permissions: ['clipboard-read', 'clipboard-write']
  })
  const variables = page.getByRole('table', { name: 'Variables' })
  await page.getByRole('heading', { name: 'Body' }).waitFor()
  await page.getByRole('table', { name: 'Body' }).getByText('charge', { exact: true }).waitFor()
  await variables.getByRole('row', { name: 'baseUrl https://api.payments.example' }).waitFor()
  await page.getByRole('combobox', { name: 'Environment' }).selectOption('Staging')
  await variables.getByText('https://staging.payments.example').waitFor()
  await variables.getByRole('row', { name: 'chargeId ch_3Ld8Qz' }).waitFor()
  assert.is(await page.getByTitle('https://staging.payments.example (Staging)').count(), 1)
  await page.getByTitle('Secret (Staging)').waitFor()
  assert.is(await page.getByText('stg_5Kq2vX8m').count(), 0)

  const copied = async () => {
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByText('Copied', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    return page.evaluate<string>('navigator.clipboard.readText()')
  }
  await page.getByRole('button', { name: 'Copy as…' }).click()
  await page.getByRole('dialog').getByText('--url').waitFor()
  await looksWell(page, 'copying')
  assert.is(
    await copied(),
    `curl --globoff --url 'https://staging.payments.example/v1/refunds' \\
  -X POST \\
  -H 'X-Client: hub-team' \\
  -H 'Accept: application/json' \\
  -H 'Idempotency-Key: {{$uuid}}' \\
  -H 'Authorization: Bearer {{token}}' \\
  --data-raw 'charge=ch_3Ld8Qz&password=••••••••'`.replace('--globoff ', '')
  )
  await page.getByRole('button', { name: 'Copy as…' }).click()
  await page.getByRole('combobox', { name: 'As', exact: true }).selectOption('HTTPie')
  await page.getByRole('checkbox', { name: 'With secrets' }).check()
  const whole = await copied()
  assert.match(whole, /^http --ignore-stdin .*'Authorization:Bearer stg_5Kq2vX8m'/s)
  assert.match(whole, /password=abc/)
})

test('what variables in a path stand for is told, and what nothing sets is marked', async ({ open }) => {
  const url = '{{baseUrl}}/v1/charges/:chargeId/lines/:line'
  const { link } = await likeRefund(team, 'Line of a charge', { url, headers: [], body: '', bodyType: 'none' })
  const page = await open(link, mara())
  const variables = page.getByRole('table', { name: 'Variables' })
  await variables.getByRole('row', { name: ':line Nothing sets this.' }).waitFor()
  await page.getByRole('combobox', { name: 'Environment' }).selectOption('Staging')
  await variables.getByRole('row', { name: ':chargeId ch_3Ld8Qz' }).waitFor()
  assert.is(await page.locator('span', { hasText: /^:chargeId$/ }).getAttribute('title'), 'ch_3Ld8Qz (Payments)')
  assert.is(await page.locator('span', { hasText: /^:line$/ }).getAttribute('title'), 'Nothing sets this variable.')
  await looksWell(page, 'path-variables')
  await page.getByRole('button', { name: 'Copy as…' }).click()
  const copy = page.getByRole('dialog').locator('pre').first()
  await copy.getByText('https://staging.payments.example/v1/charges/ch_3Ld8Qz/lines/:line').waitFor()
  await page.getByRole('dialog').getByText('Not filled in: :line (nothing sets it)').waitFor()
})

test('references are told in a body, in what a collection adds, and in an environment', async ({ open }) => {
  const { ask } = team.mara
  const json = { bodyType: 'json', body: '{"at": "{{baseUrl}}/x", "n": {{amount}}}' }
  const page = await open((await likeRefund(team, 'With a body', json)).link, mara())
  const code = page.getByRole('region', { name: 'Body' })
  await code.getByTitle('https://api.payments.example (Payments)').filter({ hasText: '{{baseUrl}}' }).waitFor()
  const unset = await code.getByTitle('Nothing sets this variable.').allTextContents()
  assert.is(unset.join(''), '{{amount}}')
  assert.is(await code.textContent(), json.body)
  await looksWell(page, 'referring')

  const made = (await ask.request('POST', '/collections', { body: { name: 'Adding' } })).body
  const { body: before, etag } = await ask.request('GET', '/collections/{id}', { path: { id: made.id } })
  const variable = (key: string, value: string) => ({ key, value, defaultValue: '', share: true, enabled: true })
  const headers = [{ key: 'X-Team', value: '{{team}} {{nobody}}', enabled: true }]
  const adding = { ...before, variables: [variable('team', 'hub')], headers }
  await ask.request('PUT', '/collections/{id}', { path: { id: made.id }, body: adding, ifMatch: etag ?? '' })
  await page.goto(`#/collections/${made.id}`)
  const added = page.getByRole('table', { name: 'Headers of every request' })
  await added.getByTitle('hub (Adding)').waitFor()
  await added.getByTitle('Nothing sets this variable.').filter({ hasText: '{{nobody}}' }).waitFor()

  const variables = [variable('host', 'api.test'), variable('base', 'https://{{host}}/{{version}}')]
  const named = { name: 'Referring', variables }
  const environment = (await ask.request('POST', '/environments', { body: { name: named.name } })).body
  await ask.request('PUT', '/environments/{id}', { path: { id: environment.id }, body: named })
  await page.goto(`#/environments/${environment.id}`)
  await page.getByTitle('api.test (Referring)').waitFor()
  await page
    .getByTitle('Not set in this environment: a collection may set it.')
    .filter({ hasText: '{{version}}' })
    .waitFor()
})

test('what is secret in a URL is masked where it is read and copied, until somebody asks for it', async ({ open }) => {
  const url = 'https://me:open@api.example.com/v1?api_key=abc&page=2'
  const nothingElse = { params: [], headers: [], body: '', bodyType: 'none' }
  const page = await open((await likeRefund(team, 'Keys in the URL', { url, ...nothingElse })).link, mara())
  const masked = 'https://me:••••••••@api.example.com/v1?api_key=••••••••&page=2'
  await page.getByText(masked, { exact: true }).waitFor()
  await looksWell(page, 'masked-url')
  await page.getByRole('button', { name: 'Copy as…' }).click()
  await page.getByRole('dialog').locator('pre').first().getByText(masked).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Show', exact: true }).first().click()
  await page.getByText(url, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Mask', exact: true }).first().waitFor()
})

test('where the browser copies nothing for a page, the command and the link are selected to be copied by hand', async ({
  open
}) => {
  const page = await open(refund(), mara())
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
  const selected = `(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)`
  await page.getByRole('button', { name: 'Copy as…' }).click()
  await page.getByRole('combobox', { name: 'As', exact: true }).selectOption('cURL')
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByText('It is selected: copy it with your keyboard.').waitFor()
  assert.match(await page.evaluate<string>(selected), /^curl .*--data-raw '[^']*'$/s)
  await looksWell(page, 'copied-by-hand')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More with this request' }).click()
  await page.getByRole('menuitem', { name: 'Copy the link' }).click()
  await page.getByRole('button', { name: 'Copy: Link' }).click()
  await page.getByText('It is selected: copy it with your keyboard.').waitFor()
  assert.is(await page.evaluate<string>(selected), page.url())
})

test('what is printed is all of the page, and nothing around it', async ({ open }) => {
  const { payments, refund, mara } = team
  const page = await open(`#/collections/${payments}/requests/${refund.id}`, { token: mara.token, height: 300 })
  await page.getByRole('heading', { name: 'Headers' }).waitFor()
  await page.emulateMedia({ media: 'print' })
  assert.is(await page.getByRole('navigation', { name: 'Hub' }).isVisible(), false)
  assert.is(await page.getByRole('banner').isVisible(), false)
  assert.ok(await page.evaluate('document.documentElement.scrollHeight > 600'))
})

run()
