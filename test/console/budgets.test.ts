import * as assert from 'uvu/assert'
import { budget, DOLLAR, group, model, use, withoutBudgets } from './support/budgets.js'
import { axe, looksWellOnBoth, picture } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('budgets of models in the console')
const admin = () => ({ token: team.grace.token })

test('a budget of a group is made, told of where its name is taken, raised and deleted', async ({
  open,
  expectFailures
}) => {
  expectFailures(/400/)
  const id = await group(team, 'Payments', team.mara)
  const page = await open('#/usage', admin())
  await page.getByText('There are none: nothing but the limits of accounts').waitFor()
  const dialog = page.getByRole('dialog')
  const field = (name: string) => dialog.getByRole('textbox', { name })
  const choice = (name: string) => dialog.getByRole('combobox', { name })

  await page.getByRole('button', { name: 'New budget' }).click()
  await choice('Whose use it counts').selectOption('group')
  await choice('Counted in').selectOption('usd')
  await field('Limit in US dollars').fill('twelve')
  await dialog.getByRole('button', { name: 'Make it' }).click()
  for (const fault of ['Give the budget a name first.', 'Choose whose it is.', 'an amount of US dollars'])
    await dialog.getByText(fault).waitFor()
  await axe(page)
  await picture(page, 'budget-faults')
  await field('Name').fill('Payments')
  await choice('Group').selectOption({ label: 'Payments' })
  await choice('Models').selectOption(model)
  await choice('Period').selectOption('week')
  await field('Limit in US dollars').fill('$12.50')
  await dialog.getByRole('button', { name: 'Make it' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Payments' })
  await row.getByText('$0.00 of $12.50').waitFor()
  await row.getByText(model).waitFor()
  await row.getByText('Begins anew each week, next 16 Mar 2026').waitFor()
  assert.match((await row.getByRole('link', { name: 'Payments' }).getAttribute('href')) ?? '', new RegExp(id))

  await page.getByRole('button', { name: 'New budget' }).click()
  await field('Name').fill('PAYMENTS')
  await field('Limit in tokens').fill('5,000')
  await dialog.getByRole('button', { name: 'Make it' }).click()
  await dialog.getByRole('alert').getByText('A budget is called "Payments" already.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Change Payments' }).click()
  await axe(page)
  await field('Limit in US dollars').fill('2000000000')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').getByText('limit must be at most').waitFor()
  await field('Limit in US dollars').fill('80')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByText('$0.00 of $80.00').waitFor()

  await page.getByRole('button', { name: 'Delete Payments' }).click()
  await dialog.getByText(/one that is made anew begins with nothing used/).waitFor()
  await axe(page)
  await picture(page, 'budget-delete')
  await dialog.getByRole('button', { name: 'Delete the budget' }).click()
  await page.getByText('There are none: nothing but the limits of accounts').waitFor()
  assert.equal((await team.grace.ask.request('GET', '/admin/llm/budgets')).body.budgets, [])
  await withoutBudgets(team)
})

test('each budget says whose it is, what is used of it and how near its end is', async ({ open, hub }) => {
  const subjectId = await group(team, 'Payments', team.mara)
  const token = (await team.mara.ask.request('GET', '/auth/session')).body.token.id
  const made = [
    await budget(team, { name: 'Everything', limit: 12 * DOLLAR }),
    await budget(team, { name: 'Payments', subject: 'group', subjectId, unit: 'usd', limit: 12.5, model }),
    await budget(team, {
      name: 'Mara, a day',
      subject: 'user',
      subjectId: team.mara.id,
      period: 'day',
      limit: 11 * DOLLAR
    }),
    await budget(team, { name: 'Editor', subject: 'token', subjectId: token, period: 'week', limit: 50 * DOLLAR })
  ]
  await use(hub, team.mara, made, 11 * DOLLAR)
  const page = await open('#/usage', admin())
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })
  await row('Payments').getByText('$11.00 of $12.50').waitFor()
  await row('Payments').getByText('nearly used up').waitFor()
  await row('Mara, a day').getByText('used up', { exact: true }).waitFor()
  await row('Mara, a day').getByRole('link', { name: 'Mara Lindqvist' }).waitFor()
  await row('Editor').getByRole('link', { name: 'Mara Lindqvist' }).waitFor()
  await row('Everything').getByText('all of the hub').waitFor()
  assert.is(await row('Editor').getByText('used up').count(), 0)
  const meter = page.getByRole('meter', { name: 'Used of Payments' })
  assert.is(await meter.getAttribute('aria-valuenow'), '88')
  await page.getByRole('heading', { name: 'Budgets' }).scrollIntoViewIfNeeded()
  await looksWellOnBoth(page, 'budgets')
  await page.getByRole('meter', { name: 'Used of Payments' }).scrollIntoViewIfNeeded()
  await page.setViewportSize({ width: 1024, height: 800 })
  await looksWellOnBoth(page, 'budgets-narrow')
  await page.getByRole('button', { name: 'New budget' }).click()
  await page.getByRole('combobox', { name: 'Whose use it counts' }).selectOption('token')
  await page.getByRole('combobox', { name: 'Token' }).waitFor()
  await looksWellOnBoth(page, 'budget-new')
  await withoutBudgets(team)
})

test('who gives a budget another name leaves the limit that somebody else has set meanwhile', async ({ open }) => {
  const id = await budget(team, { name: 'Two hands' })
  const page = await open('#/usage', admin())
  await page.getByRole('button', { name: 'Change Two hands' }).click()
  await team.grace.ask.request('PUT', '/admin/llm/budgets/{id}', { path: { id }, body: { limit: 77 } })
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Four hands')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The budget Four hands is changed.').waitFor()
  const [changed] = (await team.grace.ask.request('GET', '/admin/llm/budgets')).body.budgets
  assert.equal([changed?.name, changed?.limit], ['Four hands', 77])
  await withoutBudgets(team)
})

test('the audit finds what became of budgets', async ({ open }) => {
  const id = await budget(team, { name: 'Short lived' })
  const { ask } = team.grace
  await ask.request('PUT', '/admin/llm/budgets/{id}', { path: { id }, body: { limit: 5 } })
  await ask.request('DELETE', '/admin/llm/budgets/{id}', { path: { id } })
  const page = await open('#/audit?kind=llmbudget', admin())
  await page.getByRole('link', { name: 'Take away: Budgets of models' }).waitFor()
  for (const did of ['made', 'changed', 'deleted'])
    await page.getByText(`Grace Holm ${did} the budget of models Short lived`).waitFor()
  await page
    .getByText(/Of the budget of models .+ 80 percent are used/)
    .first()
    .waitFor()
  await axe(page)
  await picture(page, 'budgets-audit')
})

run()
