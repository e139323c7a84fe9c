import * as assert from 'uvu/assert'
import { axe, LOOKS, looksWell } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('a collection as it was, in the console')
const mara = () => ({ token: team.mara.token })

for (const [look, options] of LOOKS) {
  test(`what was in it stands in its order, with what is different now${look}`, async ({ open }) => {
    const page = await open(`#/collections/${team.payments}?at=2026-03-09T23:00:00Z`, { ...mara(), ...options })
    const lines = page.getByRole('list', { name: 'What was in it' }).getByRole('listitem')
    await page.getByText('Different now: 4 gone, 1 changed.').waitFor()
    await page.getByRole('checkbox', { name: 'Only what is different' }).click()
    await lines.filter({ hasText: /^POST ?Refund changed since$/ }).waitFor()
    await lines.filter({ hasText: /^Old gateway gone since$/ }).waitFor()
    await looksWell(page, `past-collection${look}`)
  })
}

test('the arrow keys go from moment to moment, and the address follows', async ({ open }) => {
  const page = await open(`#/collections/${team.payments}`, mara())
  await page.getByRole('button', { name: 'As it was…' }).click()
  const slider = page.getByRole('slider', { name: 'Moment' })
  await slider.waitFor()
  await page.getByText('Nothing in it is different now.').waitFor()
  const { events } = (
    await team.mara.ask.request('GET', '/collections/{id}/activity', {
      path: { id: team.payments },
      query: { limit: 2 }
    })
  ).body
  await slider.press('ArrowLeft')
  await page.waitForURL((url) => url.hash.endsWith(`at=${encodeURIComponent(events[1]?.at ?? '')}`))
  await page.getByText(/^Different now: /).waitFor()
  assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /2026.*, .+ /)
  await slider.press('Home')
  await page.getByText('Mara Lindqvist created “Payments”').waitFor()
  await page.getByRole('link', { name: 'Back to now' }).click()
  await page.getByRole('button', { name: 'As it was…' }).waitFor()
})

test('what is gone since is shown as it was, from its collection', async ({ open, expectFailures }) => {
  expectFailures(/404/)
  const page = await open(`#/collections/${team.payments}?at=2026-03-09T23:00:00Z`, mara())
  await page.getByRole('checkbox', { name: 'Only what is different' }).check()
  await page.getByRole('link', { name: 'Refund with the old gateway' }).press('Enter')
  await page.getByText('https://old.payments.example/pay').waitFor()
  await page.getByText(/^As it was on .*10 March 2026/).waitFor()
  await page.getByText('It is gone since.').waitFor()
  await axe(page)
})

test('administrators, who have no access to what is in it, see what it says itself', async ({ open }) => {
  const page = await open(`#/collections/${team.payments}?at=2026-03-09T23:00:00Z`, { token: team.grace.token })
  await page.getByText('What was in it then is shown to those who have access to it.').waitFor()
})

run()
