import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { connectHub } from '../../clients/typescript/src/index.js'
import { holdRequests } from './support/held.js'
import { tabTo } from './support/keyboard.js'
import { axe, looksWell, looksWellOnBoth, screenshot } from './support/looks.js'
import { seededSuite } from './support/seeded.js'
import { asksBeforeReload, warning } from './support/shownOnce.js'

const { test, run, team } = seededSuite('people in the console')
const admin = () => ({ token: team.grace.token })
const account = async (name: string, more: object = {}) => {
  const body = { name, role: 'user', ...more } as const
  return (await team.grace.ask.request('POST', '/admin/users', { body })).body
}

/** Makes an account with a token, which is shown then. */
async function makeWithToken(page: Page, name: string) {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('With a token').check()
  await page.getByRole('button', { name: 'Make the account and its token' }).click()
  await page.getByRole('heading', { name: `Token of ${name}` }).waitFor()
}

test('people: everybody with what they may use, when they were here, and what they have spent', async ({ open }) => {
  const page = await open('#/people', admin())
  const tomas = page.getByRole('row', { name: 'Tomás Ferreira' })
  await tomas
    .getByText('All collections, environments, snippets, live servers and live pages; models: all, no monthly limit')
    .waitFor()
  await tomas.getByText('$', { exact: false }).waitFor()
  await page.getByRole('row', { name: 'Léa Moreau' }).getByText('invited').waitFor()
  await looksWellOnBoth(page, 'people')
})

test('people are found by typing, and stand in the order that the address says', async ({ open }) => {
  const page = await open('#/people', admin())
  await page.getByRole('button', { name: 'Spent this month' }).click()
  const first = page.getByRole('rowheader').first()
  await first.getByText('Priya Raman').waitFor()
  assert.match(page.url(), /order=spent/)
  await page.getByRole('searchbox', { name: 'Find people' }).fill('jonas')
  await page.getByText('1 of', { exact: false }).waitFor()
  await page.reload()
  await first.getByText('Jonas Weber').waitFor()
  await page.getByRole('searchbox', { name: 'Find people' }).fill('nobody')
  await page.getByText('Nobody is found by that').waitFor()
})

test('a long name stands beside what stands for its owner', async ({ open }) => {
  const name = 'מחלקת תשלומים והחזרים של כל הסניפים בעולם כולו'
  const body = { name, role: 'user', collectionAccess: [], environmentAccess: [], snippetAccess: [] } as const
  await team.grace.ask.request('POST', '/admin/users', { body })
  const page = await open('#/people', admin())
  const link = page.getByRole('link', { name })
  const [named, drawn] = [await link.boundingBox(), await link.locator('..').locator('[data-initials]').boundingBox()]
  assert.ok(named && drawn && drawn.y < named.y + named.height && named.y < drawn.y + drawn.height)
})

test('of a thousand people only those are there who can be seen', async ({ open }) => {
  const page = await open('#/people/new', admin())
  const { users } = (await team.grace.ask.request('GET', '/admin/users')).body
  const many = Array.from({ length: 1000 }, (_, n) => ({ ...users[0], id: `${n}`, name: `Person ${n}` }))
  await page.route('**/admin/users', (route) => route.fulfill({ json: { users: many } }))
  await page.goto('#/people')
  await page.getByText('1,000 accounts').waitFor()
  await page.getByRole('row', { name: 'Person 0' }).waitFor()
  assert.ok((await page.getByRole('row').count()) < 60)
  await page.getByRole('rowgroup').last().hover()
  await page.mouse.wheel(0, 100_000)
  await page.getByRole('row', { name: 'Person 999' }).waitFor()
})

test('what is gone leaves the access list of a person by one click', async ({ open }) => {
  const { id } = (await team.mara.ask.request('POST', '/environments', { body: { name: 'Short-lived' } })).body
  const { user } = await account('Lists of Olga', { environmentAccess: [id], collectionAccess: [team.payments] })
  await team.grace.ask.request('DELETE', '/admin/environments/{id}', { path: { id } })
  const page = await open('#/people', admin())
  await page.getByRole('button', { name: 'Remove what is gone: Lists of Olga' }).click()
  await page.getByText('1 collection, no environments, snippets, live servers or live pages; no models').waitFor()
  const now = (await team.grace.ask.request('GET', '/admin/users/{id}', { path: { id: user.id } })).body
  assert.equal([now.environmentAccess, now.collectionAccess], [[], [team.payments]])
})

test('an invitation is made by keyboard alone, and lets the invited person in', async ({ open, hub }) => {
  const page = await open('#/people', admin())
  await page.getByRole('row', { name: 'Mara Lindqvist' }).waitFor()
  await tabTo(page, 'New account')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'New account' }).waitFor()
  await tabTo(page, 'Name')
  await page.keyboard.type('Nadia Haddad')
  await tabTo(page, /^None$/)
  await page.keyboard.press('ArrowRight')
  await tabTo(page, 'Find among Collections')
  await page.keyboard.type('pay')
  await tabTo(page, 'Payments')
  await page.keyboard.press('Space')
  await tabTo(page, 'Good for how many hours')
  await page.keyboard.type('48')
  await tabTo(page, 'Make the account and invite')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Invitation for Nadia Haddad' }).waitFor()
  const link = new URL(await page.getByRole('textbox', { name: 'Invitation link' }).inputValue())
  await page.getByRole('img', { name: 'The invitation of Nadia Haddad as a QR code' }).waitFor()
  await axe(page)
  assert.equal([link.origin, link.pathname, link.searchParams.get('name')], [hub.url, '/join', 'Nadia Haddad'])
  const invited = await open(`/console/#/join?${new URLSearchParams({ code: link.hash.slice('#code='.length) })}`)
  await invited.getByRole('button', { name: 'Accept' }).click()
  await invited.getByText('You are in').waitFor()
  await invited.getByLabel('This is not my computer').check()
  await axe(invited)
  await invited.getByRole('button', { name: 'Open the hub' }).click()
  await invited.getByRole('button', { name: 'Signed in as Nadia Haddad' }).waitFor()
  assert.is(await invited.evaluate('localStorage.length'), 0)
  const { users } = (await team.grace.ask.request('GET', '/admin/users')).body
  assert.equal(users.find(({ name }) => name === 'Nadia Haddad')?.collectionAccess, [team.payments])
})

test('where the clock of the browser is wrong that of the hub decides what is over, and for how long a token is good', async ({
  hub,
  open
}) => {
  const { user } = await account('Invited in time')
  const path = { id: user.id }
  await team.grace.ask.request('POST', '/admin/users/{id}/invitations', { path, body: {} })
  const year = 365 * 24 * 60
  for (const ahead of [year, -year]) {
    const page = await open(`#/people/${user.id}`, { ...admin(), ahead })
    const invitation = page
      .getByRole('table', { name: /^Invitations of/ })
      .getByRole('row')
      .last()
    await invitation.getByText('pending').waitFor()
    await page.getByText('made now').waitFor()
    await page.getByRole('button', { name: 'Issue a token' }).click()
    await page.getByLabel('What to call it').fill(`Made ${ahead}`)
    await page.getByLabel('How long it is good').selectOption('for 30 days')
    await page.getByRole('button', { name: 'Issue it' }).click()
    await page.getByRole('textbox', { name: 'Token' }).waitFor()
  }
  const { tokens } = (await team.grace.ask.request('GET', '/admin/tokens')).body
  for (const { name, expiresAt } of tokens) {
    if (name.startsWith('Made ')) assert.is(Date.parse(expiresAt ?? '') - hub.clock.now(), 30 * 86_400_000)
  }
})

test('who leaves an invitation without having copied it is told that it will not be shown again', async ({ open }) => {
  const { user } = await account('Olli Virtanen')
  const page = await open(`#/people/${user.id}`, admin())
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('button', { name: 'Make the invitation' }).click()
  await page.getByRole('textbox', { name: 'Invitation link' }).waitFor()
  await screenshot(page, 'invitation')
  await page.keyboard.press('Escape')
  await warning(page).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('pending').waitFor()
})

test('who goes on to another account without having copied a token is told so first', async ({ open }) => {
  const page = await open('#/people/new', admin())
  await makeWithToken(page, 'Aino Laine')
  await page.getByRole('button', { name: 'Make another account' }).click()
  await warning(page).waitFor()
  await page.getByRole('button', { name: 'Make another account' }).click()
  await page.getByRole('heading', { name: 'New account' }).waitFor()
})

test('a token that is shown once is lost by no reload and by no way out of the page without a word', async ({
  open
}) => {
  const page = await open('#/people/new', { ...admin(), width: 375 })
  await makeWithToken(page, 'Eino Salmi')
  await asksBeforeReload(page)
  assert.is(await warning(page).count(), 0)
  const away = async () => {
    await page.getByRole('button', { name: 'Navigation' }).click()
    await page.getByRole('link', { name: 'Groups' }).first().click()
  }
  await away()
  await warning(page).waitFor()
  await page.getByRole('heading', { name: 'Token of Eino Salmi' }).waitFor()
  assert.match(page.url(), /people\/new$/)
  await away()
  await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor()
  await page.reload()
})

test('who goes on before an account is made is told that its token was not shown, and led to where it gets another', async ({
  open
}) => {
  const page = await open('#/people/new', admin())
  await page.getByLabel('Name', { exact: true }).fill('Onni Virta')
  await page.getByLabel('With a token').check()
  const go = await holdRequests(page, '**/admin/users**', 'POST')
  const asked = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Make the account and its token' }).click()
  await asked
  await page.goto('#/groups')
  go()
  await page
    .getByText('The account Onni Virta is made, and its token was not shown to you.', { exact: false })
    .waitFor()
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('heading', { name: 'Onni Virta', level: 1 }).waitFor()
})

test('who signs out before a token is copied is told so first', async ({ open }) => {
  const page = await open('#/people/new', admin())
  await makeWithToken(page, 'Sisu Koski')
  await page.getByRole('button', { name: `Signed in as ${team.grace.name}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await warning(page).waitFor()
})

test('two change one account: the slower one sees both, and loses nothing', async ({ open, expectFailures }) => {
  const { user } = await account('Contested')
  const page = await open('#/people/new', admin())
  // Whoever hears of no changes finds out when saving.
  expectFailures(/changes|412/)
  await page.route('**/changes*', (route) => route.abort())
  await page.goto(`#/people/${user.id}?edit=yes`)
  await page.reload()
  await page.getByRole('group', { name: 'Snippets' }).getByLabel('All').check()
  const body = { collectionAccess: ['*'] }
  await team.grace.ask.request('PUT', '/admin/users/{id}', { path: { id: user.id }, body })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Collections: was no collections, is now all collections').waitFor()
  await looksWell(page, 'person-conflict')
  await page.getByRole('button', { name: 'Go on from there' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Contested is saved.').waitFor()
  const now = (await team.grace.ask.request('GET', '/admin/users/{id}', { path: { id: user.id } })).body
  assert.equal([now.collectionAccess, now.environmentAccess, now.snippetAccess], [['*'], [], ['*']])
})

test('what is typed about an account is there again after a reload, until it is saved or given up', async ({
  open
}) => {
  const page = await open('#/people/new', admin())
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Half Typed')
  await page.getByRole('group', { name: 'Snippets' }).getByLabel('All').check()
  await page.reload()
  await page.getByRole('heading', { name: 'New account' }).waitFor()
  assert.is(await name.inputValue(), 'Half Typed')
  assert.ok(await page.getByRole('group', { name: 'Snippets' }).getByLabel('All').isChecked())
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'People', exact: true }).waitFor()
  await page.goto('#/people/new')
  assert.is(await name.inputValue(), '')
  const { user } = await account('Renamed later')
  await page.goto(`#/people/${user.id}?edit=yes`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Renamed now')
  await page.reload()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Renamed now is saved.').waitFor()
})

test('what was typed about an account before is told to be there again, and given up where it is not wanted', async ({
  open
}) => {
  const { user } = await account('Typed long ago')
  const page = await open(`#/people/${user.id}?edit=yes`, admin())
  const all = page.getByRole('group', { name: 'Snippets' }).getByLabel('All')
  await all.check()
  await page.getByRole('link', { name: 'Groups' }).first().click()
  await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor()
  await page.goto(`#/people/${user.id}`)
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByText('What you typed here before is here again', { exact: false }).waitFor()
  assert.ok(await all.isChecked())
  await axe(page)
  await page.getByRole('button', { name: 'Discard it' }).click()
  await page.getByText('What you typed here before', { exact: false }).waitFor({ state: 'detached' })
  assert.not.ok(await all.isChecked())
  await page.goto(`#/people/${user.id}`)
  await page.getByRole('link', { name: 'Edit' }).click()
  assert.not.ok(await all.isChecked())
})

test('what goes with an account is named before it is deleted, and everybody sees it go', async ({
  open,
  expectFailures
}) => {
  // The page may still ask for the account when it is gone.
  expectFailures(/404/)
  const { user, secret } = await account('Leaving soon')
  const path = { id: user.id }
  await team.grace.ask.request('POST', '/admin/users/{id}/invitations', { path, body: {} })
  const other = await open('#/people?q=leaving', admin())
  await other.getByRole('row', { name: 'Leaving soon' }).waitFor()
  const page = await open(`#/people/${user.id}`, admin())
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Leaving soon?' })
  await dialog.getByText('1 token: Leaving soon').waitFor()
  await dialog.getByText('1 pending invitation').waitFor()
  await axe(page)
  await dialog.getByRole('button', { name: 'Delete the account' }).click()
  await page.getByRole('heading', { name: 'People' }).waitFor()
  await other.getByText('Nobody is found by that').waitFor()
  const asked = await fetch(new URL('/auth/session', page.url()), { headers: { authorization: `Bearer ${secret}` } })
  assert.is(asked.status, 401)
})

test('who leaves the question before an account is deleted stays where they are', async ({ open, expectFailures }) => {
  expectFailures(/404/)
  const { user } = await account('Goes slowly')
  const page = await open(`#/people/${user.id}`, admin())
  const go = await holdRequests(page, '**/admin/users**', 'DELETE')
  await page.getByRole('button', { name: 'Delete' }).click()
  const asked = page.waitForRequest((request) => request.method() === 'DELETE')
  await page.getByRole('button', { name: 'Delete the account' }).click()
  await asked
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.goto('#/tokens')
  go()
  await page.getByText('The account Goes slowly is deleted.').waitFor()
  assert.match(page.url(), /#\/tokens$/)
})

test('who opens another form before a change is saved keeps it', async ({ open }) => {
  const [slow, other] = [(await account('Saved slowly')).user, (await account('Edited meanwhile')).user]
  const page = await open(`#/people/${slow.id}?edit=yes`, admin())
  const go = await holdRequests(page, '**/admin/users**', 'PUT')
  await page.getByRole('textbox', { name: 'Name' }).fill('Saved at last')
  const asked = page.waitForRequest((request) => request.method() === 'PUT')
  await page.getByRole('button', { name: 'Save' }).click()
  await asked
  await page.goto(`#/people/${other.id}?edit=yes`)
  go()
  await page.getByText('Saved at last is saved.').waitFor()
  assert.match(page.url(), `#/people/${other.id}?edit=yes`)
})

test('a person has a page with access, tokens, and what they did lately', async ({ open }) => {
  const page = await open(`#/people/${team.tomas.id}`, admin())
  await page.getByRole('heading', { name: 'Tomás Ferreira' }).waitFor()
  await page.getByText('changed the request', { exact: false }).first().waitFor()
  await page.getByText('All that the hub offers').waitFor()
  await looksWell(page, 'person')
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Tokens a month').waitFor()
  await looksWell(page, 'person-edit')
  await page.goBack()
  await page.getByRole('heading', { name: 'Tokens' }).waitFor()
})

test('what somebody did lately is told also where they have looked into the log since', async ({ open, hub }) => {
  const made = await account('Reads much')
  const path = { id: made.user.id }
  await team.grace.ask.request('PUT', '/admin/users/{id}', { path, body: { role: 'admin' } })
  const ask = connectHub({ url: hub.url, token: made.secret })
  await ask.request('POST', '/admin/groups', { body: { name: 'Of theirs' } })
  for (let n = 0; n < 25; n++) await ask.request('GET', '/admin/audit', { query: { limit: 1, id: `none-${n}` } })
  const page = await open(`#/people/${path.id}`, admin())
  await page.getByText('Of theirs').waitFor()
})

test('people without the role of an administrator are told so', async ({ open }) => {
  const page = await open('#/people', { token: team.mara.token })
  for (const view of ['people', 'people/new', 'tokens', 'invitations', 'locks']) {
    await page.goto(`#/${view}`)
    await page.getByText('This is for administrators').waitFor()
  }
  await axe(page)
})

run()
