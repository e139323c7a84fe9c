import { readFile } from 'node:fs/promises'
import * as assert from 'uvu/assert'
import { axe, looksWellOnBoth } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('the use of models in the console')
const admin = () => ({ token: team.grace.token })

test('a month in numbers, by day, by person and by model as the hub tells them, and who is near a limit', async ({
  open
}) => {
  const page = await open('#/usage', admin())
  await page.getByRole('heading', { name: 'By day' }).waitFor()
  await page.locator('canvas').waitFor()
  await page.getByRole('row', { name: 'Fri 13 Mar' }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Jonas Weber' }).getByText('of 60,000 tokens').waitFor()
  await looksWellOnBoth(page, 'usage')
  for (const [tab, by, first] of [
    ['Person', 'user', 'Priya Raman'],
    ['Model', 'model', 'gpt-6.1-sol']
  ] as const) {
    await page.getByRole('link', { name: tab, exact: true }).click()
    await page.getByRole('rowheader').first().getByText(first).waitFor()
    assert.match(page.url(), new RegExp(`by=${by}`))
    const { usage, total } = (await team.grace.ask.request('GET', '/admin/llm/usage', { query: { by } })).body
    assert.is(await page.getByRole('rowheader').count(), usage.length + 1)
    await page.getByRole('cell', { name: total.totalTokens.toLocaleString('en-GB'), exact: true }).waitFor()
  }
})

test('months go back and forth by keyboard, and one in which nothing was used says what to do', async ({ open }) => {
  const page = await open('#/usage?month=2026-02', admin())
  await page.getByRole('row', { name: 'Tue 24 Feb' }).waitFor()
  await page.getByRole('link', { name: 'The month before' }).press('Enter')
  await page.getByRole('heading', { name: 'No model was used in January 2026' }).waitFor()
  await page.getByText('This hub offers', { exact: false }).waitFor()
  await axe(page)
  await page.goBack()
  await page.getByRole('row', { name: 'Tue 24 Feb' }).waitFor()
  await page.getByRole('link', { name: 'The month after' }).click()
  await page.getByRole('button', { name: 'The month after', disabled: true }).waitFor()
})

test('what models were used for is saved as the hub writes it, by what is shown', async ({ open, hub }) => {
  const page = await open('#/usage?month=2026-02&by=user', admin())
  await page.getByRole('heading', { name: 'By person' }).waitFor()
  const saved = async (format: string, name: string) => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: `Save as ${format}` }).click()
    const file = await download
    assert.is(file.suggestedFilename(), name)
    return readFile(await file.path(), 'utf8')
  }
  const written = async (accept: string) =>
    (
      await hub.send({
        ...{ method: 'GET', path: '/admin/llm/usage?month=2026-02&by=user', token: team.grace.token },
        headers: { accept }
      })
    ).text
  const csv = await saved('CSV', 'usage-2026-02-by-user.csv')
  assert.is(csv, `\u{feff}${await written('text/csv')}`)
  assert.match(csv, /from,to,user,name,/)
  assert.match(csv, /Mara Lindqvist/)
  assert.is(await saved('NDJSON', 'usage-2026-02-by-user.ndjson'), await written('application/x-ndjson'))
})

test('who is no administrator is not shown what others use', async ({ open }) => {
  const page = await open('#/usage', { token: team.mara.token })
  await page.getByRole('heading', { name: 'This is for administrators' }).waitFor()
})

run()
