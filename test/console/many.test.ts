import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { isFull } from '../support/full.js'
import { makeMany, nameOf } from './support/many.js'
import { seededSuite } from './support/seeded.js'

/** An import brings as many at most. */
const COUNT = isFull ? 10_000 : 2000
const ROWS_MOST = 120

let large: string
const { test, run, team } = seededSuite(`a collection of ${COUNT} requests in the console`, {}, async () => {
  large = await makeMany(team.mara.ask, 'Many', COUNT)
})
const mara = () => ({ token: team.mara.token })

/** How many elements the page has for the rows of its list and its tree. */
const rowsOf = (page: Page) => page.evaluate<number>(`document.querySelectorAll('[data-index]').length`)

test('its list is there before what happened in it, with as many elements as can be seen wherever it is scrolled to, and all of them on paper', async ({
  open
}) => {
  const page = await open(`#/collections/${large}`, mara())
  const list = page.getByRole('main').getByRole('list').first()
  await list.getByText(nameOf(0), { exact: true }).waitFor()
  assert.ok((await rowsOf(page)) < ROWS_MOST)
  await page.getByText('imported a file').first().waitFor()
  const [shown, asked] = await page.evaluate<[number, number]>(`(() => {
    const of = (part) => performance.getEntriesByType('resource').find(({ name }) => name.includes(part))
    return [of('/requests?').responseEnd, of('/activity?').startTime]
  })()`)
  assert.ok(shown <= asked, JSON.stringify({ shown, asked }))
  await page.mouse.move(700, 500)
  for (const at of [0.25, 0.5, 0.75]) {
    await list.evaluate((element, at) => element.scrollTo(0, at * element.scrollHeight), at)
    await list.getByText(nameOf(at * COUNT), { exact: true }).waitFor()
    assert.ok((await rowsOf(page)) < ROWS_MOST)
  }
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
  await list.getByText(nameOf(0), { exact: true }).waitFor({ state: 'attached' })
  assert.is(await list.getByRole('listitem').count(), COUNT)
  await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
  await list.getByText(nameOf(0), { exact: true }).waitFor({ state: 'detached' })
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await list.getByText(nameOf(COUNT - 1), { exact: true }).click()
  await page.getByRole('heading', { name: nameOf(COUNT - 1), level: 1 }).waitFor()
})

test('its tree is walked to its end and back by keyboard, and one of them is found and opened by its name', async ({
  open
}) => {
  const page = await open('#/', mara())
  const tree = page.getByRole('tree', { name: 'Collections' })
  await tree.getByRole('treeitem', { name: 'Many' }).waitFor()
  await tree.focus()
  await page.keyboard.type('many')
  await page.keyboard.press('ArrowRight')
  await tree.getByRole('treeitem', { name: nameOf(0) }).waitFor()
  await page.keyboard.type(nameOf(COUNT - 124).toLowerCase())
  await tree.getByRole('treeitem', { name: nameOf(COUNT - 124) }).waitFor()
  assert.ok((await rowsOf(page)) < 2 * ROWS_MOST)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: nameOf(COUNT - 124), level: 1 }).waitFor()
  await tree.focus()
  await page.keyboard.press('Home')
  await tree.getByRole('treeitem').first().waitFor()

  const found = nameOf(COUNT / 2 + 321)
  await page.keyboard.press('/')
  await page.keyboard.type(found)
  await page.getByRole('option').filter({ hasText: found }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: found, level: 1 }).waitFor()
})

run()
