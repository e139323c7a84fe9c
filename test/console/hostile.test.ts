import * as assert from 'uvu/assert'
import { browserSuite } from './support/browser.js'
import { seed, type Team } from './support/seed.js'

let team: Team
const { test, run } = browserSuite('hostile records in the console', async (hub) => {
  team = await seed(hub)
})

const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=1</script>'
const MARKDOWN = [
  MARKUP,
  '[run](javascript:document.title=1) [data](data:text/html,1)',
  '![seen](https://elsewhere.example/pixel.png)',
  '<iframe src="https://elsewhere.example"></iframe><form action="https://elsewhere.example"><input></form>',
  '<a href="https://example.com" style="position:fixed;inset:0" onclick="document.title=1" id="content">covered</a>',
  '[cover](https://example.com)',
  '<svg><a xlink:href="javascript:document.title=1"><text>x</text></a></svg><math href="javascript:1">y</math>'
].join('\n\n')
const BIDI = 'safe\u202Egnp.exe'

test('HTML, script URLs and pictures from elsewhere in a document do nothing', async ({ open }) => {
  const path = { collectionId: team.payments }
  const body = { name: `${MARKUP} ${BIDI}`, content: MARKDOWN }
  const made = await team.tomas.ask.request('POST', '/collections/{collectionId}/documents', { path, body })
  const page = await open(`#/collections/${team.payments}/documents/${made.body.id}`, { token: team.mara.token })
  await page.getByRole('link', { name: 'cover' }).waitFor()
  const held = await page.evaluate(
    `['img', 'script', 'iframe', 'form', 'math', '[onclick]', '[style*=fixed]', 'a[href^="javascript"]', 'a[href^="data"]'].map(
      (one) => document.querySelectorAll('main ' + one).length)`
  )
  assert.equal(held, [0, 0, 0, 0, 0, 0, 0, 0, 0])
  assert.is(await page.locator('#content').count(), 1)
  assert.is(await page.getByRole('link', { name: 'cover' }).getAttribute('rel'), 'noopener noreferrer nofollow')
  // Text that runs the other way turns round nothing but itself, and is seen to.
  const told = `${MARKUP} safe[U+202E]gnp.exe`
  assert.is(await page.locator('h1 bdi').innerText(), told)
  await page.getByRole('treeitem', { name: told }).waitFor()
})

test('a body of 1 MB is shown in part, and the page goes on', async ({ open }) => {
  const path = { collectionId: team.payments }
  const { body: one } = await team.mara.ask.request('GET', '/requests/{id}', { path: { id: team.refund.id } })
  const { name, method, url, headers, params, auth, preRequestScript, postRequestScript } = one
  const large = `{"a":"${'x<b>'.repeat(2 ** 18)}"}`
  const rest = { name, method, url, headers, params, auth, preRequestScript, postRequestScript }
  const content = { ...rest, comment: '', body: large, bodyType: 'json' } as const
  const made = await team.tomas.ask.request('POST', '/collections/{collectionId}/requests', { path, body: content })
  const page = await open(`#/collections/${team.payments}/requests/${made.body.id}`, { token: team.mara.token })
  await page.getByText('The first', { exact: false }).waitFor()
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: 'Search' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('button', { name: 'Show all' }).waitFor({ state: 'detached' })
})

test('a secret in a link of the console goes nowhere, and a link that is nonsense says so', async ({ open }) => {
  const page = await open('#/nowhere/%E0%A4%A/..%2F..', { token: team.mara.token })
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
})

run()
