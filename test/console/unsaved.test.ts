import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { axe, looksWell } from './support/looks.js'
import { aForm, field, save, savedRequest } from './support/requests.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('what is typed in the console and not saved')

/** A request of its own for each test. */
const aRequest = (name: string, more?: object) => aForm(team, name, more)
const saved = (id: string) => savedRequest(team, id)

/** Loads the page again, though the browser asks because of what is not saved. */
async function reload(page: Page) {
  page.removeAllListeners('dialog')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
}

test('what was typed outlives a reload, and is offered where the record is read', async ({ open }) => {
  const { id, link, form } = await aRequest('Reloaded')
  const page = await open(form, { token: team.mara.token })
  await field(page, 'URL').fill('https://api.example.com/typed')
  await reload(page)
  await page.getByText('You were editing this.', { exact: false }).waitFor()
  assert.is(await field(page, 'URL').inputValue(), 'https://api.example.com/typed')
  await page.goto(link)
  await page.getByRole('button', { name: 'Keep them for later' }).click()
  await page.getByText('You were editing this.', { exact: false }).waitFor()
  await page.getByRole('link', { name: 'Go on' }).click()
  await save(page)
  await page.getByText('Saved.', { exact: true }).waitFor()
  assert.is((await saved(id)).url, 'https://api.example.com/typed')
  await page.getByText('You were editing this.', { exact: false }).waitFor({ state: 'detached' })
})

test('what was typed outlives the hub, and the session', async ({ open, hub, expectFailures }) => {
  const { id, form } = await aRequest('Outlived')
  const issue = async (name: string) => {
    const path = { id: team.mara.id }
    return (await team.grace.ask.request('POST', '/admin/users/{id}/tokens', { path, body: { name } })).body
  }
  const [first, second] = [await issue('first'), await issue('second')]
  const page = await open(form, { token: first.secret })
  await field(page, 'URL').fill('https://api.example.com/outlives')
  expectFailures(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|401/)
  await hub.stop()
  await save(page)
  await page.getByRole('alert').getByText('The hub does not answer.', { exact: false }).waitFor()
  await hub.start()
  await team.grace.ask.request('DELETE', '/admin/tokens/{id}', { path: { id: first.token.id } })
  // The feed learns of it by itself, and the form is gone then.
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await page.getByRole('textbox', { name: 'Token' }).fill(second.secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('You were editing this.', { exact: false }).waitFor()
  await save(page)
  await page.getByText('Saved.', { exact: true }).waitFor()
  assert.is((await saved(id)).url, 'https://api.example.com/outlives')
})

test('who leaves without saving is asked, and can stay, save, or give up what was typed', async ({ open }) => {
  const { id, link } = await aRequest('Left')
  const page = await open(link, { token: team.mara.token })
  await page.getByRole('link', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  const away = () => page.getByRole('link', { name: 'Environments' }).click()
  await field(page, 'URL').fill('https://api.example.com/left')
  await away()
  await looksWell(page, 'leaving')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.match(page.url(), /edit=yes$/)
  await page.evaluate('history.back()')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await away()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Environments' }).waitFor()
  assert.is((await saved(id)).url, 'https://api.example.com/left')
  await page.goBack()
  await field(page, 'URL').fill('https://api.example.com/given-up')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('link', { name: 'Edit' }).waitFor()
  assert.is(await page.getByText('You were editing this.', { exact: false }).count(), 0)
})

test('who signs out is not told that what is not saved waits for them, and can save it', async ({ open }) => {
  const { id, form } = await aRequest('Signed out of')
  const page = await open(form, { token: team.mara.token })
  await field(page, 'URL').fill('https://api.example.com/typed')
  const leave = async () => {
    await page.getByRole('button', { name: `Signed in as ${team.mara.name}` }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  await leave()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('they are lost then.', { exact: false }).waitFor()
  assert.is(await dialog.getByRole('button', { name: 'Keep them for later' }).count(), 0)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('Token').waitFor()
  assert.is((await saved(id)).url, 'https://api.example.com/typed')
})

test('who goes on before a save is answered stays where they are, and is not told that it is not saved', async ({
  open
}) => {
  const [one, other] = [await aRequest('Slowly saved'), await aRequest('Edited meanwhile')]
  const page = await open(one.form, { token: team.mara.token })
  await field(page, 'URL').fill('https://api.example.com/slow')
  let go = () => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  await page.route(new RegExp(one.id), async (route) => {
    if (route.request().method() === 'PUT') await held
    await route.continue()
  })
  const asked = page.waitForRequest((request) => request.method() === 'PUT')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await asked
  await page.goto(other.form)
  await page.getByRole('button', { name: 'Keep them for later' }).click()
  await field(page, 'URL').fill('https://api.example.com/other')
  go()
  await page.getByText('Saved.', { exact: true }).waitFor()
  assert.is(await field(page, 'URL').inputValue(), 'https://api.example.com/other')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('https://api.example.com/other').waitFor()
  await page.goto(one.link)
  await page.getByText('https://api.example.com/slow').waitFor()
  assert.is(await page.getByText('You were editing this.', { exact: false }).count(), 0)
})

test('who leaves the question before a deletion that goes on stays where they are', async ({
  open,
  expectFailures
}) => {
  expectFailures(/403|404/)
  const [one, other] = [await aRequest('Slowly deleted'), await aRequest('Edited meanwhile, too')]
  const page = await open(one.link, { token: team.mara.token })
  let go = () => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  await page.route(new RegExp(one.id), async (route) => {
    if (route.request().method() === 'DELETE') await held
    await route.continue()
  })
  await page.getByRole('button', { name: 'More with this request' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  const asked = page.waitForRequest((request) => request.method() === 'DELETE')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await asked
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.goto(other.form)
  await field(page, 'URL').fill('https://api.example.com/other')
  go()
  await page.getByText('“Slowly deleted” is deleted.').waitFor()
  assert.is(await field(page, 'URL').inputValue(), 'https://api.example.com/other')
})

test('where the record is deleted meanwhile, what was typed is still there to be copied', async ({
  open,
  expectFailures
}) => {
  const { id, form } = await aRequest('Gone')
  const page = await open(form, { token: team.tomas.token })
  await field(page, 'URL').fill('https://api.example.com/not-lost')
  expectFailures(/404/)
  await team.mara.ask.request('DELETE', '/requests/{id}', { path: { id } })
  await page.getByText('It is not here').waitFor()
  await page.getByText('https://api.example.com/not-lost').waitFor()
  await axe(page)
})

run()
