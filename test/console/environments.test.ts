import * as assert from 'uvu/assert'
import { looksWellOnBoth } from './support/looks.js'
import { likeRefund } from './support/requests.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('environments side by side', {}, async () => {
  const { ask } = team.priya
  const { environments } = (await ask.request('GET', '/environments')).body
  const staging = environments.find(({ name }) => name === 'Staging')
  const { id } = (await ask.request('POST', '/environments', { body: { name: 'Preview' } })).body
  const variables = [
    { key: 'branch', value: 'main', defaultValue: '', share: true, enabled: true },
    { key: 'hidden', value: 'a secret', defaultValue: '', share: false, enabled: true }
  ]
  const body = { name: 'Preview', parentUuid: staging?.id ?? null, variables }
  await ask.request('PUT', '/environments/{id}', { path: { id }, body })
})

test('what differs stands out, with what each has from another one', async ({ open }) => {
  const page = await open('#/environments', { token: team.mara.token })
  await page.getByRole('link', { name: 'Side by side' }).click()
  const branch = page.getByRole('row', { name: /^branch/ })
  await branch.getByText('main').waitFor()
  assert.is(await branch.getByText('not set').count(), 2)
  await page
    .getByRole('row', { name: /^baseUrl/ })
    .getByText('from Staging')
    .waitFor()
  assert.is(await page.getByText('a secret').count(), 0)
  await looksWellOnBoth(page, 'environments')
  await page.getByRole('checkbox', { name: 'Production' }).uncheck()
  await page.getByRole('checkbox', { name: /^Only what differs/ }).check()
  await page.getByRole('row', { name: /^baseUrl/ }).waitFor({ state: 'detached' })
  assert.is(await branch.getByText('not set').count(), 1)
  for (const name of ['Preview', 'Staging']) await page.getByRole('checkbox', { name }).uncheck()
  await page.getByText('0 of 0 variables').waitFor()
})

test('a secret that was shown is masked again where somebody puts another one in its place', async ({ open }) => {
  const { ask, token } = team.priya
  const { id } = (await ask.request('POST', '/environments', { body: { name: 'Of secrets' } })).body
  const secret = (key: string, value: string) => ({ key, value, defaultValue: '', share: false, enabled: true })
  const keep = (...variables: ReturnType<typeof secret>[]) =>
    ask.request('PUT', '/environments/{id}', { path: { id }, body: { name: 'Of secrets', variables } })
  await keep(secret('apiKey', 'first secret'))
  const page = await open(`#/environments/${id}`, { token })
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('first secret').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  await keep(secret('password', 'second secret'), secret('apiKey', 'first secret'))
  await page.getByRole('row', { name: /^password/ }).waitFor()
  assert.is(await page.getByText('second secret').count(), 0)
})

test('while an environment is edited, nobody reads over a shoulder what is not shared, or the password in a URL', async ({
  open
}) => {
  const one = (value: string, share: boolean) => ({ key: 'plain', value, defaultValue: value, share, enabled: true })
  const variables = [one('not shared', false), one('shared', true), one('https://mara:at-home@ci.example', true)]
  const { ask } = team.priya
  const { id } = (await ask.request('POST', '/environments', { body: { name: 'Edited' } })).body
  await ask.request('PUT', '/environments/{id}', { path: { id }, body: { name: 'Edited', variables } })
  const page = await open(`#/environments/${id}?edit=yes`, { token: team.priya.token })
  for (const column of ['Value', 'Default']) {
    await page.getByRole('textbox', { name: `${column}, variable 3` }).waitFor()
    const drawn = await page.evaluate(
      `[...document.querySelectorAll('[aria-label^="${column}, "]')].map((one) => getComputedStyle(one).webkitTextSecurity)`
    )
    assert.equal(drawn, ['disc', 'none', 'disc'])
  }
})

test('an environment that builds on one that somebody may not see fills in what it sets itself', async ({
  open,
  expectFailures
}) => {
  expectFailures(/403/)
  const { environments } = (await team.priya.ask.request('GET', '/environments')).body
  const { collectionId, link } = await likeRefund(team, 'Builds', { url: 'https://ci.example/{{branch}}' })
  const environmentAccess = environments.flatMap(({ id, name }) => (name === 'Preview' && id ? [id] : []))
  const access = { collectionAccess: [collectionId], environmentAccess }
  await team.grace.ask.request('PUT', '/admin/users/{id}', { path: { id: team.jonas.id }, body: access })
  const page = await open(link, { token: team.jonas.token })
  await page.getByLabel('Environment', { exact: true }).selectOption('Preview')
  await page
    .getByRole('row', { name: /^branch/ })
    .getByText('main')
    .waitFor()
  await page.getByRole('button', { name: 'Copy as…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('https://ci.example/main', { exact: false }).waitFor()
  assert.is(await dialog.getByRole('button', { name: 'Copy', exact: true }).isEnabled(), true)
})

run()
