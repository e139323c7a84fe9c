import * as assert from 'uvu/assert'
import { axe, looksWellOnBoth } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('deleted things in the console')

test('administrators see all that can be brought back, who deleted it and what went with it', async ({ open }) => {
  const page = await open('#/deleted', { token: team.grace.token })
  const line = page.getByRole('listitem').filter({ hasText: 'Old gateway' })
  await line.getByText(/^Folder in Payments, deleted by Tomás Ferreira .*, with 2 requests$/).waitFor()
  assert.is(await page.getByRole('button', { name: /^Undelete / }).count(), 4)
  await looksWellOnBoth(page, 'deleted')
})

test('who has deleted something brings it back by keyboard, and is led to where it is again', async ({ open }) => {
  const page = await open('#/deleted', { token: team.tomas.token })
  const button = page.getByRole('button', { name: 'Undelete Old gateway' })
  await button.waitFor()
  assert.is(await page.getByRole('button', { name: /^Undelete / }).count(), 1)
  await button.press('Enter')
  await page.getByText('“Old gateway” is back, with 2 requests.').waitFor()
  await page.getByRole('heading', { name: 'Nothing is deleted' }).waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('heading', { name: 'Old gateway', level: 1 }).waitFor()
  await page.getByText('brought it back').waitFor()
})

test('what goes and what is back are seen by themselves, and what cannot come back says why beside it', async ({
  open,
  expectFailures
}) => {
  const page = await open('#/deleted', { token: team.grace.token })
  await page.getByText('Log everything').waitFor()
  const { ask } = team.mara
  const { id } = (await ask.request('POST', '/snippets', { body: { name: 'Short lived', code: 'x()' } })).body
  await ask.request('DELETE', '/snippets/{id}', { path: { id } })
  await page.getByText('Short lived').waitFor()
  await ask.request('POST', '/undelete', { body: { kind: 'snippet', id } })
  await page.getByText('Short lived').waitFor({ state: 'detached' })

  const line = page.getByRole('listitem').filter({ hasText: 'Refund without a key' })
  await team.grace.ask.request('DELETE', '/admin/collections/{id}', { path: { id: team.payments } })
  expectFailures(/409/)
  await line.getByRole('button', { name: /^Undelete/ }).click()
  await line.getByRole('alert').waitFor()
  assert.match((await line.getByRole('alert').textContent()) ?? '', /[Cc]ollection/)
})

run()
