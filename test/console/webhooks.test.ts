import * as assert from 'uvu/assert'
import { axe, looksWellOnBoth } from './support/looks.js'
import { seededSuite } from './support/seeded.js'
import { leaveUncopied } from './support/shownOnce.js'

const { test, run, team } = seededSuite('webhooks in the console')

test('somebody subscribes to a collection once the hub takes the URL, and is shown the secret once', async ({
  open,
  expectFailures
}) => {
  expectFailures(/400/)
  const page = await open('#/webhooks', { token: team.mara.token })
  await page.getByText('No webhooks yet').waitFor()
  await page.getByRole('button', { name: 'New webhook' }).click()
  const url = page.getByRole('textbox', { name: 'URL' })
  await url.fill('ftp://example.com')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByText('url must be an http or https URL').waitFor()
  await url.fill('https://ci.example.com/hook')
  await page.getByRole('combobox', { name: 'Changes in' }).selectOption({ label: 'Payments' })
  await page.getByRole('checkbox', { name: 'requests' }).check()
  await axe(page)
  await page.getByRole('button', { name: 'Subscribe' }).click()
  const secret = page.getByRole('textbox', { name: 'Secret' })
  assert.match(await secret.inputValue(), /^whsec_/)
  await axe(page)
  await leaveUncopied(page)
  await page.getByRole('heading', { name: 'https://ci.example.com/hook' }).waitFor()
  await page.getByText('changes of requests in Payments').waitFor()
  const { webhooks } = (await team.mara.ask.request('GET', '/webhooks')).body
  assert.equal(
    webhooks.map(({ kinds, collectionId }) => ({ kinds, collectionId })),
    [{ kinds: ['request'], collectionId: team.payments }]
  )
})

test('a webhook says where it stands, and is tested, switched off, changed and deleted', async ({ open }) => {
  const body = { url: 'https://127.0.0.1:9/hook', collectionId: team.payments, description: 'Build' }
  const { webhook } = (await team.mara.ask.request('POST', '/webhooks', { body })).body
  const page = await open(`#/webhooks/${webhook.id}`, { token: team.mara.token })
  await page.getByText('None yet.').waitFor()
  await looksWellOnBoth(page, 'webhook')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText(/^It was not reached: /).waitFor()
  const more = async (item: string) => {
    await page.getByRole('button', { name: 'More with this webhook' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await more('Switch off')
  await page.getByText('It was switched off by hand.').waitFor()
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByText('It was switched off by hand.').waitFor({ state: 'detached' })
  await more('Deliver again…')
  await page.getByRole('button', { name: 'Deliver again' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await more('New secret…')
  await page.getByText('For 24 hours messages are signed with the one before too').waitFor()
  await page.getByRole('button', { name: 'New secret', exact: true }).click()
  assert.match(await page.getByRole('textbox', { name: 'Secret' }).inputValue(), /^whsec_/)
  await leaveUncopied(page)
  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByRole('textbox', { name: 'Note' }).fill('Another build')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const now = (await team.mara.ask.request('GET', '/webhooks/{id}', { path: { id: webhook.id } })).body
  assert.equal([now.description, now.isEnabled, now.rotatedAt !== null], ['Another build', true, true])
  await more('Delete…')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
  assert.is(await page.getByText('127.0.0.1:9/hook', { exact: false }).count(), 0)
})

test('what somebody else has changed of a webhook stays where it is switched off, or changed from what was read before', async ({
  open,
  expectFailures
}) => {
  expectFailures(/412/)
  const body = { url: 'https://127.0.0.1:9/two', collectionId: team.payments, description: 'As it was read' }
  const { id } = (await team.mara.ask.request('POST', '/webhooks', { body })).body.webhook
  const note = (description: string) =>
    team.mara.ask.request('PUT', '/webhooks/{id}', { path: { id }, body: { ...body, description } })
  const now = async () => (await team.mara.ask.request('GET', '/webhooks/{id}', { path: { id } })).body
  const page = await open(`#/webhooks/${id}`, { token: team.mara.token })
  await page.getByText('As it was read').waitFor()
  await note('Changed meanwhile')
  await page.getByRole('button', { name: 'More with this webhook' }).click()
  await page.getByRole('menuitem', { name: 'Switch off' }).click()
  await page.getByText('It was switched off by hand.').waitFor()
  assert.is((await now()).description, 'Changed meanwhile')
  await page.getByText('Changed meanwhile').waitFor()
  await page.getByRole('button', { name: 'Change' }).click()
  await note('Changed again')
  await page.getByRole('textbox', { name: 'URL' }).fill('https://127.0.0.1:9/three')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  assert.is((await now()).description, 'Changed again')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Changed again').waitFor()
  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByRole('textbox', { name: 'URL' }).fill('https://127.0.0.1:9/three')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'https://127.0.0.1:9/three' }).waitFor()
  assert.equal([(await now()).description, (await now()).isEnabled], ['Changed again', false])
})

test('a delivery is made again from where it was, with all behind it', async ({ open }) => {
  const body = { url: 'https://127.0.0.1:9/again', collectionId: team.payments }
  const { webhook } = (await team.mara.ask.request('POST', '/webhooks', { body })).body
  const page = await open('#/webhooks', { token: team.mara.token })
  const delivery = {
    ...{ messageId: 'm-7', position: 7, type: 'document.created', attempt: 1, at: '2026-03-04T05:06:07.089Z' },
    ...{ status: 500, durationMs: 3, error: null, answer: 'Not today.' }
  }
  const json = { position: 9, end: 9, failing: null, deliveries: [delivery] }
  await page.route(`**/webhooks/${webhook.id}/deliveries`, (route) => route.fulfill({ json }))
  await page.goto(`#/webhooks/${webhook.id}`)
  await page.getByText('Not today.').waitFor()
  await page.getByRole('button', { name: 'Deliver again from here…' }).click()
  assert.is(await page.getByRole('textbox', { name: 'From behind position' }).inputValue(), '6')
  await axe(page)
  await page.getByRole('button', { name: 'Deliver again', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

run()
