import * as assert from 'uvu/assert'
import { axe, inEachColour, looksWellOnBoth } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('run results in the console')
const share = async (label: string) => {
  const payload = {
    harborclientExport: 'collection-run-results',
    collection: { name: 'Payments' },
    results: [{ name: 'Refund', status: 'failed', error: '<b>404</b>' }]
  }
  return (await team.mara.ask.request('POST', '/run-results', { body: { label, payload } })).body
}

test('people see what they have shared, open it, talk about it, and delete it', async ({ open }) => {
  const { id } = await share('Nightly')
  const page = await open('#/run-results', { token: team.mara.token })
  const list = page.getByRole('list', { name: 'Run results, the newest first' })
  await list.getByRole('link', { name: 'Before the release' }).getByText('passed', { exact: true }).waitFor()
  assert.is(await list.getByRole('link', { name: 'Refund' }).count(), 0)
  await looksWellOnBoth(page, 'runs')
  await list.getByRole('link', { name: 'Nightly ' }).click()
  await page.getByRole('heading', { name: 'Nightly' }).waitFor()
  await page.getByText('the collection Payments').waitFor()
  await page.getByRole('region', { name: 'What was sent' }).getByText('<b>404</b>', { exact: false }).waitFor()
  await page.getByRole('textbox', { name: 'Begin a discussion' }).fill('It fails since Tuesday.')
  await page.getByRole('button', { name: 'Comment' }).click()
  await page.getByText('1 comment').waitFor()
  await looksWellOnBoth(page, 'run')
  await page.getByRole('button', { name: 'Delete' }).click()
  await inEachColour(page, (colour) => axe(page, colour))
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Run results' }).waitFor()
  assert.is(await list.getByRole('link', { name: 'Nightly ' }).count(), 0)
  const { runResults } = (await team.mara.ask.request('GET', '/run-results')).body
  assert.not.ok(runResults.some((one) => one.id === id))
})

test('a discussion that could not be loaded says so, and is asked for again', async ({ open, expectFailures }) => {
  expectFailures(/500/)
  const page = await open('about:blank', { token: team.mara.token })
  await page.route(/discussions/, (route) => route.fulfill({ status: 500, json: { error: 'Something broke.' } }))
  await page.goto(`#/collections/${team.payments}/requests/${team.refund.id}`)
  await page.getByText('Something broke.').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Comment' }).waitFor()
})

test('a comment that is too long stays, and its field says so', async ({ open, expectFailures }) => {
  expectFailures(/400/)
  const { id } = await share('Said at length')
  const page = await open(`#/run-results/${id}`, { token: team.mara.token })
  const box = page.getByLabel('Begin a discussion')
  await box.fill('x'.repeat(70_000))
  await page.getByRole('button', { name: 'Comment' }).click()
  await page.locator('textarea[aria-invalid=true]').waitFor()
  await page.getByText('Longer than 65536 characters', { exact: true }).waitFor()
  assert.is((await box.inputValue()).length, 70_000)
})

test('nothing can be typed into a comment that is being sent, and be lost with it', async ({ open }) => {
  const { id } = await share('Talked about')
  const page = await open(`#/run-results/${id}`, { token: team.mara.token })
  const box = page.getByLabel('Begin a discussion')
  await box.fill('First.')
  let go = () => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  await page.route(/discussions/, async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  await box.press('Control+Enter')
  await page.getByRole('button', { name: 'Comment', disabled: true }).waitFor()
  await box.press('End')
  await page.keyboard.type(' And more.')
  assert.is(await box.inputValue(), 'First.')
  go()
  await page.getByText('First.', { exact: true }).waitFor()
})

test('the requests of a run are listed as they ran, and those that failed alone', async ({ open }) => {
  const request = (name: string, status: string, more: object) => ({
    ...{
      requestName: name,
      requestMethod: 'GET',
      requestUrl: `https://api.test/${name}?api_key=abc`,
      status,
      ...more
    }
  })
  const answered = (status: number, statusText: string) => ({ response: { status, statusText, timeMs: 12 } })
  const results = [
    request('zeta', 'passed', { testsPassed: 2, testsFailed: 0, ...answered(200, 'OK') }),
    request('alpha', 'failed', {
      testsPassed: 1,
      testsFailed: 1,
      error: 'Expected 201',
      ...answered(404, 'Not Found')
    }),
    request('omega', 'skipped', {})
  ]
  const payload = { harborclientExport: 'collection-run-results', collection: { name: 'Payments' }, results }
  const body = { label: 'Listed', payload }
  const { id } = (await team.mara.ask.request('POST', '/run-results', { body })).body
  const page = await open(`#/run-results/${id}`, { token: team.mara.token })
  const rows = page.getByRole('table', { name: 'Requests' }).getByRole('rowheader')
  await rows.getByText('alpha', { exact: true }).waitFor()
  const names = async () => (await rows.locator('bdi:first-child').allTextContents()).join()
  assert.is(await names(), 'zeta,alpha,omega')
  await page.getByText('404 Not Found').first().waitFor()
  await page.getByText('1 passed, 1 failed').first().waitFor()
  // A card has no name for what is not there.
  assert.is(await page.getByRole('row', { name: 'omega' }).getByText('Answer').count(), 0)
  await rows.getByText('https://api.test/alpha?api_key=••••••••').waitFor()
  assert.not.match((await page.textContent('body')) ?? '', /api_key=abc/)
  await looksWellOnBoth(page, 'run-requests')
  await page.getByLabel('Only failures').check()
  await rows.getByText('zeta').waitFor({ state: 'detached' })
  assert.is(await names(), 'alpha')
  assert.match(page.url(), /only=failed/)
})

test('administrators see those of everybody, and delete any', async ({ open }) => {
  const { id } = await share('Of Mara')
  const page = await open('#/run-results', { token: team.grace.token })
  await page.getByRole('link', { name: 'Of Mara' }).getByText('by Mara Lindqvist').waitFor()
  await page.getByRole('link', { name: 'Refund' }).getByText('1 failed').waitFor()
  await page.getByRole('link', { name: 'Of Mara' }).click()
  await page.getByRole('region', { name: 'What was sent' }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('The run result is deleted.').waitFor()
  const { runResults } = (await team.mara.ask.request('GET', '/run-results')).body
  assert.not.ok(runResults.some((one) => one.id === id))
})

test('whoever has a link opens what another one has shared, and cannot delete it', async ({ open }) => {
  const { id } = await share('Linked')
  const page = await open(`#/run-results/${id}`, { token: team.tomas.token })
  await page.getByRole('heading', { name: 'Linked' }).waitFor()
  assert.is(await page.getByRole('button', { name: 'Delete' }).count(), 0)
})

test('what is shared while somebody looks appears by itself, and a link to what is gone says so', async ({
  open,
  expectFailures
}) => {
  const page = await open('#/run-results', { token: team.grace.token })
  await page.getByRole('link', { name: 'Before the release' }).waitFor()
  const { id } = await share('Just now')
  await page.getByRole('link', { name: 'Just now' }).waitFor()
  await team.mara.ask.request('DELETE', '/run-results/{id}', { path: { id } })
  await page.getByRole('link', { name: 'Just now' }).waitFor({ state: 'detached' })
  expectFailures(/404/)
  await page.goto(`#/run-results/${id}`)
  await page.getByText('Run result not found').waitFor()
})

run()
