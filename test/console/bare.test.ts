import * as assert from 'uvu/assert'
import { axe, looksWellOnBoth } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

/** As the first start writes it: nothing that needs a section of the configuration. */
const { test, run, team } = seededSuite('a hub without webhooks and a name in the console', {}, async (hub) => {
  await hub.stop()
  await hub.start({ webhooks: undefined })
})

test('the page of webhooks says at once that there are none, and offers nothing', async ({ open, expectFailures }) => {
  expectFailures(/503/)
  const page = await open('#/webhooks', { token: team.mara.token })
  await page.getByRole('heading', { name: 'This hub sends no webhooks' }).waitFor()
  await page.getByText('Whoever runs the hub can switch them on.').waitFor()
  assert.is(await page.getByRole('button', { name: 'New webhook' }).count(), 0)
  await looksWellOnBoth(page, 'no-webhooks')
})

test('administrators read there what to configure', async ({ open, expectFailures }) => {
  expectFailures(/503/)
  const page = await open('#/webhooks', { token: team.grace.token })
  await page.getByText('Set webhooks.keyFile in server.yaml', { exact: false }).waitFor()
  await axe(page)
})

test('a hub that nobody has named is called by what it is, until something is chosen to stand for it', async ({
  open
}) => {
  const page = await open('#/', { token: team.grace.token })
  const home = page.getByRole('link', { name: 'Collections Hub: all collections' })
  await home.getByText('Collections Hub').waitFor()
  assert.is(await home.locator('[data-initials]').count(), 0)
  await page.getByRole('button', { name: /^Signed in as/ }).click()
  await page.getByRole('menuitem', { name: 'The hub’s avatar…' }).click()
  await page.getByLabel('Initials').fill('ac')
  await page.getByRole('button', { name: 'Save' }).click()
  await home.locator('[data-initials="AC"]').waitFor()
})

run()
