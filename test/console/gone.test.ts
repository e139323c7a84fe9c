import * as assert from 'uvu/assert'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('what is gone, in the console')

const NOBODY = '00000000-0000-4000-8000-000000000000'

/** Addresses below which nothing is, with the link that leads on from there and where to. */
const ADDRESSES: readonly (readonly [address: () => string, onward: string, to: () => string])[] = [
  [() => `people/${NOBODY}`, 'All people', () => 'people'],
  [() => `groups/${NOBODY}`, 'All groups', () => 'groups'],
  [() => `webhooks/${NOBODY}`, 'All webhooks', () => 'webhooks'],
  [() => `run-results/${NOBODY}`, 'All run results', () => 'run-results'],
  [() => `collections/${NOBODY}`, 'All collections', () => ''],
  [() => `requests/${NOBODY}`, 'All collections', () => ''],
  [() => `environments/${team.deleted.environmentId}`, 'All environments', () => 'environments'],
  [() => `snippets/${NOBODY}?at=1`, 'All snippets', () => 'snippets'],
  [
    () => `collections/${team.payments}/requests/${team.deleted.requestId}`,
    'The collection',
    () => `collections/${team.payments}`
  ],
  [() => `collections/${team.payments}/nonsense/1`, 'Go to the first page', () => ''],
  [() => 'nonsense', 'Go to the first page', () => ''],
  [() => 'requests/..', 'Go to the first page', () => ''],
  [() => 'requests/%2E%2e', 'Go to the first page', () => ''],
  [() => 'nowhere/%E0%A4%A/..%2F..', 'Go to the first page', () => '']
]

test('a page of what is gone, or was never there, says so and leads on', async ({ open, expectFailures }) => {
  expectFailures(/404/)
  const page = await open('#/', { token: team.grace.token })
  for (const [address, onward, to] of ADDRESSES) {
    await page.goto(`#/${address()}`)
    const link = page.getByRole('main').getByRole('link', { name: onward, exact: true })
    await link.waitFor()
    assert.is(await link.getAttribute('href'), `#/${to()}`, address())
  }
})

test('beside what is not there is no history, and who does not see a collection is not led to it', async ({
  open,
  expectFailures
}) => {
  expectFailures(/403|404/)
  const page = await open(`#/collections/${team.search}/requests/${NOBODY}`, { token: team.jonas.token })
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'All collections', exact: true }).waitFor()
  await main.getByRole('link', { name: 'Deleted' }).waitFor()
  await page.getByRole('complementary', { name: 'History' }).waitFor({ state: 'detached', timeout: 5000 })
  await page.goto(`#/collections/${team.search}?at=1`)
  await page.getByRole('heading', { name: 'This is not yours to see' }).waitFor()
  await page.getByRole('link', { name: 'Back to now' }).waitFor({ state: 'detached' })
})

test('who cuts an address off behind the collections is at all of them', async ({ open }) => {
  const page = await open('#/collections', { token: team.mara.token })
  await page.getByRole('main').getByRole('link', { name: 'Payments' }).waitFor()
})

run()
