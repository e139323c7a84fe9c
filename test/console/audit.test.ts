import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { axe, inEachColour, LOOKS, looksWell, looksWellOnBoth } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('the log in the console')
const admin = () => ({ token: team.grace.token })
const entriesOf = async (query: object) =>
  (await team.grace.ask.request('GET', '/admin/audit', { query: { limit: 500, ...query } })).body.entries
const said = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text }).first()

for (const [look, options] of LOOKS) {
  test(`audit${look}: who did what, in sentences that unfold into what was different`, async ({ open }) => {
    const page = await open('#/audit?kind=request', { ...admin(), ...options })
    const broken = said(page, 'Tomás Ferreira changed the request Refund')
    await broken.getByText('URL, body').waitFor()
    await broken.getByRole('button', { name: 'Details' }).press('Enter')
    await broken.getByText('{{chargeId/refunds', { exact: false }).first().waitFor()
    await broken.getByRole('link', { name: 'All of this request' }).waitFor()
    assert.match(page.url(), /open=\d+/)
    await looksWell(page, `audit${look}`)
    await page.reload()
    await broken.getByRole('link', { name: 'Everything by this token' }).waitFor()
  })
}

test('a value beside the list narrows it, shows in the address, and goes back', async ({ open }) => {
  const page = await open('#/audit', admin())
  // The kinds are the first of what narrows, and there are more than are shown at first.
  await page
    .getByRole('button', { name: /^Show all/ })
    .first()
    .click()
  const facets = page.getByRole('complementary', { name: 'Narrow the search by what it finds' })
  await facets.getByRole('link', { name: 'Webhooks' }).click()
  await said(page, 'Grace Holm made a webhook').waitFor()
  assert.match(page.url(), /kind=webhook/)
  await page.getByRole('link', { name: 'Webhook created' }).click()
  await page.getByRole('list', { name: 'Filters' }).getByText('Webhook created').waitFor()
  assert.match(page.url(), /kind=webhook&type=WebhookCreated|type=WebhookCreated&kind=webhook/)
  await page.getByRole('link', { name: 'Take away: Webhooks' }).press('Enter')
  await page.waitForURL(/audit\?type=WebhookCreated$/)
  await page.goBack()
  await page.getByRole('link', { name: 'Take away: Webhooks' }).waitFor()
})

test('a person by name, a day, and a range are filters, and what finds nothing says so', async ({
  open,
  expectFailures
}) => {
  expectFailures(/400/)
  const page = await open('#/audit', admin())
  await page.getByRole('textbox', { name: 'Person' }).fill('priya raman')
  await page.keyboard.press('Enter')
  await said(page, 'Priya Raman changed the request Refund').waitFor()
  await page.getByRole('combobox', { name: 'Narrow by' }).selectOption('Day')
  await page.getByLabel('Day', { exact: true }).fill('2026-03-02')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('link', { name: 'Take away: 2 Mar 2026' }).waitFor()
  await page.getByText('That is all.').waitFor()
  await page.getByRole('link', { name: 'Today' }).click()
  await page.getByRole('heading', { name: 'Nothing was found' }).waitFor()
  await axe(page)
  await page.getByRole('link', { name: 'Take all away' }).click()
  await said(page, 'Grace Holm').waitFor()
  await page.getByRole('combobox', { name: 'Narrow by' }).selectOption('Person')
  await page.getByRole('textbox', { name: 'Person' }).focus()
  await page.keyboard.insertText('x'.repeat(501))
  await page.keyboard.press('Enter')
  await page.getByText('actor: Longer than 500 characters').waitFor()
})

test('the filter that is set is saved under a name, set again from there, and removed', async ({ open }) => {
  const page = await open('#/audit', admin())
  await said(page, 'Grace Holm').waitFor()
  assert.is(await page.getByRole('button', { name: 'Save this filter…' }).count(), 0)
  await page.goto('#/audit?kind=request&type=RequestUpdated')
  await page.getByRole('button', { name: 'Save this filter…' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(' Broken <requests> ')
  await inEachColour(page, (colour) => axe(page, colour))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const saved = page.getByRole('link', { name: 'Broken <requests>' })
  await saved.waitFor()
  await looksWellOnBoth(page, 'audit-saved')
  await page.getByRole('link', { name: 'Take all away' }).click()
  await page.reload()
  await saved.click()
  await page.getByRole('list', { name: 'Filters' }).getByText('Request updated').waitFor()
  assert.match(page.url(), /type=RequestUpdated/)
  await page.getByRole('button', { name: 'Remove the filter Broken <requests>' }).click()
  await saved.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save this filter…' }).waitFor()
})

test('a search is one entry of the log, and searches right behind each other are one line', async ({ open }) => {
  const reads = async () => (await entriesOf({ type: 'AuditRead' })).length
  const before = await reads()
  const page = await open('#/audit?kind=webhook', admin())
  await page.getByRole('link', { name: 'Webhook created' }).waitFor()
  await said(page, 'made a webhook').waitFor()
  // This question itself is the other one.
  assert.is((await reads()) - before, 2)
  await page.goto('#/audit')
  const run = said(page, 'Grace Holm read the log')
  await run.getByRole('button').press('Enter')
  await said(page, 'searched the log by kind').waitFor()
})

test('what is noted again and again is one line, and an export has as many entries as the page says', async ({
  open
}) => {
  for (const name of ['One', 'Two', 'Three'])
    await team.mara.ask.request('POST', '/snippets', { body: { name: `${name}`, code: '1', scope: 'any' } })
  const page = await open('#/audit', admin())
  const noted = said(page, 'requests of Mara Lindqvist were noted')
  await noted.getByRole('button').press('Enter')
  await said(page, 'The request of Mara Lindqvist was noted').waitFor()
  for (const name of ['One', 'Two', 'Three']) await said(page, `made the snippet ${name}`).waitFor()
  await looksWellOnBoth(page, 'audit-folded')
  await page.getByRole('button', { name: 'Export' }).click()
  const words = /This search finds ([\d,]+) entries, from entry/
  const dialog = page.getByRole('dialog')
  const text = (await dialog.getByText(words).textContent()) ?? ''
  await inEachColour(page, (colour) => axe(page, colour))
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save as NDJSON' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\n')
  assert.is(words.exec(text)?.[1]?.replaceAll(',', ''), String(lines.length))
  await page.getByText(`This search finds ${lines.length.toLocaleString('en')} entries.`).waitFor({ state: 'attached' })
})

test('what happens while somebody looks is loaded when they want it', async ({ open }) => {
  const page = await open('#/audit?kind=snippet', admin())
  await page.getByText('That is all.').waitFor()
  const path = { id: (await team.mara.ask.request('GET', '/snippets')).body.snippets[0]?.id ?? '' }
  const { body } = await team.mara.ask.request('GET', '/snippets/{id}', { path })
  await team.mara.ask.request('PUT', '/snippets/{id}', { path, body: { ...body, name: 'Renamed meanwhile' } })
  await page.getByRole('button', { name: '1 new entry' }).click()
  await said(page, 'Mara Lindqvist changed the snippet Renamed meanwhile').waitFor()
  assert.is(await page.getByRole('button', { name: 'new entry' }).count(), 0)
})

test('a file has exactly the entries that are shown, and nothing that a spreadsheet would run', async ({ open }) => {
  const body = { name: '=HYPERLINK("https://evil.example")' }
  await team.priya.ask.request('POST', '/environments', { body })
  const page = await open('#/audit?kind=environment', admin())
  await page.getByText('That is all.').waitFor()
  const shown = (await entriesOf({ kind: 'environment' })).map(({ position }) => position)
  await team.priya.ask.request('POST', '/environments', { body: { name: 'After the search' } })
  const saved = async (format: string) => {
    await page.getByRole('button', { name: 'Export' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: `Save as ${format}` }).click()
    const file = await download
    assert.match(file.suggestedFilename(), new RegExp(`^audit-2026-03-13T153000Z.${format.toLowerCase()}$`))
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    return readFile(await file.path(), 'utf8')
  }
  const lines = (await saved('NDJSON')).trimEnd().split('\n')
  assert.equal(
    lines.map((line) => JSON.parse(line).position),
    shown
  )
  const csv = await saved('CSV')
  assert.equal(
    [...csv.matchAll(/^(\d+),2026-/gm)].map(([, position]) => Number(position)),
    shown
  )
  assert.match(csv, /,"'=HYPERLINK\(""https:/)
})

test('an export that takes long can be stopped, and leaves nothing', async ({ open }) => {
  const page = await open('#/audit?kind=request', admin())
  await page.getByText('That is all.').waitFor()
  let go = () => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  await page.route('**/admin/audit?**', async (route) => {
    await held
    await route.abort()
  })
  page.on('download', () => assert.unreachable('Nothing is saved.'))
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('button', { name: 'Save as CSV' }).click()
  await page.getByText('0 entries so far').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Save as CSV' }).waitFor()
  go()
})

test('of thousands of entries only those are there that can be seen, and the list goes on by itself', async ({
  open
}) => {
  const page = await open('#/health', admin())
  const [sample] = await entriesOf({ kind: 'request' })
  await page.route('**/admin/audit?**', (route) => {
    const cursor = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 1001)
    const entries = Array.from({ length: 100 }, (_, n) => ({ ...sample, position: cursor - 1 - n }))
    return route.fulfill({ json: { entries, next: cursor > 101 ? cursor - 100 : null } })
  })
  await page.goto('#/audit?kind=request')
  const rows = page.getByRole('list', { name: 'Entries, the newest first' }).getByRole('listitem')
  await rows.first().waitFor()
  await page.getByRole('main').hover()
  const last = () => rows.last().getAttribute('aria-posinset')
  for (let n = 0; n < 100 && (await last()) !== '1000'; n++) {
    assert.ok((await rows.count()) < 60)
    await page.mouse.wheel(0, 100_000)
    await page.waitForTimeout(100)
  }
  assert.is(await last(), '1000')
})

test('the audit fits the least window that people read in, beside a scroll bar', async ({ open }) => {
  const page = await open('#/audit', { token: team.grace.token, width: 305, height: 640 })
  await page
    .getByRole('button', { name: /^Details/ })
    .first()
    .waitFor()
  assert.is(await page.locator('main').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0)
})

test('nothing is awaited beside a search that failed', async ({ open, expectFailures }) => {
  expectFailures(/500/)
  const page = await open('#/health', { token: team.grace.token })
  await page.route('**/admin/audit?*', (route) => route.fulfill({ status: 500, json: { error: 'Something broke.' } }))
  await page.goto('#/audit')
  await page.getByText('Something broke.').waitFor()
  await page.waitForTimeout(400)
  assert.is(await page.locator('main [aria-busy=true]').count(), 0)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(/^This search finds/).waitFor()
})

run()
