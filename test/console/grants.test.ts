import * as assert from 'uvu/assert'
import { axe, looksWell, looksWellOnBoth, picture } from './support/looks.js'
import type { Person } from './support/seed.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('roles on single records in the console')

let made = 0
const groupWith = async (body: object = {}) => {
  const { grace } = team
  const name = `Group ${++made}`
  const { id } = (await grace.ask.request('POST', '/admin/groups', { body: { name, ...body } })).body
  const path = { id }
  return {
    id,
    name,
    takes: ({ id: user }: Person) =>
      grace.ask.request('PUT', '/admin/groups/{id}/members/{user}', { path: { id, user } }),
    get: async () => (await grace.ask.request('GET', '/admin/groups/{id}', { path })).body,
    change: (body: object) => grace.ask.request('PUT', '/admin/groups/{id}', { path, body }),
    end: () => grace.ask.request('DELETE', '/admin/groups/{id}', { path })
  }
}
const on = (id: string, role: 'viewer' | 'editor' | 'manager') => ({ kind: 'collection', id, role }) as const

test('a group is given a role on a record, another one, and none', async ({ open }) => {
  const group = await groupWith()
  const page = await open(`#/groups/${group.id}`, { token: team.grace.token })
  await page.getByRole('combobox', { name: 'Record' }).selectOption({ label: 'Payments' })
  await page.getByRole('button', { name: 'Give it' }).click()
  const role = page.getByRole('combobox', { name: 'Role on the collection Payments' })
  await role.waitFor()
  assert.is(await role.inputValue(), 'viewer')
  await role.selectOption('manager')
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('environment')
  await page.getByRole('combobox', { name: 'Record' }).selectOption({ index: 1 })
  await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('editor')
  await page.getByRole('button', { name: 'Give it' }).click()
  const taking = page.getByRole('button', { name: /Take it back: the role on the environment/ })
  await taking.waitFor()
  assert.equal(
    (await group.get()).grants.map(({ kind, role }) => [kind, role]),
    [
      ['collection', 'manager'],
      ['environment', 'editor']
    ]
  )
  await looksWellOnBoth(page, 'group-grants')
  await taking.click()
  await taking.waitFor({ state: 'detached' })
  assert.equal((await group.get()).grants, [on(team.payments, 'manager')])
  await group.end()
})

test('an account is given a role on its page, with which it sees the record', async ({ open }) => {
  const page = await open(`#/people/${team.jonas.id}`, { token: team.grace.token })
  await page.getByRole('combobox', { name: 'Record' }).selectOption({ label: 'Onboarding' })
  await page.getByRole('button', { name: 'Give it' }).click()
  await page.getByRole('button', { name: 'Take it back: the role on the collection Onboarding' }).waitFor()
  const path = { id: team.onboarding }
  assert.is((await team.jonas.ask.request('GET', '/collections/{id}', { path })).body.name, 'Onboarding')
  await page.getByRole('button', { name: 'Take it back: the role on the collection Onboarding' }).click()
  await page.getByText('None.', { exact: true }).waitFor()
})

test('a role that somebody gives while somebody else is faster is not given, and the page says so', async ({
  open,
  expectFailures
}) => {
  expectFailures(/412/)
  const group = await groupWith()
  const page = await open(`#/groups/${group.id}`, { token: team.grace.token })
  await page.getByRole('combobox', { name: 'Record' }).selectOption({ label: 'Payments' })
  // Between what the page has read and what it sends.
  await page.route(
    `**/admin/groups/${group.id}`,
    async (route) => {
      await group.change({ grants: [on(team.search, 'editor')] })
      await route.continue()
    },
    { times: 1 }
  )
  await page.getByRole('button', { name: 'Give it' }).click()
  await page.getByText(/Somebody else has changed this group meanwhile/).waitFor()
  await page.getByRole('combobox', { name: 'Role on the collection Search API' }).waitFor()
  await axe(page)
  assert.equal((await group.get()).grants, [on(team.search, 'editor')])
  await page.getByRole('button', { name: 'Give it' }).click()
  await page.getByRole('combobox', { name: 'Role on the collection Payments' }).waitFor()
  assert.is(await page.getByText(/Somebody else has changed/).count(), 0)
  await group.end()
})

test('two who edit a group see what the other has changed, and lose nothing', async ({ open, expectFailures }) => {
  expectFailures(/412/)
  const group = await groupWith()
  const page = await open(`#/groups/${group.id}?edit=yes`, { token: team.grace.token })
  await page.getByRole('group', { name: 'Snippets' }).getByRole('radio', { name: /^All/ }).check()
  await group.change({ environmentAccess: ['*'] })
  await page.getByText(/Somebody was faster: this group was changed/).waitFor()
  await page.getByText('is now all environments').waitFor()
  await page.getByRole('button', { name: 'Go on from there' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^All environments and snippets/).waitFor()
  await group.end()
})

test('a role on what is deleted by now is named so, and goes with the next change', async ({ open }) => {
  const { body } = await team.mara.ask.request('POST', '/collections', { body: { name: 'Short-lived' } })
  const group = await groupWith({ grants: [on(body.id, 'viewer')] })
  await team.mara.ask.request('DELETE', '/collections/{id}', { path: { id: body.id } })
  const page = await open(`#/groups/${group.id}`, { token: team.grace.token })
  await page.getByText('gone', { exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Record' }).selectOption({ label: 'Payments' })
  await page.getByRole('button', { name: 'Give it' }).click()
  await page.getByRole('combobox', { name: 'Role on the collection Payments' }).waitFor()
  await page.getByText('gone', { exact: true }).waitFor({ state: 'detached' })
  await group.end()
})

test('a machine gets an account with a token and no invitation, and is shown as one', async ({ open, hub }) => {
  const page = await open('#/people/new', { token: team.grace.token })
  await page.getByRole('textbox', { name: 'Name' }).fill('Nightly build')
  await page.getByRole('radio', { name: /^A machine/ }).check()
  assert.is(await page.getByText('With an invitation').count(), 0)
  await looksWell(page, 'new-machine')
  await page.getByRole('button', { name: 'Make the account and its token' }).click()
  await page.getByRole('heading', { name: 'Token of Nightly build' }).waitFor()
  await page.getByRole('button', { name: /Copy/ }).first().waitFor()
  const { users } = (await team.grace.ask.request('GET', '/admin/users')).body
  const machine = users.find(({ name }) => name === 'Nightly build')
  assert.is(machine?.isService, true)
  const other = await open(`#/people/${machine?.id}`, { token: team.grace.token })
  await other.getByText(/User, a machine/).waitFor()
  assert.is(await other.getByRole('heading', { name: 'Invitations' }).count(), 0)
  await other.goto('#/people?q=Nightly')
  await other.getByText('machine', { exact: true }).waitFor()
  await hub.send({ method: 'DELETE', path: `/admin/users/${machine?.id}`, token: team.grace.token })
})

test('a manager through a group shares a collection, and sees who has it and why', async ({ open, expectFailures }) => {
  expectFailures(/403/)
  const managers = await groupWith({ grants: [on(team.onboarding, 'manager')] })
  const page = await open(`#/collections/${team.onboarding}`, { token: team.jonas.token })
  await page.getByText('It is gone, or nobody has shared it with you.', { exact: false }).waitFor()
  await managers.takes(team.jonas)
  await page.getByRole('button', { name: 'Share…' }).click()
  await page.getByText(`through the group ${managers.name}, manager`).waitFor()
  await page.getByText('by their access list, editor').first().waitFor()
  await page.getByRole('textbox', { name: 'Give it to' }).fill('Reader')
  const reader = await team.grace.ask.request('POST', '/admin/users', { body: { name: 'Reader', role: 'user' } })
  await page.getByRole('button', { name: 'Give it', exact: true }).click()
  const role = page.getByRole('combobox', { name: 'Role of Reader' })
  await role.waitFor()
  await role.selectOption('editor')
  await page.getByText('by a role that was given, editor').waitFor()
  await looksWellOnBoth(page, 'share-manager')
  await managers.change({ grants: [on(team.onboarding, 'editor')] })
  const again = await open(`#/collections/${team.onboarding}`, { token: team.jonas.token })
  await again.getByRole('link', { name: 'Edit', exact: true }).waitFor()
  assert.is(await again.getByRole('button', { name: 'Share…' }).count(), 0)
  await team.grace.ask.request('DELETE', '/admin/users/{id}', { path: { id: reader.body.user.id } })
  await managers.end()
})

test('who has made an environment gives it to somebody, who then only looks at it', async ({ open }) => {
  const { body } = await team.mara.ask.request('POST', '/environments', { body: { name: 'Sandbox' } })
  const page = await open(`#/environments/${body.id}`, { token: team.mara.token })
  await page.getByRole('button', { name: 'Share…' }).click()
  await page.getByRole('textbox', { name: 'Give it to' }).fill(team.jonas.name)
  await page.getByRole('button', { name: 'Give it', exact: true }).click()
  await page.getByRole('combobox', { name: `Role of ${team.jonas.name}` }).waitFor()
  const other = await open(`#/environments/${body.id}`, { token: team.jonas.token })
  await other.getByText(/You may look at it and not change it/).waitFor()
  assert.is(await other.getByRole('link', { name: 'Edit', exact: true }).count(), 0)
  assert.is(await other.getByRole('button', { name: 'Share…' }).count(), 0)
  await team.mara.ask.request('DELETE', '/environments/{id}', { path: { id: body.id } })
})

test('who only looks at a collection, or does while they edit, is offered no change, and keeps what they typed', async ({
  open,
  expectFailures
}) => {
  expectFailures(/403/)
  const viewers = await groupWith({ grants: [on(team.onboarding, 'viewer')] })
  await viewers.takes(team.jonas)
  const page = await open(`#/collections/${team.onboarding}`, { token: team.jonas.token })
  await page.getByText(/You may look at it and not change it/).waitFor()
  for (const name of ['Edit', 'New in this collection'])
    assert.is(await page.getByRole('link', { name }).or(page.getByRole('button', { name })).count(), 0, name)
  await page.getByText('Who may change what is discussed writes here; you may read it.').waitFor()
  assert.is(await page.getByRole('button', { name: 'Comment' }).count(), 0)
  await picture(page, 'viewer')
  await page.getByRole('button', { name: 'More with this collection' }).click()
  await page.getByRole('menuitem', { name: 'Export…' }).waitFor()
  for (const name of ['Rename…', 'Import into it…', 'Delete…'])
    assert.is(await page.getByRole('menuitem', { name }).count(), 0, name)
  await page.keyboard.press('Escape')
  await page.getByRole('treeitem', { name: 'Onboarding' }).click()
  await page.keyboard.press('F2')
  assert.is(await page.getByRole('dialog').count(), 0)
  // A link to the form, as who may change it sends it, leads to what there is to see.
  await page.goto(`#/collections/${team.onboarding}?edit=yes`)
  await page.getByText(/You may look at it and not change it/).waitFor()
  assert.is(await page.getByRole('textbox', { name: 'Name', exact: true }).count(), 0)
  // Who becomes a viewer while they type keeps the form.
  await viewers.change({ grants: [on(team.onboarding, 'editor')] })
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine now')
  await viewers.change({ grants: [on(team.onboarding, 'viewer')] })
  await page.getByText(/You may look at it and not change it/).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('You may look at this and not change it.').waitFor()
  await looksWell(page, 'viewer-refused')
  assert.is(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Mine now')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Keep them for later' }).click()
  await page.getByText(/You may look at it and not change it/).waitFor()
  assert.is(await page.getByRole('link', { name: 'Edit', exact: true }).count(), 0)
  await viewers.end()
})

test('what somebody only looks at is neither moved nor deleted with others, nor offered to be moved or imported into', async ({
  open
}) => {
  const path = { id: team.jonas.id }
  const access = (collectionAccess: readonly string[]) =>
    team.grace.ask.request('PUT', '/admin/users/{id}', { path, body: { collectionAccess } })
  await access([])
  const group = await groupWith({ grants: [on(team.onboarding, 'viewer'), on(team.search, 'editor')] })
  await group.takes(team.jonas)
  const page = await open(`#/collections/${team.search}`, { token: team.jonas.token })
  const row = (name: string) => page.locator(`[role=treeitem][title="${name}"]`)
  const several = page.getByRole('region', { name: 'Chosen in the tree' })
  const button = (name: string) => several.getByRole('button', { name, exact: true })
  const optionsOf = (name: string) => page.getByRole('combobox', { name }).locator('option').allInnerTexts()

  await row('Onboarding').click({ modifiers: ['Control'] })
  await several.getByText('1 record chosen').waitFor()
  assert.equal([await button('Export…').count(), await button('Delete…').count()], [1, 0])
  await several.getByRole('button', { name: 'Choose none' }).click()

  await row('Queries').click({ modifiers: ['Control'] })
  await button('Delete…').waitFor()
  await button('Move…').click()
  assert.equal(await optionsOf('Collection'), ['Search API'])
  await page.getByRole('button', { name: 'Cancel' }).click()
  await row('Onboarding').click({ modifiers: ['Control'] })
  await several.getByText('2 records chosen').waitFor()
  assert.equal([await button('Move…').count(), await button('Delete…').count()], [0, 0])

  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Import…' }).click()
  await page.getByRole('textbox', { name: 'Or paste it' }).fill('curl https://api.example.com')
  await page.getByRole('button', { name: 'See what it brings' }).click()
  await page.getByRole('combobox', { name: 'Into' }).waitFor()
  assert.equal(await optionsOf('Into'), ['Search API'])
  await page.keyboard.press('Escape')

  await group.end()
  await access([team.payments])
})

test('access by a group that is taken away takes the record with it while somebody looks, as the end of the group does', async ({
  open,
  expectFailures
}) => {
  expectFailures(/403|404/)
  const group = await groupWith({ grants: [on(team.onboarding, 'viewer'), on(team.search, 'editor')] })
  await group.takes(team.jonas)
  const page = await open(`#/collections/${team.search}`, { token: team.jonas.token })
  const row = (name: string) => page.locator(`[role=treeitem][title="${name}"]`)
  const gone = page.getByRole('heading', { name: 'This is not yours to see' })
  await page.getByRole('heading', { name: 'Search API', level: 1 }).waitFor()
  await group.change({ grants: [on(team.onboarding, 'viewer')] })
  await gone.waitFor()
  await row('Search API').waitFor({ state: 'detached' })
  await row('Onboarding').click()
  await page.getByRole('heading', { name: 'Onboarding', level: 1 }).waitFor()
  await group.end()
  await gone.waitFor()
  await row('Onboarding').waitFor({ state: 'detached' })
})

run()
