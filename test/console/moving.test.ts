import type { Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { axe, screenshot } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('moving in the tree')

/** A collection of its own for each test: folders One and Two, and a, b and c in the first. */
async function aCollection(name: string) {
  const { ask } = team.mara
  const { id } = (await ask.request('POST', '/collections', { body: { name } })).body
  const path = { collectionId: id }
  const folder = async (folderName: string) =>
    (await ask.request('POST', '/collections/{collectionId}/folders', { path, body: { name: folderName } })).body.id
  const [one, two] = [await folder('One'), await folder('Two')]
  for (const document of ['a', 'b', 'c']) {
    const body = { name: document, content: '', folderId: one }
    await ask.request('POST', '/collections/{collectionId}/documents', { path, body })
  }
  /** What the hub says is in each folder, in order. */
  const order = async () => {
    const { documents } = (await ask.request('GET', '/collections/{collectionId}/documents', { path })).body
    const inside = (folderId: string | null) =>
      documents
        .filter((document) => document.folderId === folderId)
        .sort((x, y) => x.sortOrder - y.sortOrder)
        .map((document) => document.name)
        .join('')
    return { one: inside(one), two: inside(two), root: inside(null) }
  }
  return { id, one, two, order }
}

const row = (page: Page, name: string) => page.locator(`[role=treeitem][title="${name}"]`)

async function opened(page: Page) {
  await row(page, 'One').locator('span').first().click()
  await row(page, 'a').waitFor()
}

/** Where in a row something is held: 0 is its upper edge, 1 the lower one. */
async function point(line: Locator, part: number): Promise<[number, number]> {
  const box = await line.boundingBox()
  if (!box) throw new Error('The row is not to be seen.')
  return [box.x + 70, box.y + box.height * part]
}

async function hold(page: Page, from: Locator, to: Locator, part = 0.5) {
  const [x, y] = await point(from, 0.5)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 8, y + 8)
  // As Firefox tells it, once what is dragged is carried.
  await page.evaluate(`dispatchEvent(new PointerEvent('pointermove', { buttons: 1 }))`)
  await page.mouse.move(...(await point(to, part)), { steps: 4 })
}

test('a document is dragged to another place and into another folder, and taken back', async ({ open }) => {
  const { id, order } = await aCollection('Dragged')
  const page = await open(`#/collections/${id}`, { token: team.mara.token })
  await opened(page)
  await hold(page, row(page, 'c'), row(page, 'a'), 0.2)
  await axe(page)
  await page.mouse.up()
  await page.getByText('“c” is 1 of 3 in “One”.').waitFor()
  assert.equal(await order(), { one: 'cab', two: '', root: '' })
  await hold(page, row(page, 'b'), row(page, 'Two'))
  await screenshot(page, 'moving')
  await page.mouse.up()
  await page.getByText('“b” is 1 of 1 in “Two”.').waitFor()
  assert.equal(await order(), { one: 'ca', two: 'b', root: '' })
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.locator('[title=Two][aria-expanded=true]').waitFor()
  await row(page, 'b').waitFor()
  for (let tries = 0; tries < 50 && (await order()).one !== 'cab'; tries++) await page.waitForTimeout(100)
  assert.equal(await order(), { one: 'cab', two: '', root: '' })
  assert.match(page.url(), new RegExp(`${id}$`), 'letting go opens nothing')
})

test('a folder opens for what is held over it, and is not offered to itself', async ({ open }) => {
  const { id, order } = await aCollection('Held')
  const page = await open(`#/collections/${id}`, { token: team.mara.token })
  await row(page, 'Two').waitFor()
  await hold(page, row(page, 'Two'), row(page, 'One'))
  await row(page, 'a').waitFor()
  const marked = page.locator('[role=treeitem][class*="into"]')
  await marked.waitFor()
  await page.mouse.move(...(await point(row(page, 'Two'), 0.5)))
  await marked.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await hold(page, row(page, 'One'), row(page, 'a'))
  assert.is(await marked.count(), 0)
  await page.mouse.up()
  assert.equal(await order(), { one: 'abc', two: '', root: '' })
})

test('keys move what is chosen in the tree, and say where it is', async ({ open }) => {
  const { id, order } = await aCollection('Keyed')
  const page = await open(`#/collections/${id}`, { token: team.mara.token })
  await opened(page)
  await page.getByRole('tree').focus()
  await page.keyboard.press('c')
  const said = page.getByRole('status')
  for (const [key, text] of [
    ['Alt+ArrowUp', '“c” is 2 of 3 in “One”.'],
    ['Alt+ArrowUp', '“c” is 1 of 3 in “One”.'],
    ['Alt+ArrowUp', 'It is the first one already.'],
    ['Alt+ArrowLeft', '“c” is 1 of 1 in “Keyed”.'],
    ['Alt+ArrowRight', '“c” is 1 of 1 in “Two”.'],
    ['Alt+ArrowLeft', '“c” is 1 of 1 in “Keyed”.']
  ] as const) {
    await page.keyboard.press(key)
    await said.getByText(text).waitFor()
  }
  for (let tries = 0; tries < 50 && (await order()).root !== 'c'; tries++) await page.waitForTimeout(100)
  assert.equal(await order(), { one: 'ab', two: '', root: 'c' })
})

test('what the hub refuses to move is put back, with its sentence', async ({ open, expectFailures }) => {
  const { id, order } = await aCollection('Refused')
  const page = await open(`#/collections/${id}`, { token: team.mara.token })
  await opened(page)
  expectFailures(/503/)
  const error = 'The hub is busy. Try again in a moment.'
  await page.route('**/move', (route) => route.fulfill({ status: 503, json: { error } }))
  await hold(page, row(page, 'c'), row(page, 'a'), 0.2)
  await page.mouse.up()
  await page.getByText(`It is back where it was: ${error}`).waitFor()
  const [a, c] = [await point(row(page, 'a'), 0), await point(row(page, 'c'), 0)]
  assert.ok(a[1] < c[1])
  assert.equal(await order(), { one: 'abc', two: '', root: '' })
})

test('a dialog moves without dragging', async ({ open }) => {
  const { id, one, order } = await aCollection('Asked')
  const { ask } = team.mara
  const path = { collectionId: id }
  const { documents } = (await ask.request('GET', '/collections/{collectionId}/documents', { path })).body
  const a = documents.find(({ name }) => name === 'a')?.id
  const page = await open(`#/collections/${id}/documents/${a}`, { token: team.mara.token })
  await page.getByRole('button', { name: 'More with this document' }).click()
  await page.getByRole('menuitem', { name: 'Move…' }).click()
  const dialog = page.getByRole('dialog')
  assert.is(await dialog.getByRole('combobox', { name: 'Folder' }).inputValue(), one)
  await dialog.getByRole('combobox', { name: 'Place' }).selectOption({ label: 'Behind b' })
  await axe(page)
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('“a” is 2 of 3 in “One”.').waitFor()
  assert.is((await order()).one, 'bac')
})

test('a copy stands right behind what it is of, and a record goes to another collection with its history', async ({
  open
}) => {
  const [from, to] = [await aCollection('From'), await aCollection('To')]
  const page = await open(`#/collections/${from.id}`, {
    ...{ token: team.mara.token, permissions: ['clipboard-read', 'clipboard-write'] }
  })
  await opened(page)
  await row(page, 'a').click()
  const more = async (item: string) => {
    await page.getByRole('button', { name: 'More with this document' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await page.getByRole('heading', { name: 'a', level: 1 }).waitFor()
  await more('Copy the link')
  await page.getByText('The link is copied.').waitFor()
  assert.is(await page.evaluate<string>('navigator.clipboard.readText()'), page.url())
  await more('Duplicate')
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
  assert.is((await from.order()).one, 'aa (copy)bc')
  await page.getByRole('button', { name: 'Close' }).click()
  await more('Move…')
  await page.getByRole('combobox', { name: 'Collection' }).selectOption('To')
  await page.getByRole('combobox', { name: 'Folder' }).selectOption('Two')
  await axe(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
  await page.getByText('“a (copy)” is in another collection now.').waitFor()
  assert.equal([(await from.order()).one, (await to.order()).two], ['abc', 'a (copy)'])
  assert.match(page.url(), new RegExp(`#/collections/${to.id}/documents/`))
  await page.getByText('created it').waitFor()
})

test('who looks at a record that somebody moves to another collection goes there with it', async ({ open }) => {
  const { ask, token } = team.mara
  const [from, to] = [await aCollection('Moved from'), await aCollection('Moved to')]
  const path = { collectionId: from.id }
  const { documents } = (await ask.request('GET', '/collections/{collectionId}/documents', { path })).body
  const id = documents.find(({ name }) => name === 'b')?.id ?? ''
  const page = await open(`#/collections/${from.id}/documents/${id}`, { token })
  await page.getByRole('heading', { name: 'b', level: 1 }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  const body = { name: 'b', content: '', collectionId: to.id, folderId: null }
  await ask.request('PUT', '/documents/{id}', { path: { id }, body })
  await page.getByRole('navigation', { name: 'Where this is' }).getByText('Moved to').waitFor()
  assert.ok(page.url().endsWith(`#/collections/${to.id}/documents/${id}`))
  await page.getByRole('button', { name: 'More with this document' }).click()
  await page.getByRole('menuitem', { name: 'Move…' }).click()
  await page.getByRole('dialog', { name: 'Move “b”' }).waitFor()
})

test('a folder goes to another collection with what it holds, and is opened there', async ({ open }) => {
  const [from, to] = [await aCollection('Folder from'), await aCollection('Folder to')]
  const page = await open(`#/collections/${from.id}/folders/${from.one}`, { token: team.mara.token })
  await page.getByRole('button', { name: 'More with this folder' }).click()
  await page.getByRole('menuitem', { name: 'Move…' }).click()
  await page.getByRole('combobox', { name: 'Collection' }).selectOption('Folder to')
  await page.getByRole('combobox', { name: 'Folder' }).selectOption('Two')
  await page.getByText('requests and documents with their history').waitFor()
  await axe(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
  await page.getByText('“One” is in another collection now.').waitFor()
  await page.getByRole('heading', { name: 'One', level: 1 }).waitFor()
  assert.match(page.url(), new RegExp(`#/collections/${to.id}/folders/`))
  const path = { collectionId: to.id }
  const { ask } = team.mara
  const { documents } = (await ask.request('GET', '/collections/{collectionId}/documents', { path })).body
  const there = page.url().split('/').at(-1)
  assert.is(documents.filter(({ folderId }) => folderId === there).length, 3)
  const left = (await ask.request('GET', '/collections/{collectionId}/folders', { path: { collectionId: from.id } }))
    .body
  assert.equal(
    left.folders.map(({ name }) => name),
    ['Two']
  )
})

run()
