import * as assert from 'uvu/assert'
import { holdRequests } from './support/held.js'
import { axe, looksWell, looksWellOnBoth } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('making and deleting in the console')
const mara = () => ({ token: team.mara.token })

test('a new request is named, made in its folder, and opens as a form', async ({ open, expectFailures }) => {
  const page = await open(`#/collections/${team.payments}/folders/${team.refunds}`, mara())
  // As on a page that came over plain HTTP.
  await page.evaluate('delete Crypto.prototype.randomUUID')
  await page.getByRole('button', { name: 'New in this folder' }).click()
  await page.getByRole('menuitem', { name: 'Request' }).click()
  await page.locator('input:focus').waitFor()
  expectFailures(/400/)
  await page.keyboard.press('Enter')
  await page.getByText('Name must not be empty.').waitFor()
  await axe(page)
  await page.keyboard.type('Void a refund')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'URL' }).waitFor()
  await page.getByRole('heading', { name: 'Void a refund' }).waitFor()
  const path = { collectionId: team.payments }
  const { requests } = (await team.mara.ask.request('GET', '/collections/{collectionId}/requests', { path })).body
  assert.is(requests.find(({ name }) => name === 'Void a refund')?.folderId, team.refunds)
})

test('who goes on before a copy is made stays where they are', async ({ open }) => {
  const { id } = (await team.mara.ask.request('POST', '/snippets', { body: { name: 'Copied slowly', code: '' } })).body
  const page = await open(`#/snippets/${id}`, mara())
  const go = await holdRequests(page, '**/snippets', 'POST')
  await page.getByRole('button', { name: 'More with this snippet' }).click()
  const asked = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await asked
  await page.goto('#/environments')
  go()
  await page.getByText('“Copied slowly (copy)” is there.').waitFor()
  assert.match(page.url(), /#\/environments$/)
})

test('collections, environments and snippets are made from where they are listed', async ({ open }) => {
  const page = await open('#/', mara())
  for (const [button, title] of [
    ['New collection', 'Collections'],
    ['New environment', 'Environments'],
    ['New snippet', 'Snippets']
  ] as const) {
    await page.goto(`#/${title === 'Collections' ? '' : title.toLowerCase()}`)
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(`My own ${title}`)
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByRole('heading', { name: `My own ${title}`, level: 1 }).waitFor()
    await page.getByText('Nothing is changed.').waitFor()
  }
})

test('a folder, a collection, an environment and a snippet are duplicated with what they hold', async ({
  open,
  expectFailures
}) => {
  // A copy is deleted as soon as it was looked at, and its page may still ask for it.
  expectFailures(/404/)
  const { ask } = team.mara
  const path = { collectionId: team.payments }
  const inFolder = async (id: string) => {
    const { requests } = (await ask.request('GET', '/collections/{collectionId}/requests', { path })).body
    return requests.flatMap(({ folderId, name }) => (folderId === id ? [name] : [])).toSorted()
  }
  const environment = (await ask.request('GET', '/environments')).body.environments[0]
  const snippet = (await ask.request('GET', '/snippets')).body.snippets[0]
  assert.ok(environment && snippet)
  const page = await open(`#/collections/${team.payments}/folders/${team.refunds}`, mara())
  const duplicate = async (name: string, kind: string) => {
    await page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
    const menu = page.getByRole('button', { name: `More with this ${kind}` })
    await menu.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Duplicate' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `${name} (copy)`, level: 1 }).waitFor()
    await page.getByText(`“${name} (copy)” is there.`).waitFor()
    return new URL(page.url()).hash.split(/[/?]/)
  }
  const folder = (await duplicate('Refunds', 'folder'))[4] ?? ''
  await looksWellOnBoth(page, 'duplicated')
  assert.equal(await inFolder(folder), await inFolder(team.refunds))
  const { folders } = (await ask.request('GET', '/collections/{collectionId}/folders', { path })).body
  const places = new Map(folders.map(({ id, sortOrder }) => [id, sortOrder]))
  assert.is(places.get(folder), (places.get(team.refunds) ?? 0) + 1, 'it stands right behind')
  await ask.request('DELETE', '/folders/{id}', { path: { id: folder } })

  await page.goto(`#/collections/${team.payments}`)
  const id = (await duplicate('Payments', 'collection'))[2] ?? ''
  const { documents } = (await ask.request('GET', '/collections/{collectionId}/documents', { path })).body
  const copied = { path: { collectionId: id } }
  const { documents: copies } = (await ask.request('GET', '/collections/{collectionId}/documents', copied)).body
  assert.equal(copies.map(({ name }) => name).toSorted(), documents.map(({ name }) => name).toSorted())
  await ask.request('DELETE', '/collections/{id}', { path: { id } })

  await page.goto(`#/environments/${environment.id}`)
  const other = (await duplicate(environment.name, 'environment'))[2] ?? ''
  await page.getByText('It has all values of the other one, secret ones too.').waitFor()
  const made = (await ask.request('GET', '/environments/{id}', { path: { id: other } })).body
  assert.equal(made.variables, environment.variables)
  await ask.request('DELETE', '/environments/{id}', { path: { id: other } })
  await page.goto(`#/snippets/${snippet.id}`)
  const another = (await duplicate(snippet.name, 'snippet'))[2] ?? ''
  const { code } = (await ask.request('GET', '/snippets/{id}', { path: { id: another } })).body
  assert.is(code, snippet.code)
  await ask.request('DELETE', '/snippets/{id}', { path: { id: another } })
})

test('what is too much for one copy is refused, and nothing of it is there', async ({ open, expectFailures }) => {
  const { ask } = team.mara
  const collectionId = (await ask.request('POST', '/collections', { body: { name: 'Heavy' } })).body.id
  for (let one = 0; one < 4; one++)
    await ask.request('POST', '/collections/{collectionId}/documents', {
      ...{ path: { collectionId }, body: { name: `Part ${one}`, content: 'a'.repeat(900_000) } }
    })
  const page = await open(`#/collections/${collectionId}`, mara())
  expectFailures(/413/)
  await page.getByRole('button', { name: 'More with this collection' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await page.getByText(/It is too large to copy at once/).waitFor()
  const { collections } = (await ask.request('GET', '/collections')).body
  assert.is(collections.filter(({ name }) => name.startsWith('Heavy')).length, 1)
  await ask.request('DELETE', '/collections/{id}', { path: { id: collectionId } })
})

test('a folder is deleted with what it holds, and brought back by one click', async ({ open, expectFailures }) => {
  // The page may still ask for what it shows when it is gone.
  expectFailures(/404/)
  const path = { collectionId: team.payments }
  const { ask } = team.mara
  const folder = (
    await ask.request('POST', '/collections/{collectionId}/folders', { path, body: { name: 'Short-lived' } })
  ).body
  await ask.request('POST', '/collections/{collectionId}/documents', {
    ...{ path, body: { name: 'In it', content: '', folderId: folder.id } }
  })
  const page = await open(`#/collections/${team.payments}/folders/${folder.id}`, mara())
  await page.getByRole('listitem').getByText('In it').waitFor()
  await page.getByRole('button', { name: 'More with this folder' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete “Short-lived”?' })
  await dialog.getByText('With it go 1 document.', { exact: false }).waitFor()
  await looksWell(page, 'deleting')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('“Short-lived” is deleted.').waitFor()
  await page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('“Short-lived” is back, with 1 document.').waitFor()
  await page.getByRole('heading', { name: 'Short-lived', level: 1 }).waitFor()
})

test('who has not made a request is told why it is not theirs to delete', async ({ open }) => {
  const { refund, payments } = team
  const page = await open(`#/collections/${payments}/requests/${refund.id}`, { token: team.tomas.token })
  await page.getByRole('button', { name: 'More with this request' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Only who has made it, or an administrator, can delete it.').waitFor()
  assert.is(await dialog.getByRole('button', { name: 'Delete', exact: true }).count(), 0)
})

test('administrators look, and are offered no form', async ({ open }) => {
  const { refund, payments, grace } = team
  const page = await open(`#/collections/${payments}/requests/${refund.id}?edit=yes`, { token: grace.token })
  await page.getByRole('heading', { name: refund.name, level: 1 }).waitFor()
  await page.getByText(refund.brokenUrl).waitFor()
  await page.getByRole('button', { name: 'Copy as…' }).waitFor()
  assert.is(await page.getByRole('textbox', { name: 'URL' }).count(), 0)
  assert.is(await page.getByRole('link', { name: 'Edit' }).count(), 0)
})

run()
