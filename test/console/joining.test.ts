import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import type { Tools } from './support/browser.js'
import { axe } from './support/looks.js'
import { seededSuite } from './support/seeded.js'
import { asksBeforeReload, warning } from './support/shownOnce.js'

const { test, run, team } = seededSuite('accepting an invitation in the console')

/** Opens a page with an invitation that nobody has accepted; what is told of it is as `before` has it. */
async function invited({ open }: Tools, before: (page: Page) => unknown = () => {}): Promise<Page> {
  const { secret } = (
    await team.grace.ask.request('POST', '/admin/users/{id}/invitations', {
      path: { id: team.jonas.id },
      body: {}
    })
  ).body
  const page = await open('/health')
  await before(page)
  await page.goto(`/console/#/join?code=${secret}`)
  return page
}

const down = { status: 503, json: { error: 'The database does not answer.' }, headers: { 'retry-after': '30' } }

test('an invitation that cannot be looked at yet is still one, and is there once the hub serves', async (tools) => {
  tools.expectFailures(/503/)
  const page = await invited(tools, (page) => page.route(/invitations|readyz/, (route) => route.fulfill(down)))
  await page.getByRole('heading', { name: 'You are invited to this hub' }).waitFor()
  await page.getByRole('alert').getByText('The database does not answer.').waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await axe(page)
  await page.unrouteAll()
  await page.getByRole('heading', { name: 'Welcome, Jonas Weber' }).waitFor()
})

test('what the hub says of the name of the token stands at it, and the invitation stays', async (tools) => {
  tools.expectFailures(/400/)
  const page = await invited(tools)
  const name = page.getByRole('textbox', { name: 'What to call the token' })
  await name.fill('')
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('Name must not be empty.').waitFor()
  assert.is(await name.getAttribute('aria-invalid'), 'true')
  await axe(page)
  await name.fill('Tablet')
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('heading', { name: 'You are in' }).waitFor()
})

test('where the answer to accepting is lost, its token is, and a new invitation is what helps', async (tools) => {
  tools.expectFailures(/ERR_FAILED|409/)
  let lost = 0
  const page = await invited(tools, (page) =>
    page.route(/redeem/, async (route) => {
      if (lost++ > 0) return route.continue()
      await route.fetch()
      await route.abort()
    })
  )
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('heading', { name: 'This invitation cannot be used' }).waitFor()
  await page.getByText('its secret was shown once', { exact: false }).waitFor()
})

test('after a reload the link of the invitation has to be opened again, and says so', async (tools) => {
  const page = await invited(tools)
  await page.getByRole('heading', { name: 'Welcome, Jonas Weber' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Open the invitation once more' }).waitFor()
  await axe(page)
})

test('the token of who has accepted is lost by no reload without a word, and is kept for them once they open the hub', async (tools) => {
  const page = await invited(tools)
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('heading', { name: 'You are in' }).waitFor()
  await asksBeforeReload(page)
  await page.goto('#/people')
  await warning(page).waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'Open the hub' }).click()
  await page.getByRole('button', { name: 'Signed in as Jonas Weber' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Signed in as Jonas Weber' }).waitFor()
})

test('an invitation that was used leads to whoever made it, and to signing in', async (tools) => {
  tools.expectFailures(/410/)
  const page = await invited(tools)
  await page.getByRole('heading', { name: 'Welcome, Jonas Weber' }).waitFor()
  for (const { id } of (await team.grace.ask.request('GET', '/admin/invitations')).body.invitations)
    await team.grace.ask.request('DELETE', '/admin/invitations/{id}', { path: { id } }).catch(() => {})
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('heading', { name: 'This invitation cannot be used' }).waitFor()
  await page.getByRole('button', { name: 'Sign in with a token' }).click()
  await page.getByRole('textbox', { name: 'Token' }).waitFor()
})

run()
