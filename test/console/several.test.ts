import type { Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { tabTo } from './support/keyboard.js'
import { axe, picture } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('several at once, and other names')

/** A collection with a folder and some documents at its root. */
async function aCollection(name: string, documents: readonly string[] = ['a', 'b', 'c']) {
  const { ask } = team.mara
  const { id } = (await ask.request('POST', '/collections', { body: { name } })).body
  const path = { collectionId: id }
  const folder = await ask.request('POST', '/collections/{collectionId}/folders', { path, body: { name: 'In here' } })
  for (const document of documents)
    await ask.request('POST', '/collections/{collectionId}/documents', {
      ...{ path, body: { name: document, content: '' } }
    })
  /** What the hub says there is, in order, with those in the folder behind a slash. */
  const now = async () => {
    const { documents } = (await ask.request('GET', '/collections/{collectionId}/documents', { path })).body
    const sorted = [...documents].sort((x, y) => x.sortOrder - y.sortOrder)
    const inside = (folderId: string | null) => sorted.filter((one) => one.folderId === folderId).map((one) => one.name)
    return `${inside(null).join('')}/${inside(folder.body.id).join('')}`
  }
  return { id, now }
}

const row = (page: Page, name: string) => page.locator(`[role=treeitem][title="${name}"]`)

test('what is chosen by Ctrl and a click, and by Shift, is moved together, also to another collection', async ({
  open
}) => {
  const [from, to] = [await aCollection('Chosen from'), await aCollection('Chosen to', [])]
  const page = await open(`#/collections/${from.id}`, { token: team.mara.token })
  await row(page, 'a').click({ modifiers: ['Control'] })
  await row(page, 'b').click({ modifiers: ['Control'] })
  await page.getByText('2 records chosen').waitFor()
  await axe(page)
  await picture(page, 'several')
  await page.getByRole('button', { name: 'Move…', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 2 records' })
  await dialog.getByRole('combobox', { name: 'Folder' }).selectOption({ label: 'In here' })
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('2 records are moved.').waitFor()
  assert.is(await from.now(), 'c/ab')

  await row(page, 'a').click()
  await row(page, 'c').click({ modifiers: ['Shift'] })
  await page.getByText('3 records chosen').waitFor()
  await page.getByRole('button', { name: 'Move…', exact: true }).click()
  await page.getByRole('combobox', { name: 'Collection' }).selectOption({ label: 'Chosen to' })
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('3 records are moved.').waitFor()
  assert.equal([await from.now(), await to.now()], ['/', 'abc/'])
})

test('folders go to another collection with the rest, and what is in one that is chosen too stays in it', async ({
  open
}) => {
  const [from, to] = [await aCollection('Both from'), await aCollection('Both to', [])]
  const page = await open(`#/collections/${from.id}`, { token: team.mara.token })
  await row(page, 'a').click({ modifiers: ['Control'] })
  const move = async (choose: (dialog: Locator) => Promise<unknown>) => {
    await page.getByRole('button', { name: 'Move…', exact: true }).click()
    await choose(page.getByRole('dialog'))
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await move((dialog) => dialog.getByRole('combobox', { name: 'Folder' }).selectOption({ label: 'In here' }))
  await row(page, 'In here').click({ modifiers: ['Control'] })
  for (const name of ['a', 'b']) await row(page, name).click({ modifiers: ['Control'] })
  await move((dialog) => dialog.getByRole('combobox', { name: 'Collection' }).selectOption({ label: 'Both to' }))
  assert.is(await from.now(), 'c/')
  const path = { collectionId: to.id }
  const { documents } = (await team.mara.ask.request('GET', '/collections/{collectionId}/documents', { path })).body
  assert.equal(documents.map(({ name, folderId }) => [name, folderId !== null]).toSorted(), [
    ['a', true],
    ['b', false]
  ])
})

test('by keyboard: Ctrl+Space and Shift choose, what is deleted together comes back together', async ({ open }) => {
  const { id, now } = await aCollection('By keyboard')
  const page = await open(`#/collections/${id}`, { token: team.mara.token })
  await row(page, 'a').waitFor()
  await page.getByRole('tree').focus()
  await page.keyboard.type('a')
  await page.keyboard.press('Control+Space')
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByText('2 records chosen').waitFor()
  await tabTo(page, 'Delete…')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Delete 2 records?' }).waitFor()
  await axe(page)
  await tabTo(page, 'Delete')
  await page.keyboard.press('Enter')
  await page.getByText('2 records are deleted.').waitFor()
  assert.is(await now(), 'c/')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByText('2 records are back.').waitFor()
  assert.is([...(await now())].sort().join(''), '/abc')
})

test('what the hub refuses of several stays chosen, with its reason', async ({ open, expectFailures }) => {
  expectFailures(/403/)
  const { id, now } = await aCollection('Half of them')
  const page = await open(`#/collections/${id}`, { token: team.tomas.token })
  const path = { collectionId: id }
  await team.tomas.ask.request('POST', '/collections/{collectionId}/documents', {
    ...{ path, body: { name: 'own', content: '' } }
  })
  await row(page, 'own').click({ modifiers: ['Control'] })
  await row(page, 'c').click({ modifiers: ['Shift'] })
  await page.getByText('2 records chosen').waitFor()
  await page.getByRole('button', { name: 'Delete…', exact: true }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText(/^1 record is deleted\. “c” is not: /).waitFor()
  await page.getByText('1 record chosen').waitFor()
  assert.is(await now(), 'abc/')
})

test('several are given up where the hub does not answer for the first of them', async ({ open, expectFailures }) => {
  expectFailures(/ERR_|Failed to load resource/)
  const collection = await aCollection('Left alone')
  const page = await open(`#/collections/${collection.id}`, { token: team.mara.token })
  for (const name of ['a', 'b', 'c']) await row(page, name).click({ modifiers: ['Control'] })
  let asked = 0
  await page.route(/documents/, (route) => {
    if (route.request().method() !== 'DELETE') return route.continue()
    asked++
    return route.abort()
  })
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('0 records are deleted.', { exact: false }).waitFor()
  assert.is(asked, 1)
  await page.getByText('3 records chosen').waitFor()
})

test('a question about what somebody deletes elsewhere goes with it, and is not asked of what is chosen next', async ({
  open
}) => {
  const { id } = await aCollection('Gone meanwhile')
  const path = { collectionId: id }
  const { documents } = (await team.mara.ask.request('GET', '/collections/{collectionId}/documents', { path })).body
  const page = await open(`#/collections/${id}`, { token: team.mara.token })
  await row(page, 'a').click({ modifiers: ['Control'] })
  await page.getByRole('button', { name: 'Delete…', exact: true }).click()
  await page.getByRole('dialog', { name: 'Delete 1 record?' }).waitFor()
  const gone = documents.find(({ name }) => name === 'a')?.id ?? ''
  await team.mara.ask.request('DELETE', '/documents/{id}', { path: { id: gone } })
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await row(page, 'b').click({ modifiers: ['Control'] })
  await page.getByText('1 record chosen').waitFor()
  assert.is(await page.getByRole('dialog').count(), 0)
})

test('collections, and what is in one, are exported together, each as a file', async ({ open }) => {
  const page = await open('#/', { token: team.mara.token })
  await row(page, 'Payments').click({ modifiers: ['Control'] })
  await row(page, 'Search API').locator('span').first().click()
  await row(page, 'Queries').click({ modifiers: ['Control'] })
  await page.getByRole('button', { name: 'Export…', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Export 2 records' })
  await dialog.getByRole('combobox', { name: 'As' }).selectOption({ label: 'HTTP Archive' })
  await dialog.getByRole('heading', { name: 'What Payments.har has no place for' }).waitFor()
  await dialog.getByRole('list', { name: 'What Search-API.har has no place for' }).waitFor()
  await axe(page)
  const files: string[] = []
  page.on('download', (download) => files.push(download.suggestedFilename()))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved 2 files.').waitFor()
  while (files.length < 2) await page.waitForEvent('download')
})

test('a record gets another name in the tree, and keeps all else', async ({ open }) => {
  const { id } = await aCollection('Renamed')
  const page = await open(`#/collections/${id}`, { token: team.mara.token })
  await row(page, 'b').waitFor()
  await page.getByRole('tree').focus()
  await page.keyboard.type('b')
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
  await axe(page)
  await page.keyboard.type('Better')
  await page.keyboard.press('Enter')
  await row(page, 'Better').waitFor()
  await page.getByText('“b” is “Better” now.').waitFor()
})

test('on a phone tapping goes on once one is chosen', async ({ open }) => {
  const { id } = await aCollection('Tapped')
  const page = await open(`#/collections/${id}`, { token: team.mara.token, width: 375, height: 800, hasTouch: true })
  await page.getByRole('button', { name: 'More with this collection' }).tap()
  await page.getByRole('menuitem', { name: 'Choose several…' }).tap()
  await row(page, 'Payments').tap()
  await page.getByText('2 records chosen').waitFor()
  await axe(page)
  await picture(page, 'several-phone')
})

run()
