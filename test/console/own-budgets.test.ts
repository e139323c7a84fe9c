import * as assert from 'uvu/assert'
import { browserSuite } from './support/browser.js'
import { budget, DOLLAR, group, hold, use, withoutBudgets } from './support/budgets.js'
import { axe, looksWellOnBoth, picture } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('the own budgets of models in the console')
const without = browserSuite('the own account at a hub without models', () => {}, { config: { llm: undefined } })

test('who uses models sees the budgets that count that, and which are nearly used up', async ({ open, hub }) => {
  const subjectId = await group(team, 'Payments', team.mara)
  const made = [
    await budget(team, { name: 'Payments', subject: 'group', subjectId, unit: 'usd', limit: 12.5 }),
    await budget(team, { name: 'Everything', limit: 90 * DOLLAR })
  ]
  await use(hub, team.mara, made, 11 * DOLLAR)
  await hold(hub, team.mara, DOLLAR / 10)
  const page = await open('#/account', { token: team.mara.token })
  await page.getByText('“Payments” is nearly used up').waitFor()
  const item = page.getByRole('listitem').filter({ hasText: 'all members of a group that you are in' })
  await item.getByText('$11.00 of $12.50').waitFor()
  await item.getByText('$0.1000 held by calls on their way').waitFor()
  await item.getByText('Begins anew each month, next 1 Apr 2026').waitFor()
  await looksWellOnBoth(page, 'account-budgets')
  await withoutBudgets(team)
})

test('a budget that is nearly used up is told of on the first page and beside the notices, to whom it counts', async ({
  open,
  hub
}) => {
  const mine = await budget(team, { name: 'Everything', limit: 12 * DOLLAR })
  await use(hub, team.mara, [mine], 11 * DOLLAR)
  const page = await open('#/', { token: team.mara.token })
  await page.getByText('The budget “Everything” is nearly used up').waitFor()
  await axe(page)
  await picture(page, 'home-budget')
  await page.goto('#/notices')
  await page.getByRole('heading', { name: 'Notices' }).waitFor()
  await page.getByText('The budget “Everything” is nearly used up').waitFor()
  await axe(page)
  await withoutBudgets(team)
})

test('who is counted by no budget, or uses no models, is told of none', async ({ open }) => {
  const { ask } = team.grace
  const { body } = await ask.request('POST', '/admin/users', { body: { name: 'Without models', role: 'user' } })
  const page = await open('#/account', { token: team.mara.token })
  await page.getByText('this one').waitFor()
  assert.is(await page.getByRole('heading', { name: 'Budgets' }).count(), 0)
  await budget(team, {})
  const other = await open('#/account', { token: body.secret })
  await other.getByText('not for this account').waitFor()
  await other.getByText('this one').waitFor()
  assert.is(await other.getByRole('heading', { name: 'Budgets' }).count(), 0)
  // Its page would be told that it is signed in no more.
  await other.close()
  await ask.request('DELETE', '/admin/users/{id}', { path: { id: body.user.id } })
  await withoutBudgets(team)
})

without.test('a hub that offers no models is no error', async ({ open, hub, expectFailures }) => {
  expectFailures(/503/)
  const body = { name: 'Ada', role: 'user', llmAccess: true, llmModels: ['*'] }
  const { text } = await hub.send({ method: 'POST', path: '/admin/users', token: hub.admin.token, body })
  const page = await open('#/account', { token: JSON.parse(text).secret })
  await page.getByText('this hub offers none').waitFor()
  await page.getByText('this one').waitFor()
  assert.is(await page.getByRole('heading', { name: 'Budgets' }).count(), 0)
  assert.is(await page.getByRole('alert').count(), 0)
})

run()
without.run()
