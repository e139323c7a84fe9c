import * as assert from 'uvu/assert'
import { axe, looksWellOnBoth } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('the own account in the console')

test('it says what somebody may, and how an agent is told of the hub', async ({ open, hub }) => {
  const page = await open('#/account', { token: team.mara.token })
  await page.getByText('this one').waitFor()
  assert.is(await page.getByRole('textbox', { name: 'Address' }).inputValue(), `${hub.url}/mcp`)
  await page.getByText('"mcpServers"').waitFor()
  assert.is(await page.getByText(team.mara.token).count(), 0)
  await looksWellOnBoth(page, 'account')
  await page.getByRole('combobox', { name: 'For' }).selectOption('curl')
  await page.getByText('tools/list').waitFor()
})

test('a token of one’s own is revoked, and refused from then on', async ({ open, hub }) => {
  const path = { id: team.mara.id }
  const { body } = await team.grace.ask.request('POST', '/admin/users/{id}/tokens', {
    path,
    body: { name: 'Old laptop' }
  })
  const page = await open('#/account', { token: team.mara.token })
  await page.getByRole('button', { name: 'Revoke Old laptop' }).click()
  await axe(page)
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('“Old laptop” is revoked.').waitFor()
  await page.getByRole('button', { name: 'Revoke Old laptop' }).waitFor({ state: 'detached' })
  const { status } = await hub.send({ method: 'GET', path: '/auth/session', token: body.secret })
  assert.is(status, 401)
})

test('who revokes the token that they are signed in with is told so before, and is signed out', async ({
  open,
  expectFailures
}) => {
  expectFailures(/401/)
  const path = { id: team.tomas.id }
  const { body } = await team.grace.ask.request('POST', '/admin/users/{id}/tokens', {
    path,
    body: { name: 'This tab' }
  })
  const page = await open('#/account', { token: body.secret })
  await page.getByRole('button', { name: 'Revoke This tab' }).click()
  await page.getByText('you are signed out at once').waitFor()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page
    .getByText(/revoked/)
    .first()
    .waitFor()
  await page.getByRole('textbox', { name: 'Token' }).waitFor()
})

test('a token that ends within a week is marked, and one that ends later is not', async ({ open, hub }) => {
  const [path, now] = [{ id: team.mara.id }, hub.clock.now()]
  const endsIn = (days: number) => new Date(now + days * 86_400_000).toISOString()
  const issue = async (name: string, days: number) => {
    const body = { name, expiresAt: endsIn(days) }
    return (await team.grace.ask.request('POST', '/admin/users/{id}/tokens', { path, body })).body.token.id
  }
  const made = [await issue('Build', 3), await issue('Report', 30)]
  const page = await open('#/account', { token: team.mara.token })
  await page.getByText(/A token ends within a week/).waitFor()
  const line = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  await line('Build')
    .getByText(/ends soon,/)
    .waitFor()
  assert.is(
    await line('Report')
      .getByText(/ends soon/)
      .count(),
    0
  )
  await line('Report')
    .getByText(/^ends /)
    .waitFor()
  await looksWellOnBoth(page, 'account-ending')
  for (const place of ['#/', '#/notices']) {
    await page.goto(place)
    await page.getByText('A token ends within a week, “Build”').waitFor()
    await page.getByRole('link', { name: 'the page of your account' }).click()
    await page.getByText('this one').waitFor()
  }
  for (const id of made) await team.grace.ask.request('DELETE', '/admin/tokens/{id}', { path: { id } })
})

test('a token that is older than hundreds of others is there to be ended', async ({ hub, open }) => {
  const { user, secret } = (
    await team.grace.ask.request('POST', '/admin/users', { body: { name: 'Of many tokens', role: 'user' } })
  ).body
  const path = { id: user.id }
  const issue = (name: string) => team.grace.ask.request('POST', '/admin/users/{id}/tokens', { path, body: { name } })
  await issue('Old laptop')
  hub.clock.pass(1)
  for (let lot = 0; lot < 10; lot++)
    await Promise.all(Array.from({ length: 21 }, (_, at) => issue(`Build ${lot} ${at}`)))
  const page = await open('#/account', { token: secret })
  await page.getByText('Build 9 ').first().waitFor()
  await page.getByRole('button', { name: 'Revoke Old laptop' }).waitFor()
})

run()
