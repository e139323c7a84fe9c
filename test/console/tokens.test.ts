import * as assert from 'uvu/assert'
import { holdRequests } from './support/held.js'
import { axe, looksWellOnBoth, picture } from './support/looks.js'
import { seededSuite } from './support/seeded.js'
import { leaveUncopied } from './support/shownOnce.js'

const { test, run, team } = seededSuite('tokens, invitations and locks in the console')
const admin = () => ({ token: team.grace.token })
const issue = async (userId: string, name: string) =>
  (await team.grace.ask.request('POST', '/admin/users/{id}/tokens', { path: { id: userId }, body: { name } })).body

test('tokens, invitations and locks can be used by everybody, with what can be done in sight on a laptop too', async ({
  open
}) => {
  const page = await open('#/tokens', admin())
  const isInSight = async (name: string) => {
    const size = page.viewportSize()
    await page.setViewportSize({ width: 1024, height: 900 })
    await page.getByRole('row', { name }).first().waitFor()
    const hidden = '[...document.querySelectorAll("[role=rowgroup]")].some((one) => one.scrollWidth > one.clientWidth)'
    assert.not(await page.evaluate(hidden), name)
    if (size) await page.setViewportSize(size)
  }
  await page.getByRole('row', { name: 'editor' }).getByText('agents may write').waitFor()
  await looksWellOnBoth(page, 'tokens')
  await isInSight('editor')
  await page.goto('#/invitations')
  await page.getByRole('row', { name: 'Léa Moreau' }).getByText('pending').waitFor()
  await page.getByRole('row', { name: 'Sam Okonkwo' }).getByText('revoked').waitFor()
  await looksWellOnBoth(page, 'invitations')
  await isInSight('Léa Moreau')
  await page.goto('#/locks')
  await page.getByRole('switch', { name: 'Lock Payments', checked: true }).waitFor()
  await looksWellOnBoth(page, 'locks')
  await isInSight('Payments')
  await page.goto('#/people')
  await isInSight('Priya Raman')
})

test('tokens that were never used stand last, or first if one likes', async ({ open }) => {
  await issue(team.jonas.id, 'never used')
  const page = await open('#/tokens', admin())
  const first = page.getByRole('rowheader').first()
  await page.getByRole('row', { name: 'never used' }).waitFor()
  assert.not.match(await first.innerText(), /never used/)
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Never used first')
  await page.getByRole('row').nth(1).getByText('never', { exact: true }).waitFor()
  for (const order of ['owner', '-owner', 'owner']) {
    await page.getByRole('button', { name: 'Whose' }).click()
    assert.is(await page.getByRole('combobox', { name: 'Order' }).inputValue(), order)
  }
})

test('a revoked token vanishes for whoever looks, and lets nobody in any more', async (tools) => {
  const { open, expectFailures } = tools
  expectFailures(/401/)
  const { secret } = await issue(team.jonas.id, 'lost laptop')
  const other = await open('#/tokens', admin())
  await other.getByRole('row', { name: 'lost laptop' }).waitFor()
  const page = await open('#/tokens', admin())
  await page.getByRole('button', { name: 'Revoke lost laptop of Jonas Weber' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke a token of Jonas Weber?' })
  await dialog.getByText('never used').waitFor()
  await axe(page)
  await dialog.getByRole('button', { name: 'Revoke the token' }).click()
  for (const one of [page, other]) await one.getByRole('row', { name: 'lost laptop' }).waitFor({ state: 'detached' })
  const entrance = await open('#/', { token: secret })
  await entrance.getByText('The hub does not know this token.').waitFor()
})

test('a question that somebody has before them stays though what it is about leaves the list', async ({ open }) => {
  const { token } = await issue(team.jonas.id, 'revoked by somebody else')
  const page = await open('#/people', admin())
  await page.goto('#/tokens')
  await page.getByRole('button', { name: 'Undo what revoked by somebody else of Jonas Weber did' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo what the token revoked by somebody else did?' })
  await dialog.waitFor()
  await team.grace.ask.request('DELETE', '/admin/tokens/{id}', { path: { id: token.id } })
  await page.getByText('revoked by somebody else', { exact: true }).waitFor({ state: 'detached' })
  await dialog.getByText('There is nothing that can be taken back.').waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
})

test('a question that is given up changes nothing, and the focus goes back', async ({ open }) => {
  const { token } = await issue(team.jonas.id, 'kept')
  const page = await open('#/tokens', admin())
  const button = page.getByRole('button', { name: 'Revoke kept of Jonas Weber' })
  await button.click()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.ok(await button.evaluate((element) => element.matches(':focus')))
  const { tokens } = (await team.grace.ask.request('GET', '/admin/tokens')).body
  assert.ok(tokens.some(({ id }) => id === token.id))
})

test('who revokes the token that they are signed in with is warned, and signed out', async ({
  open,
  expectFailures
}) => {
  const { secret } = await issue(team.grace.id, 'this browser')
  const page = await open('#/tokens', { token: secret })
  await page.getByRole('button', { name: 'Revoke this browser of Grace Holm' }).click()
  await page.getByText('you will be signed out at once', { exact: false }).waitFor()
  expectFailures(/401/)
  await page.getByRole('button', { name: 'Revoke the token' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
})

test('a further token is shown once, and works', async ({ open, hub }) => {
  const page = await open(`#/people/${team.priya.id}`, admin())
  await page.getByRole('button', { name: 'Issue a token' }).click()
  await page.getByRole('button', { name: 'Issue it' }).click()
  await page.getByText('Give the token a name first.').waitFor()
  await page.getByLabel('What to call it').fill('build server')
  await page.getByRole('button', { name: 'Issue it' }).click()
  const token = await page.getByRole('textbox', { name: 'Token' }).inputValue()
  await axe(page)
  assert.is((await hub.send({ method: 'GET', path: '/auth/session', token })).status, 200)
  await leaveUncopied(page)
  await page.reload()
  await page.getByRole('row', { name: 'build server' }).waitFor()
  assert.not.ok((await page.content()).includes(token))
})

test('who closes the question before the hub answers is told that what was made was not shown to them', async ({
  open
}) => {
  const page = await open(`#/people/${team.priya.id}`, admin())
  const go = await holdRequests(page, '**/admin/users/**', 'POST')
  const ask = async (button: string) => {
    const asked = page.waitForRequest((request) => request.method() === 'POST')
    await page.getByRole('button', { name: button }).click()
    await asked
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'Issue a token' }).click()
  await page.getByLabel('What to call it').fill('never seen')
  await ask('Issue it')
  await page.getByRole('button', { name: 'Invite' }).click()
  await ask('Make the invitation')
  go()
  for (const what of ['token “never seen” is issued', 'invitation for Priya Raman is made'])
    await page.getByText(`The ${what}, and was not shown to you.`, { exact: false }).waitFor()
  await page.getByRole('row', { name: 'never seen' }).waitFor()
})

test('somebody limits a token of their own to reading and to a month, and sees in the list that it is', async ({
  open,
  hub
}) => {
  const page = await open('#/account', { token: (await issue(team.priya.id, 'desk')).secret })
  await page.getByRole('button', { name: 'Issue a token…' }).click()
  await page.getByLabel('What to call it').fill('nightly report')
  await page.getByLabel('How long it is good').selectOption({ label: 'for 30 days' })
  await page.getByLabel('Only some of it').check()
  await page.getByRole('button', { name: 'Issue it' }).click()
  await page.getByText('Tick at least one thing that it may do.').waitFor()
  await page.getByLabel('Read records').check()
  await axe(page)
  await picture(page, 'token-issue')
  await page.getByRole('button', { name: 'Issue it' }).click()
  const token = await page.getByRole('textbox', { name: 'Token' }).inputValue()
  await page.getByRole('button', { name: 'Copy: Token' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('only: read').waitFor()
  await page.getByText(/^ends .*\d/).waitFor()
  const send = (method: string) => hub.send({ method, path: '/collections', token, body: { name: 'x' } })
  assert.equal([(await send('GET')).status, (await send('POST')).status], [200, 403])
})

test('an invitation that is revoked shows as that everywhere', async ({ open }) => {
  const path = { id: team.jonas.id }
  await team.grace.ask.request('POST', '/admin/users/{id}/invitations', { path, body: {} })
  const other = await open(`#/people/${team.jonas.id}`, admin())
  await other.getByText('pending').waitFor()
  const page = await open('#/invitations?state=pending', admin())
  await page.getByRole('button', { name: 'Revoke the invitation of Jonas Weber' }).click()
  await page.getByRole('button', { name: 'Revoke the invitation', exact: true }).click()
  await page.getByRole('row', { name: 'Jonas Weber' }).waitFor({ state: 'detached' })
  await other.getByText('revoked').waitFor()
})

test('a lock is in force for users as soon as it is switched on', async ({ open }) => {
  const { id } = (
    await team.mara.ask.request('POST', '/snippets', { body: { name: 'Precious', code: '1', scope: 'any' } })
  ).body
  const page = await open('#/locks', admin())
  await page.getByRole('switch', { name: 'Lock Precious' }).press('Space')
  await page.getByRole('switch', { name: 'Lock Precious', checked: true }).waitFor()
  const refused = await team.mara.ask
    .request('DELETE', '/snippets/{id}', { path: { id } })
    .catch((error: unknown) => String(error))
  assert.match(String(refused), /Deletion is locked for this snippet/)
})

test('a name that is long, or runs the other way, stands beside its icon', async ({ open }) => {
  for (const name of ['Long '.repeat(40).trim(), 'בקשת תשלום']) {
    await team.mara.ask.request('POST', '/snippets', { body: { name, code: '' } })
    const page = await open(`#/locks?q=${encodeURIComponent(name)}`, { ...admin(), width: 1024 })
    await page.getByRole('row', { name }).waitFor()
    const [gap, below] = await page.evaluate<number[]>(`(() => {
      const text = document.createRange()
      text.selectNodeContents(document.querySelector('[role=rowheader] bdi'))
      const [words, icon] = [text, document.querySelector('[role=rowheader] svg')].map((one) => one.getBoundingClientRect())
      return [words.left - icon.right, words.top - icon.bottom]
    })()`)
    assert.ok(gap !== undefined && gap > 0 && gap < 20, `${name}: ${gap} beside`)
    assert.ok(below !== undefined && below < 0, `${name}: ${below} below`)
  }
})

test('a deletion names what goes with it, and is taken back from where it was done', async ({ open }) => {
  const { id } = (await team.mara.ask.request('POST', '/collections', { body: { name: 'Drafts' } })).body
  const path = { collectionId: id }
  await team.mara.ask.request('POST', '/collections/{collectionId}/folders', { path, body: { name: 'Ideas' } })
  const page = await open('#/locks', admin())
  await page.getByRole('button', { name: 'Delete Drafts' }).click()
  await page.getByText('1 folder goes with it.').waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'Delete the collection' }).click()
  await page.getByRole('row', { name: 'Drafts' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undelete' }).click()
  await page.getByRole('row', { name: 'Drafts' }).waitFor()
  const { folders } = (await team.mara.ask.request('GET', '/collections/{collectionId}/folders', { path })).body
  assert.equal(
    folders.map(({ name }) => name),
    ['Ideas']
  )
})

test('a list that cannot be had says why, and is asked for again', async ({ open, expectFailures }) => {
  const page = await open('#/locks', admin())
  const error = 'The hub is busy. Try again in a moment.'
  expectFailures(/503/)
  await page.route('**/admin/tokens', (route) => route.fulfill({ status: 503, json: { error } }))
  await page.goto('#/tokens')
  await page.getByText(error).waitFor({ timeout: 20_000 })
  await axe(page)
  await page.unroute('**/admin/tokens')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('row', { name: 'editor' }).waitFor()
})

run()
