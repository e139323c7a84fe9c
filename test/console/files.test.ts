import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { temporaryDirectory } from '../support/databases.js'
import { axe, looksWell, screenshot } from './support/looks.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('files in and out of the console')
const mara = () => ({ token: team.mara.token })

/** A collection of Postman with requests in a folder. */
function postman(name: string, requests: readonly string[], url = 'https://petstore.test'): string {
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
  const item = requests.map((name, at) => ({
    ...{ id: `request-${at}`, name, request: { method: 'GET', url: `${url}/${at}` } },
    protocolProfileBehavior: { disableCookies: true }
  }))
  return JSON.stringify({
    ...{ info: { _postman_id: `of ${name}`, name, schema } },
    item: [{ id: 'pets', name: 'Pets', item }]
  })
}

const payloadOf = (name: string, text: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })

/** Drops a file on the page, as a person does from a window beside it, with others behind it. */
async function drop(page: Page, name: string, text: string, others: readonly string[] = []): Promise<void> {
  const names = JSON.stringify([name, ...others])
  const transfer = await page.evaluateHandle(
    `(() => { const held = new DataTransfer(); for (const name of ${names}) held.items.add(new File([${JSON.stringify(text)}], name)); return held })()`
  )
  await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer })
  await page.getByText('Drop it to import it').waitFor()
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer })
}

async function requestsOf(collectionId: string): Promise<readonly { readonly name: string; readonly url: string }[]> {
  const { body } = await team.mara.ask.request('GET', '/collections/{collectionId}/requests', {
    path: { collectionId }
  })
  return body.requests
}

/** What stands behind `collections/` in the address once the heading is there. */
async function openedCollection(page: Page, name: string): Promise<string> {
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  const [, id] = /collections\/([^/?]+)/.exec(page.url()) ?? []
  if (id === undefined) throw new Error(`No collection is open: ${page.url()}`)
  return id
}

test('a dropped file shows what it brings, and is imported as a collection', async ({ open }) => {
  const page = await open('#/', mara())
  await drop(page, 'petstore.json', postman('Petstore', ['List pets', 'One pet']))
  const dialog = page.getByRole('dialog', { name: 'Import “petstore.json”' })
  await dialog.getByText('Read as Postman. A new collection Petstore: 3 new.').waitFor()
  await dialog.getByText('List pets', { exact: true }).waitFor()
  await dialog.getByRole('heading', { name: 'What cannot be carried over' }).waitFor()
  await looksWell(page, 'importing')
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('Imported into Petstore: 3 new.').waitFor()
  const id = await openedCollection(page, 'Petstore')
  assert.equal((await requestsOf(id)).map(({ name }) => name).sort(), ['List pets', 'One pet'])
})

test('the same source again changes what has changed in it, and deletes only when it is told to', async ({ open }) => {
  const page = await open('#/', mara())
  const begin = async (text: string) => {
    await page.locator('input[type=file]').setInputFiles(payloadOf('orders.json', text))
    return page.getByRole('dialog', { name: 'Import “orders.json”' })
  }
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const first = await begin(postman('Orders', ['All orders', 'One order', 'Gone soon']))
  await first.getByRole('button', { name: 'Import', exact: true }).click()
  const id = await openedCollection(page, 'Orders')
  await page.getByRole('button', { name: 'More with this collection' }).click()
  await page.getByRole('menuitem', { name: 'Import into it…' }).click()
  const second = await begin(postman('Orders', ['All orders', 'One order'], 'https://orders.test'))
  assert.is(await second.getByRole('combobox', { name: 'Into' }).inputValue(), id)
  await second.getByText('Into the collection Orders: 2 changed,', { exact: false }).waitFor()
  await second.getByRole('checkbox', { name: /^Delete what an earlier import/ }).check()
  await second.getByText('2 changed, 1 deleted', { exact: false }).waitFor()
  await second.getByText('Gone soon').waitFor()
  await screenshot(page, 'importing-again')
  await second.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('Imported into Orders: 2 changed, 1 deleted', { exact: false }).waitFor()
  const urls = (await requestsOf(id)).map(({ name, url }) => `${name} ${url}`).sort()
  assert.equal(urls, ['All orders https://orders.test/0', 'One order https://orders.test/1'])
})

test('a source that is known says so, and what it was imported into is offered first', async ({ open }) => {
  const page = await open('#/', mara())
  const begin = async (text: string) => {
    await drop(page, 'known.json', text)
    return page.getByRole('dialog', { name: 'Import “known.json”' })
  }
  const first = await begin(postman('Known', ['One']))
  await first.getByText('A new collection Known: 2 new.', { exact: false }).waitFor()
  await first.getByRole('button', { name: 'Import', exact: true }).click()
  const id = await openedCollection(page, 'Known')
  const second = await begin(postman('Known', ['One', 'Two']))
  await second.getByText('This was imported into Known before.').waitFor()
  const into = second.getByRole('combobox', { name: 'Into' })
  assert.is(await into.getByRole('option').first().textContent(), 'Known (imported before)')
  await axe(page)
  await second.getByRole('button', { name: 'Bring Known up to date' }).click()
  await second.getByText('Into the collection Known: 1 new', { exact: false }).waitFor()
  assert.is(await into.inputValue(), id)
})

test('a file of an environment makes one, and of a data dump each part is chosen', async ({ open }) => {
  const page = await open('#/', mara())
  const environment = { id: 'e', name: 'Dropped', values: [{ key: 'host', value: 'h', enabled: true }] }
  await drop(page, 'env.json', JSON.stringify({ ...environment, _postman_variable_scope: 'environment' }))
  const dialog = page.getByRole('dialog', { name: 'Import “env.json”' })
  await dialog.getByText('Read as Postman. Environments: 1 new.').waitFor()
  assert.is(await dialog.getByRole('combobox', { name: 'Into' }).count(), 0)
  await axe(page)
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('Imported environments: 1 new.').waitFor()
  const collections = ['First', 'Second'].map((name) => JSON.parse(postman(name, ['R'])))
  await drop(page, 'dump.json', JSON.stringify({ version: 1, collections, environments: [environment] }))
  const parts = page.getByRole('dialog').getByRole('combobox', { name: 'Of what is in the file' })
  await parts.selectOption({ label: 'Second (a collection)' })
  await page.getByText('A new collection Second', { exact: false }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('Imported into Second: 2 new.').waitFor()
})

test('all of a data dump is imported part by part, and what came of each is listed', async ({
  open,
  expectFailures
}) => {
  const page = await open('#/', mara())
  expectFailures(/413/)
  await team.mara.ask.request('POST', '/collections/import', { body: { content: postman('Here already', ['R']) } })
  const many = Array.from({ length: 3000 }, (_, at) => `R${at}`)
  const dumped = [postman('All new', ['R']), postman('Here already', ['R', 'More']), postman('Too many', many)]
  const environments = [{ id: 'of-all', name: 'Dumped', values: [] }]
  const collections = dumped.map((text) => JSON.parse(text))
  await drop(page, 'dump.json', JSON.stringify({ version: 1, collections, environments }))
  const dialog = page.getByRole('dialog', { name: 'Import “dump.json”' })
  await dialog.getByRole('button', { name: 'Import all', exact: true }).click()
  await dialog.getByText('2 imported, 1 left, 1 refused.').waitFor()
  const lines = await dialog.getByRole('list', { name: 'What came of each' }).getByRole('listitem').allTextContents()
  assert.equal(
    lines.map((line) =>
      /^(Imported|Left|Refused)(All new|Here already|Too many|Environments?|Dumped)/.exec(line)?.slice(1)
    ),
    [
      ['Imported', 'All new'],
      ['Left', 'Here already'],
      ['Refused', 'Too many'],
      ['Imported', 'Dumped']
    ]
  )
  assert.match(lines[1] ?? '', /Imported into Here already before, and left as it is\./)
  assert.match(lines[2] ?? '', /too large to import/)
  await looksWell(page, 'importing-all')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  const { collections: here } = (await team.mara.ask.request('GET', '/collections')).body
  assert.is(here.filter(({ name }) => name === 'Here already').length, 1)
  assert.ok(here.some(({ name }) => name === 'All new'))
})

test('files that are dropped together have their turn one after another, until the others are left out', async ({
  open
}) => {
  const page = await open('#/', mara())
  await drop(page, 'first.json', postman('Of several', ['R']), ['second.json', 'third.json', 'fourth.json'])
  const first = page.getByRole('dialog', { name: 'Import “first.json”' })
  await first.getByText('3 more came with it: each has its turn when this one is done.').waitFor()
  await axe(page)
  await first.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('Imported into Of several: 2 new.').waitFor()
  const second = page.getByRole('dialog', { name: 'Import “second.json”' })
  await second.getByText('2 more came with it', { exact: false }).waitFor()
  await second.getByRole('button', { name: 'Cancel' }).click()
  const third = page.getByRole('dialog', { name: 'Import “third.json”' })
  await third.getByRole('button', { name: 'Leave the others out' }).click()
  await third.getByText('came with it', { exact: false }).waitFor({ state: 'detached' })
  await third.getByText('This was imported into Of several before.').waitFor()
  await third.getByRole('button', { name: 'Cancel' }).click()
  await third.waitFor({ state: 'detached' })
  assert.is(await page.getByRole('dialog').count(), 0)
})

test('an import that is left while it goes on takes nothing from the file behind it', async ({ open }) => {
  const page = await open('#/', mara())
  await drop(page, 'first.json', postman('Left alone', ['One']), ['second.json', 'third.json'])
  let go = () => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  await page.route(/import\?preview=false/, async (route) => {
    await held
    await route.continue()
  })
  const dialogOf = (name: string) => page.getByRole('dialog', { name: `Import “${name}”` })
  await dialogOf('first.json').getByRole('button', { name: 'Import', exact: true }).click()
  await dialogOf('first.json').getByRole('button', { name: 'Cancel' }).click()
  await dialogOf('second.json').waitFor()
  go()
  await page.getByText('Imported into Left alone: 2 new.').waitFor()
  await dialogOf('second.json').waitFor()
  assert.is(await dialogOf('third.json').count(), 0)
})

test('a folder that is dropped is read as it is, and what is left out of it is said', async ({ open }) => {
  const bru =
    'meta {\n  name: In a folder\n  type: http\n}\n\nget {\n  url: https://x.test\n  body: none\n  auth: none\n}\n'
  const page = await open('#/', mara())
  // A page cannot make entries itself: these answer as those of a browser do.
  await page.evaluate(`(() => {
    const file = (name, text) => ({ name, isFile: true, isDirectory: false, file: (take) => take(new File([text], name)) })
    const folder = (name, ...held) => ({
      ...{ name, isFile: false, isDirectory: true },
      createReader: () => ({ readEntries: (take) => take(held.splice(0, 1)) })
    })
    const orders = folder('orders', file('get.bru', ${JSON.stringify(bru)}))
    const shop = folder('shop', file('bruno.json', '{"name":"Dropped shop"}'), orders, file('a.png', ''), folder('.git'))
    DataTransferItem.prototype.webkitGetAsEntry = () => shop
  })()`)
  await drop(page, 'shop', '')
  const dialog = page.getByRole('dialog', { name: 'Import “shop”' })
  await dialog.getByText('Read as Bruno. A new collection Dropped shop: 2 new.').waitFor()
  await dialog.getByText('2 files and hidden folders in it are of no kind that an import reads.').waitFor()
  await axe(page)
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  const id = await openedCollection(page, 'Dropped shop')
  assert.equal(
    (await requestsOf(id)).map(({ name }) => name),
    ['In a folder']
  )
})

test('a pasted curl command is imported by keyboard alone', async ({ open }) => {
  const page = await open('#/', mara())
  const button = page.getByRole('button', { name: 'Import', exact: true })
  await button.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await dialog.getByRole('textbox', { name: 'Or paste it' }).focus()
  await page.keyboard.insertText("curl -X POST https://shop.test/cart -H 'accept: text/plain' -d 'a=1'")
  await axe(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Read as curl commands.', { exact: false }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Imported into', { exact: false }).waitFor()
})

test('what is no such file, or too large, is refused in words, and another can be chosen', async ({
  open,
  expectFailures
}) => {
  const page = await open('#/', mara())
  expectFailures(/400|413/)
  await drop(page, 'holiday.txt', 'Dear all, the weather is fine.')
  const dialog = page.getByRole('dialog', { name: 'Import “holiday.txt”' })
  await dialog.getByRole('alert').getByText('Choose above what to read it as.', { exact: false }).waitFor()
  await dialog.getByRole('combobox', { name: 'Read it as' }).selectOption('har')
  await dialog.getByText('it does not look like har.', { exact: false }).waitFor()
  // The same file is refused again.
  assert.is(await dialog.getByRole('button', { name: 'Try again' }).count(), 0)
  assert.ok(await dialog.getByRole('button', { name: 'Import', exact: true }).isDisabled())
  await axe(page)
  await dialog.getByRole('button', { name: 'Another file' }).click()
  await page.getByRole('button', { name: 'Choose files' }).waitFor()

  // The browser reads it from the disk: to hand so much over takes half a minute of a busy machine.
  const large = join((await temporaryDirectory()).path, 'large.json')
  writeFileSync(large, postman('Large', ['x'.repeat(9_000_000)]))
  await page.locator('input[type=file]').setInputFiles(large)
  await page.getByRole('dialog', { name: 'Import “large.json”' }).getByRole('alert').waitFor()
  await page.keyboard.press('Escape')
  // More than any hub takes is not even read.
  const transfer = await page.evaluateHandle(
    "(() => { const held = new DataTransfer(); held.items.add(new File(['x'.repeat(64_000_001)], 'huge.json')); return held })()"
  )
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer })
  const huge = page.getByRole('dialog', { name: 'Import' })
  await huge.getByText('split it, or unpack it and import what is in it.', { exact: false }).waitFor()
})

test('a collection is saved as a file of another tool, and what that has no place for is said', async ({ open }) => {
  const page = await open(`#/collections/${team.payments}`, mara())
  await page.getByRole('button', { name: 'More with this collection' }).click()
  await page.getByRole('menuitem', { name: 'Export…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export “Payments”' })
  await dialog.getByText('Payments.postman_collection.json', { exact: false }).waitFor()
  await axe(page)
  await dialog.getByRole('combobox', { name: 'As' }).selectOption({ label: 'HTTP Archive' })
  await dialog.getByText('Payments.har', { exact: false }).waitFor()
  await dialog.getByRole('heading', { name: 'What this format has no place for' }).waitFor()
  await screenshot(page, 'exporting')
  await dialog.getByRole('combobox', { name: 'As' }).selectOption({ label: 'Postman 2.1' })
  await dialog.getByText('Payments.postman_collection.json', { exact: false }).waitFor()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const file = await download
  assert.is(file.suggestedFilename(), 'Payments.postman_collection.json')
  assert.is(JSON.parse(readFileSync(await file.path(), 'utf8')).info.name, 'Payments')
  await page.getByText('Saved Payments.postman_collection.json', { exact: false }).waitFor()
})

test('an environment is saved as a file of another tool', async ({ open }) => {
  const { environments } = (await team.mara.ask.request('GET', '/environments')).body
  const id = environments.find(({ name }) => name === 'Staging')?.id
  const page = await open(`#/environments/${id}`, mara())
  await page.getByRole('button', { name: 'More with this environment' }).click()
  await page.getByRole('menuitem', { name: 'Export…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export “Staging”' })
  await dialog.getByText('Staging.postman_environment.json', { exact: false }).waitFor()
  await axe(page)
  await dialog.getByRole('combobox', { name: 'As' }).selectOption({ label: 'Bruno (a .bru file)' })
  await dialog.getByText('Staging.bru', { exact: false }).waitFor()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const file = await download
  assert.is(file.suggestedFilename(), 'Staging.bru')
  assert.match(readFileSync(await file.path(), 'utf8'), /^vars \{[^}]*baseUrl: /)
})

test('administrators, who look and manage, are offered neither', async ({ open }) => {
  const page = await open(`#/collections/${team.payments}`, { token: team.grace.token })
  await page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor()
  assert.is(await page.getByRole('button', { name: 'Import' }).count(), 0)
  assert.is(await page.getByRole('button', { name: 'More with this collection' }).count(), 0)
})

run()
