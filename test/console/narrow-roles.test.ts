import * as assert from 'uvu/assert'
import { looksWell, looksWellOnBoth } from './support/looks.js'
import { seededSuite } from './support/seeded.js'
import { leaveUncopied } from './support/shownOnce.js'

const tokens = { auditor: '', accountAdmin: '' }
const { test, run, team } = seededSuite('auditors and administrators of accounts in the console', {}, async () => {
  for (const role of ['auditor', 'accountAdmin'] as const) {
    const body = { name: `An ${role}`, role }
    tokens[role] = (await team.grace.ask.request('POST', '/admin/users', { body })).body.secret
  }
})

test('an auditor begins with the audit, and is led nowhere else', async ({ open }) => {
  const page = await open('#/', { token: tokens.auditor })
  await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
  await page.getByText(/This search finds/).waitFor({ state: 'attached' })
  const places = page.locator('nav[aria-label="Hub"] a')
  assert.equal(await places.allTextContents(), ['Audit'])
  await page
    .getByRole('button', { name: /^Details/ })
    .first()
    .click()
  await page.getByText('Everything about it').waitFor()
  assert.is(await page.getByRole('button', { name: /Undo/ }).count(), 0)
  assert.is(await page.getByRole('main').locator('a[href^="#/people"], a[href^="#/collections"]').count(), 0)
  await looksWellOnBoth(page, 'auditor')
  await page.goto('#/account')
  await page.getByText('Auditor of').waitFor()
  await page.getByText('this one').waitFor()
  await looksWellOnBoth(page, 'auditor-account')
  await page.goto(`#/collections/${team.payments}`)
  await page.getByText('Reads the audit: that is what it does.').waitFor()
  await looksWellOnBoth(page, 'auditor-elsewhere')
  await page.getByRole('link', { name: 'Go to the first page' }).click()
  await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
})

test('an administrator sees who is an auditor, and who becomes a user', async ({ open }) => {
  const body = { name: 'Looks', role: 'auditor' } as const
  const { user } = (await team.grace.ask.request('POST', '/admin/users', { body })).body
  const page = await open('#/people', { token: team.grace.token })
  const row = page.getByRole('row').filter({ hasText: 'Looks' })
  await row.getByText('auditor', { exact: true }).waitFor()
  await row.getByRole('link', { name: 'Looks' }).click()
  await page.getByText('Reads the audit, and nothing else.').waitFor()
  await page.getByRole('link', { name: 'Edit' }).click()
  assert.ok(await page.getByRole('radio', { name: /^Auditor/ }).isChecked())
  await page.getByRole('textbox', { name: 'Name' }).fill('Looks on')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Looks on', level: 1 }).waitFor()
  const roles = async () => {
    const { role, exactRole } = (await team.grace.ask.request('GET', '/admin/users/{id}', { path: user })).body
    return [role, exactRole]
  }
  assert.equal(await roles(), ['user', 'auditor'])
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('radio', { name: /^User/ }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Groups' }).waitFor()
  assert.equal(await roles(), ['user', 'user'])
})

test('an administrator of accounts begins with people, and manages those of users', async ({ open }) => {
  const page = await open('#/', { token: tokens.accountAdmin })
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  const places = page.locator('nav[aria-label="Hub"] a')
  assert.equal(await places.allTextContents(), ['People', 'Groups', 'Tokens'])
  await page.getByRole('link', { name: team.mara.name }).waitFor()
  await looksWellOnBoth(page, 'account-admin')
  await page.getByRole('link', { name: team.mara.name }).click()
  await page.getByRole('link', { name: 'Edit' }).waitFor()
  await page.getByRole('heading', { name: 'Tokens' }).waitFor()
  assert.is(await page.getByRole('heading', { name: 'Lately' }).count(), 0)
  await looksWellOnBoth(page, 'account-admin-person')
  await page.goto(`#/people/${team.grace.id}`)
  await page.getByText('Manages accounts, locks and the hub itself').waitFor()
  assert.is(await page.getByRole('link', { name: 'Edit' }).count(), 0)
  await page.goto('#/tokens')
  await page
    .getByRole('button', { name: /^Revoke/ })
    .first()
    .waitFor()
  await page.goto('#/audit')
  await page.getByText('This is not for your account').waitFor()
})

test('a page of who follows no changes comes by itself when the hub is back', async ({ open, expectFailures }) => {
  expectFailures(/ERR_INTERNET_DISCONNECTED/)
  const page = await open('#/people', { token: tokens.accountAdmin })
  await page.getByRole('link', { name: team.mara.name }).waitFor()
  await page.context().setOffline(true)
  await page.goto('#/groups')
  await page.getByText('The hub does not answer', { exact: true }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'New group' }).waitFor()
})

test('an administrator of accounts makes a user and a group', async ({ open, hub }) => {
  const page = await open('#/people/new', { token: tokens.accountAdmin })
  await page.getByRole('textbox', { name: 'Name' }).fill('Newcomer')
  assert.is(await page.getByRole('radio', { name: /^Administrator/ }).count(), 0)
  await page.getByRole('group', { name: 'Collections' }).getByRole('radio', { name: /^All/ }).check()
  await page.getByRole('radio', { name: /^With a token/ }).check()
  await page.getByRole('button', { name: 'Make the account and its token' }).click()
  await page.getByRole('heading', { name: 'Token of Newcomer' }).waitFor()
  const { users } = (await team.grace.ask.request('GET', '/admin/users')).body
  const newcomer = users.find(({ name }) => name === 'Newcomer')
  assert.equal(newcomer?.collectionAccess, ['*'])
  await leaveUncopied(page)
  await page.getByRole('heading', { name: 'Newcomer', level: 1 }).waitFor()
  await page.goto('#/groups')
  await page.getByRole('button', { name: 'New group' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Newcomers')
  await page.getByRole('button', { name: 'Make it' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('textbox', { name: 'Id of the record' }).fill(team.payments)
  await page.getByRole('button', { name: 'Give it' }).click()
  await page.getByRole('button', { name: `Take it back: the role on the collection ${team.payments}` }).waitFor()
  await looksWell(page, 'account-admin-group')
  const { status } = await hub.send({ method: 'DELETE', path: `/admin/users/${newcomer?.id}`, token: team.grace.token })
  assert.is(status, 204)
})

run()
