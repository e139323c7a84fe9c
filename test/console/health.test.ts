import * as assert from 'uvu/assert'
import { axe, inEachColour, looksWell, onBoth, screenshot } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('health in the console', { limits: { maxFailures: 3, blockSeconds: 900 } })
const admin = () => ({ token: team.grace.token })
const blocks = async () => (await team.grace.ask.request('GET', '/admin/throttle')).body.blocks

test('health: how the hub stands at a glance', async ({ open }) => {
  const page = await open('#/health', admin())
  await page.getByText('All is well').waitFor()
  await page.getByText('It is up to date.').waitFor()
  await page.getByText('No address is blocked.').waitFor()
  await onBoth(page, (on) => inEachColour(page, (colour) => screenshot(page, `health${on}${colour}`)))
  await page.getByText('checks find nothing wrong').press('Enter')
  await page.getByText('The schema is that of this version.').waitFor()
  await onBoth(page, async () => {
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
    await inEachColour(page, (colour) => axe(page, colour))
  })
})

test('what is wrong stands first, with what to do about it, and what is not known any more is not shown', async ({
  open,
  expectFailures
}) => {
  const page = await open('#/usage', admin())
  const status = (await team.grace.ask.request('GET', '/admin/status')).body
  const wrong = [
    { name: 'disk', status: 'warning', text: 'Only 300 MB are free.', advice: 'Make room.', subject: '/data' },
    { name: 'log', status: 'failed', text: 'The log is cut off.', advice: 'Stop the hub.', subject: null }
  ]
  let answer: object = { json: { ...status, checks: [...status.checks, ...wrong] } }
  await page.route('**/admin/status', (route) => route.fulfill(answer))
  await page.goto('#/health')
  await page.getByText('1 check has failed, and 1 check warns. What to do about it stands below.').waitFor()
  await page.getByRole('main').getByRole('listitem').first().getByText('Stop the hub.').waitFor()
  await looksWell(page, 'health-failing')
  expectFailures(/status/)
  answer = { status: 500, json: { error: 'Internal server error' } }
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await page.getByText('Internal server error').waitFor()
  assert.is(await page.getByText('1 check has failed').count(), 0)
})

test('an address that is blocked may try again when somebody lets it', async ({ open, hub }) => {
  for (let n = 0; n < 4; n++) await hub.send({ method: 'GET', path: '/auth/session', token: `hbk_${'x'.repeat(43)}` })
  assert.is((await blocks()).length, 1)
  const page = await open('#/health', admin())
  const row = page.getByRole('listitem').filter({ hasText: 'failed to sign in too often with one token' })
  await row.getByText(/Blocked for 1[45] minutes/).waitFor()
  await row.getByRole('button', { name: 'Unblock' }).press('Enter')
  await page.getByText('No address is blocked.').waitFor()
  await page.getByText('may try again.', { exact: false }).waitFor()
  assert.equal(await blocks(), [])
})

test('what came of reading the configuration again is told section by section', async ({ open }) => {
  const page = await open('#/health', admin())
  await page.getByRole('button', { name: 'Read it again' }).click()
  await page.getByRole('listitem').filter({ hasText: 'db' }).getByText('is as it was').waitFor()
  await axe(page)
})

run()
