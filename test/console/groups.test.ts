import * as assert from 'uvu/assert'
import { axe, looksWell, looksWellOnBoth } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('groups and sharing in the console')

test('a group is made, says what its members may use, takes somebody in and is deleted', async ({
  open,
  hub,
  expectFailures
}) => {
  expectFailures(/400/)
  const page = await open('#/groups', { token: team.grace.token })
  await page.getByText('There are no groups yet').waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'New group' }).click()
  await page.keyboard.insertText('x'.repeat(501))
  await page.getByRole('button', { name: 'Make it' }).click()
  await page.getByText('Name must be at most 500 characters long.').waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Payments')
  await page.getByRole('button', { name: 'Make it' }).click()
  const snippets = page.getByRole('group', { name: 'Snippets' })
  await snippets.getByRole('radio', { name: /^All/ }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^All snippets/).waitFor()
  await page.getByRole('combobox', { name: 'Add somebody' }).selectOption({ label: team.mara.name })
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('by an administrator').waitFor()
  const session = await hub.send({ method: 'GET', path: '/snippets', token: team.mara.token })
  assert.is(session.status, 200)
  await page.getByRole('button', { name: `Take out ${team.mara.name}` }).click()
  await page.getByText('Nobody is in it yet.').waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nobody is in it.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Delete the group' }).click()
  await page.getByText('There are no groups yet').waitFor()
})

test('a group and an account tell of each other', async ({ open }) => {
  const { body } = await team.grace.ask.request('POST', '/admin/groups', { body: { name: 'Team' } })
  for (const name of ['Squad 10', 'Squad 9']) await team.grace.ask.request('POST', '/admin/groups', { body: { name } })
  const page = await open(`#/people/${team.mara.id}`, { token: team.grace.token })
  await page.getByRole('combobox', { name: 'Add to group' }).selectOption({ label: 'Team' })
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('link', { name: 'Team' }).waitFor()
  await looksWellOnBoth(page, 'account-with-group')
  await page.getByRole('link', { name: 'Team' }).click()
  await page.getByText('by an administrator').waitFor()
  await looksWellOnBoth(page, 'group')
  await page.goto('#/groups')
  await page.getByRole('searchbox', { name: 'Find groups' }).fill('squad')
  await page.getByText('2 of 3').waitFor()
  assert.equal(await page.getByRole('main').getByRole('link', { name: 'Squad' }).allTextContents(), [
    'Squad 9',
    'Squad 10'
  ])
  await page.goto('#/audit?type=MembershipsChanged')
  const added = page.getByRole('listitem').filter({ hasText: 'changed which groups the account Mara Lindqvist is in' })
  assert.not.match((await added.first().textContent()) ?? '', /is in ?groups/)
  await page.goto(`#/groups/${body.id}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('One account loses at once what it has by it.').waitFor()
  await team.grace.ask.request('DELETE', '/admin/groups/{id}', { path: { id: body.id } })
})

test('an account is disabled, which its page and the list say, and enabled again', async ({ open }) => {
  const page = await open(`#/people/${team.tomas.id}`, { token: team.grace.token })
  await page.getByRole('button', { name: 'Disable' }).click()
  await axe(page)
  await page.getByRole('button', { name: 'Disable', exact: true }).last().click()
  await page.getByText(/nothing is let in as this account/).waitFor()
  await page.getByRole('link', { name: 'People' }).first().click()
  await page.getByText('disabled', { exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.getByRole('button', { name: 'Enable', exact: true }).last().click()
  await page.getByText(/nothing is let in as this account/).waitFor({ state: 'detached' })
})

test('who has made a collection gives it to somebody, and takes it back', async ({ open, expectFailures }) => {
  expectFailures(/404/)
  const { body } = await team.mara.ask.request('POST', '/collections', { body: { name: 'Shared one' } })
  const page = await open(`#/collections/${body.id}`, { token: team.mara.token })
  await page.getByRole('button', { name: 'Share…' }).click()
  await page
    .getByText(/by their access list, editor/)
    .first()
    .waitFor()
  await axe(page)
  await page.getByRole('textbox', { name: 'Give it to' }).fill('Nobody at all')
  await page.getByRole('button', { name: 'Give it', exact: true }).click()
  await page.getByText('User not found').waitFor()
  const { body: made } = await team.grace.ask.request('POST', '/admin/users', {
    body: { name: 'Reader', role: 'user' }
  })
  await page.getByRole('textbox', { name: 'Give it to' }).fill('reader')
  await page.getByRole('button', { name: 'Give it', exact: true }).click()
  await page.getByText(/by a role that was given, viewer/).waitFor()
  await looksWell(page, 'share')
  await page.getByRole('button', { name: 'Take it back from Reader' }).click()
  await page.getByText(/by a role that was given, viewer/).waitFor({ state: 'detached' })
  await team.grace.ask.request('DELETE', '/admin/users/{id}', { path: { id: made.user.id } })
})

run()
