import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { axe, LOOKS, looksWell, looksWellOnBoth } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('the first page of the console')

test('it says what happened last to each collection', async ({ open }) => {
  const page = await open('#/', { token: team.mara.token })
  await page.getByText('Tomás Ferreira changed “Refund”').waitFor()
  await looksWellOnBoth(page, 'home')
})

test('what happens appears, favourites come first, and what was opened last is a click away, after a reload too', async ({
  open
}) => {
  const { payments, refund, mara, priya } = team
  const page = await open(`#/collections/${payments}/requests/${refund.id}`, { token: mara.token })
  await page.getByRole('heading', { name: 'Refund', exact: true }).waitFor()
  await page.goto('#/')
  const rows = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('button') })
  assert.match(await rows.first().innerText(), /Onboarding/)
  await page.getByRole('button', { name: 'Favourite: Search API' }).click()
  await priya.ask.request('POST', '/collections/{collectionId}/documents', {
    ...{ path: { collectionId: payments }, body: { name: 'Just now', content: '' } }
  })
  await page.getByText('Priya Raman created “Just now”').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Favourite: Search API', pressed: true }).waitFor()
  assert.match(await rows.first().innerText(), /Search API/)
  await page.getByRole('combobox', { name: 'Show' }).selectOption('mine')
  await page.getByRole('button', { name: 'Favourite: Search API' }).waitFor({ state: 'detached' })
  await axe(page)
  await page.getByRole('main').getByRole('link', { name: 'Refund' }).click()
  await page.getByRole('heading', { name: 'Refund', exact: true }).waitFor()
})

test('what is marked in one tab stays where another one marks something, too', async ({ open }) => {
  const page = await open('#/')
  await page.getByLabel('Token').fill(team.priya.token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const star = (tab: Page, name: string, pressed: boolean) =>
    tab.getByRole('button', { name: `Favourite: ${name}`, pressed })
  await star(page, 'Search API', false).waitFor()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await star(other, 'Payments', false).waitFor()
  await star(page, 'Search API', false).click()
  await star(other, 'Search API', true).waitFor()
  await star(other, 'Payments', false).click()
  await page.reload()
  for (const name of ['Search API', 'Payments']) await star(page, name, true).waitFor()
})

test('a collection shows its README and what happened in it, each a way to how it was then', async ({ open }) => {
  const { ask, token } = team.mara
  const { id } = (await ask.request('POST', '/collections', { body: { name: 'Told' } })).body
  const path = { collectionId: id }
  const document = (name: string, content: string) =>
    ask.request('POST', '/collections/{collectionId}/documents', { path, body: { name, content } })
  await document('readme.md', '# How to use it\n\n<script>document.title = "run"</script>')
  const page = await open(`#/collections/${id}`, { token })
  await page.getByRole('heading', { name: 'How to use it' }).waitFor()
  for (let one = 0; one < 7; one++) await document(`Document ${one}`, '')
  await page.getByText('created “Document 6”').waitFor()
  assert.is(await page.getByText('created “readme.md”').count(), 0)
  // What is there stays while what is older is asked for.
  await page.route(/activity/, () => {})
  const asked = page.waitForRequest(/activity/)
  await page.getByRole('button', { name: 'Older' }).last().click()
  await asked
  assert.is(await page.getByText('created “Document 6”').count(), 1)
  await page.unrouteAll()
  await page.reload()
  await page.getByRole('button', { name: 'Older' }).last().click()
  await page.getByText('created “readme.md”').waitFor()
  await axe(page)
  await page.getByTitle('As it was then').last().click()
  await page.getByText('As it was on').waitFor()
})

for (const [look, options] of LOOKS) {
  test(`a name that is too long for its line is cut${look}, and so is what was done with such a record`, async ({
    open
  }) => {
    const { ask, token } = team.tomas
    const name = 'Wordless'.repeat(36)
    const { id } = (await ask.request('POST', '/collections', { body: { name } })).body
    const path = { collectionId: id }
    await ask.request('POST', '/collections/{collectionId}/documents', { path, body: { name, content: '' } })
    const page = await open(`#/collections/${id}`, { token, ...options })
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.goto('#/')
    const list = page.getByRole('main')
    await list.getByText('created “Wordless', { exact: false }).waitFor()
    const heights = await list
      .getByRole('link', { name })
      .evaluateAll((links) => links.map((link) => [link.clientHeight, link.scrollHeight]))
    // Once in the list, once as opened last.
    assert.is(heights.length, 2)
    for (const [shown = 0, whole = 0] of heights) assert.ok(whole <= shown && shown < 64, `${shown} of ${whole}`)
    await looksWell(page, `home-long${look}`)
    // It would ask for what is deleted.
    await page.close()
    await ask.request('DELETE', '/collections/{id}', { path: { id } })
  })
}

run()
