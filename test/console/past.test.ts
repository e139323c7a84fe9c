import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { axe, looksWell, looksWellOnBoth } from './support/looks.js'
import { likeRefund } from './support/requests.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('the past of records in the console')
const refund = () => `#/collections/${team.payments}/requests/${team.refund.id}`
const mara = () => ({ token: team.mara.token })
const timeline = (page: Page) => page.getByRole('complementary', { name: 'History' })
const urlOf = async () =>
  (await team.mara.ask.request('GET', '/requests/{id}', { path: { id: team.refund.id } })).body.url

test('two versions stand beside each other, with what differs in words', async ({ open }) => {
  const page = await open(`${refund()}?versions=2,4`, mara())
  const field = (label: string) => page.getByRole('group', { name: label, exact: true })
  await field('URL').getByText('removed: ').waitFor()
  assert.match(
    (await field('URL').textContent()) ?? '',
    /charges\/\{\{chargeId\}\}\/refunds.*added: .*\{\{chargeId\/refunds/
  )
  await field('Script after the response').waitFor()
  await page.getByText(/^and \d technical fields$/).waitFor()
  await looksWellOnBoth(page, 'past-compared')
})

test('a record as it was says so above everything else', async ({ open }) => {
  const page = await open(`${refund()}?at=2026-03-06`, mara())
  await page.getByText(/^As it was on .*6 March 2026/).waitFor()
  await page.getByText('Version 3: Mara Lindqvist changed body and script after the response.').waitFor()
  await page.getByText(team.refund.goodUrl, { exact: true }).waitFor()
  await looksWellOnBoth(page, 'past-as-it-was')
  await page.getByRole('link', { name: 'Back to now' }).click()
  await page.getByText(team.refund.brokenUrl, { exact: true }).waitFor()
})

test('a line of the timeline leads to what it changed, and any two can be chosen by keyboard', async ({ open }) => {
  const page = await open(refund(), mara())
  const lines = timeline(page).getByRole('listitem')
  await lines.filter({ hasText: 'created it' }).waitFor()
  assert.equal(
    (await lines.allTextContents()).map((text) => text.replace(/As it was.*/, '').trim()),
    [
      'Tomás Ferreira changed URL and body',
      'Mara Lindqvist changed body and script after the response',
      'Priya Raman changed headers and comment',
      'Mara Lindqvist created it'
    ]
  )
  await page.getByRole('link', { name: 'changed URL and body' }).press('Enter')
  await page.getByRole('heading', { name: 'Version 4' }).waitFor()
  assert.match(page.url(), /versions=3%2C4/)
  await page.getByRole('checkbox', { name: /created it/ }).press('Space')
  await page.getByRole('heading', { name: 'Version 1' }).waitFor()
  assert.match(page.url(), /versions=4%2C1/)
  await page.goBack()
  await page.getByRole('heading', { name: 'Version 3' }).waitFor()
})

test('what may be a secret is masked on both sides until somebody asks for it', async ({ open }) => {
  const { body: before } = await team.priya.ask.request('GET', '/environments', { query: { fields: 'id,name' } })
  const [{ id = '' } = {}] = before.environments
  const variable = (value: string) => ({ key: 'apiKey', value, defaultValue: '', share: false, enabled: true })
  const { ask } = team.priya
  const save = async (value: string) => {
    const body = { name: 'Keys', variables: [variable(value)] }
    await ask.request('PUT', '/environments/{id}', { path: { id }, body })
  }
  await save('first-secret')
  await save('second-secret')
  const { count } = (await ask.request('GET', '/environments/{id}/history', { path: { id } })).body
  const page = await open(`#/environments/${id}?versions=${count - 1},${count}`, { token: team.priya.token })
  const field = page.getByRole('group', { name: 'Variable apiKey: value' })
  await field.waitFor()
  assert.not.match((await page.textContent('main')) ?? '', /-secret/)
  await page.getByRole('button', { name: 'Show Variable apiKey: value' }).press('Enter')
  await field.getByText('second-secret').waitFor()
  assert.match((await field.textContent()) ?? '', /removed: first-secret.*added: second-secret/)
})

test('keys in a URL are masked where versions are compared, until somebody asks for them', async ({ open }) => {
  const [first, second] = [
    'https://api.example.com/a?api_key=first-key',
    'https://api.example.com/b#access_token=second-key'
  ] as const
  const { id, link, ...made } = await likeRefund(team, 'Keys in the URL', { url: first })
  await team.mara.ask.request('PUT', '/requests/{id}', { path: { id }, body: { ...made, url: second } })
  const page = await open(`${link}?versions=1,2`, mara())
  const field = page.getByRole('group', { name: 'URL', exact: true })
  await field.getByText('#access_token=••••••••').waitFor()
  assert.not.match((await page.textContent('body')) ?? '', /(?:first|second)-key/)
  await axe(page)
  await page.getByRole('button', { name: 'Show URL' }).click()
  await field.getByText('second-key').waitFor()
})

test('a restore shows first what it would change, names who was faster, and can be taken back', async ({
  open,
  hub
}) => {
  const page = await open(`${refund()}?versions=3,4`, mara())
  await page.getByRole('region', { name: 'Before' }).getByRole('button', { name: 'Restore…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Restore version 3?' })
  await dialog.getByRole('group', { name: 'URL', exact: true }).waitFor()
  await looksWell(page, 'past-restore')
  const path = { id: team.refund.id }
  const { body: now } = await team.priya.ask.request('GET', '/requests/{id}', { path })
  hub.clock.pass(1)
  await team.priya.ask.request('PUT', '/requests/{id}', { path, body: { ...now, comment: 'Is it this?' } })
  await dialog.getByText(/Priya Raman was faster, and changed comment/).waitFor()
  await dialog.getByRole('group', { name: 'Comment', exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText('Version 3 is restored.').waitFor()
  assert.is(await urlOf(), team.refund.goodUrl)
  await timeline(page).getByText('restored version 3').waitFor()
  await page.getByRole('button', { name: 'Take back' }).click()
  await page.getByText('It is as it was before.').waitFor()
  assert.is(await urlOf(), team.refund.brokenUrl)
})

test('what others change meanwhile appears in the timeline by itself', async ({ open }) => {
  const page = await open(refund(), mara())
  await timeline(page).getByText('created it').waitFor()
  const path = { id: team.refund.id }
  const { body: now } = await team.tomas.ask.request('GET', '/requests/{id}', { path })
  await team.tomas.ask.request('PUT', '/requests/{id}', { path, body: { ...now, name: 'Refund a charge' } })
  await timeline(page).getByRole('link', { name: 'renamed it' }).waitFor()
})

test('of many versions the newest are there, and the others when they are asked for', async ({ open }) => {
  const { ask } = team.mara
  const { id } = (await ask.request('POST', '/snippets', { body: { name: 'Often', code: 'x()' } })).body
  for (let i = 0; i < 31; i++) {
    await ask.request('PUT', '/snippets/{id}', { path: { id }, body: { name: `Often ${i}`, code: 'x()' } })
  }
  const page = await open(`#/snippets/${id}`, mara())
  const lines = timeline(page).getByRole('listitem')
  await lines.first().waitFor()
  assert.is(await lines.count(), 30)
  await page.getByRole('button', { name: 'Older' }).click()
  await timeline(page).getByText('created it').waitFor()
  assert.is(await lines.count(), 32)
  assert.is(await page.getByRole('button', { name: 'Older' }).count(), 0)
})

test('a text of a megabyte is compared without holding up the page', async ({ open }) => {
  const path = { collectionId: team.payments }
  const text = 'The amount is in cents. '.repeat(45_000)
  const { ask } = team.mara
  const body = { name: 'Long', content: text }
  const { id, ...rest } = (await ask.request('POST', '/collections/{collectionId}/documents', { path, body })).body
  const content = `${text.slice(0, 500_000)}It is not in euros. ${text.slice(500_000)}`
  await ask.request('PUT', '/documents/{id}', { path: { id }, body: { ...rest, content } })
  const page = await open(`#/collections/${team.payments}/documents/${id}?versions=1,2`, mara())
  await page.getByRole('group', { name: 'Text', exact: true }).getByText('removed: ').first().waitFor()
  await page.getByRole('link', { name: 'Back to now' }).click()
  await page.getByRole('heading', { name: 'Long', level: 1 }).waitFor()
})

test('administrators read the same timeline from the log, and restore nothing', async ({ open }) => {
  const page = await open(refund(), { token: team.grace.token })
  await timeline(page).getByRole('link', { name: 'changed headers and comment' }).click()
  await page.getByRole('heading', { name: 'After' }).waitFor()
  await page.getByRole('group', { name: 'Header Idempotency-Key', exact: true }).waitFor()
  await timeline(page)
    .getByRole('link', { name: /As it was/ })
    .first()
    .click()
  await page.getByText(/^As it was on/).waitFor()
  assert.is(await page.getByRole('button', { name: /Restore/ }).count(), 0)
  await axe(page)
})

test('bodies of JSON are compared by structure too, numbers to their last digit', async ({ open }) => {
  const first = '{"id":12345678901234567890,"a":{"b":{{b}}},"items":[{"id":1},{"id":2}]}'
  const body =
    '{\n  "a": { "b": {{b}} },\n  "items": [{"id": 0}, {"id": 1}, {"id": 2}],\n  "id": 12345678901234567891\n}'
  const { id, link, ...made } = await likeRefund(team, 'Structured', { bodyType: 'json', body: first })
  await team.mara.ask.request('PUT', '/requests/{id}', { path: { id }, body: { ...made, body } })
  const page = await open(`${link}?versions=1,2`, mara())
  await page.getByRole('button', { name: 'By structure' }).click()
  await page.getByRole('group', { name: 'id', exact: true }).waitFor()
  assert.is(await page.getByRole('group', { name: 'a.b', exact: true }).count(), 0)
  await page.getByRole('group', { name: 'items[0]', exact: true }).getByText('{"id": 0}').waitFor()
  assert.is(await page.getByRole('group', { name: /^items/ }).count(), 1)
  await axe(page)
  await page.getByRole('button', { name: 'Line by line' }).click()
  await page.getByRole('group', { name: 'Body' }).waitFor()
})

test('a difference is talked about: what is said has the way to it', async ({ open }) => {
  const page = await open(`${refund()}?versions=2,4`, mara())
  await page.getByLabel('Say something of this difference').fill('Was this on purpose?')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByText('Was this on purpose?').first().waitFor()
  await axe(page)
  await page.goto(refund())
  const link = page.getByRole('link', { name: 'Versions 2 and 4' })
  assert.match((await link.getAttribute('href')) ?? '', /versions=2,4$/)
})

run()
