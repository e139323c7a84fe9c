import type { Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { likeRefund } from './support/requests.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('hostile records in the console')

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
  const body = `{"a":"${'x<b>'.repeat(2 ** 18)}"}`
  const { link } = await likeRefund(team, 'Large', { comment: '', body, bodyType: 'json' })
  const page = await open(link, { token: team.mara.token })
  await page.getByText('The first 131,072 of 1,048,584 characters.').waitFor()
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: 'Search' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('button', { name: 'Show all' }).waitFor({ state: 'detached' })
})

test('what turns text round is seen to wherever a name is shown', async ({ open }) => {
  const { ask, token } = team.tomas
  const name = `pay${BIDI}`
  const collectionId = (await ask.request('POST', '/collections', { body: { name } })).body.id
  const path = { collectionId }
  await ask.request('POST', '/collections/{collectionId}/folders', { path, body: { name } })
  const document = await ask.request('POST', '/collections/{collectionId}/documents', {
    ...{ path, body: { name, content: '' } }
  })
  const gone = await ask.request('POST', '/collections/{collectionId}/documents', { path, body: { name, content: '' } })
  await ask.request('DELETE', '/documents/{id}', { path: { id: gone.body.id } })
  await ask.request('POST', '/environments', { body: { name } })
  await ask.request('POST', '/collections/{id}/discussions', {
    ...{ path: { id: collectionId }, body: { body: `@${team.mara.name} look` } }
  })
  /** Waits until the whole page is there, on which the name stands so often, and looks for what would turn text round. */
  const seen = async (page: Page, times: number, where: string) => {
    const named = page.getByText('paysafe[U+202E]gnp.exe', { exact: false })
    await named.nth(times - 1).waitFor({ state: 'attached' })
    const lines = (await page.evaluate<string>('document.body.innerText')).split('\n')
    assert.equal(
      lines.filter((line) => line.includes('\u202E')),
      [],
      where
    )
  }
  const page = await open('#/', { token })
  const link = `#/collections/${collectionId}`
  const read = `${link}/documents/${document.body.id}`
  for (const [where, times] of [
    ['#/', 3],
    [link, 11],
    [`${link}?at=2026-03-30T08:00:00.000Z`, 7],
    [read, 5],
    ['#/deleted', 5],
    ['#/environments', 4],
    ['#/compare-environments', 5]
  ] as const) {
    await page.goto(where)
    await seen(page, times, where)
  }
  await page.goto(read)
  for (const [item, times] of [
    ['Rename…', 6],
    ['Move…', 8],
    ['Delete…', 6]
  ] as const) {
    await page
      .getByRole('button', { name: /^More with/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('dialog').waitFor()
    await seen(page, times, item)
    if (item !== 'Delete…') await page.keyboard.press('Escape')
  }
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('is deleted.', { exact: false }).waitFor()
  await seen(page, 5, 'what was done')
  const admin = await open('#/', { token: team.grace.token })
  for (const [where, times] of [
    ['#/', 2],
    ['#/audit', 7],
    ['#/locks', 3],
    ['#/deleted', 5]
  ] as const) {
    await admin.goto(where)
    await seen(admin, times, where)
  }
  await seen(await open('#/notices', { token: team.mara.token }), 2, 'notices')
})

test('a name of any length takes three lines of a dialog, of what is said of it, and of a list', async ({
  open,
  expectFailures
}) => {
  // The page may still ask for what it shows when it is gone.
  expectFailures(/404/)
  const { ask, token } = team.tomas
  const name = 'Wordless'.repeat(36)
  const { id } = (await ask.request('POST', '/snippets', { body: { name, code: '' } })).body
  const page = await open('#/snippets', { token, width: 375, height: 800, hasTouch: true })
  const high = async (what: Locator) => (await what.boundingBox())?.height ?? Number.POSITIVE_INFINITY
  const inList = page.getByRole('main').getByRole('link', { name })
  await inList.waitFor()
  assert.ok((await high(inList)) < 100)
  await page.goto(`#/snippets/${id}`)
  await page.getByRole('button', { name: /^More with/ }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  assert.ok((await high(page.getByRole('heading', { name: `Delete “${name}”?` }))) < 100)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  const said = page.getByText(`“${name}” is deleted.`)
  await said.waitFor()
  assert.ok((await high(said)) < 100)
})

test('a sign that turns a name round is a mark wherever people, groups, tokens, budgets, runs and webhooks are named', async ({
  open
}) => {
  const { ask, token } = team.grace
  const name = 'eye\u202Etoken'
  const created = (await ask.request('POST', '/admin/users', { body: { name, role: 'user' } })).body
  await ask.request('POST', '/admin/users/{id}/tokens', { path: { id: created.user.id }, body: { name } })
  await ask.request('POST', '/admin/users/{id}/invitations', { path: { id: created.user.id }, body: {} })
  await ask.request('POST', '/admin/groups', { body: { name } })
  const limit = { subject: 'hub', unit: 'tokens', period: 'month', limit: 1000 } as const
  await ask.request('POST', '/admin/llm/budgets', { body: { name, ...limit } })
  const hook = { url: 'https://ci.example.com/turned', kinds: ['request'], description: name } as const
  await ask.request('POST', '/webhooks', { body: { ...hook, kinds: [...hook.kinds] } })
  const payload = { harborclientExport: 'collection-run-results', collection: { name }, results: [{ name }] }
  await team.mara.ask.request('POST', '/run-results', { body: { label: name, payload } })
  const page = await open('#/groups', { token })
  for (const where of ['groups', 'tokens', 'invitations', 'usage', 'webhooks', 'run-results', 'people']) {
    await page.goto(`#/${where}`)
    await page.getByRole('main').getByText('eye[U+202E]token').first().waitFor()
    assert.not.match(await page.getByRole('main').innerText(), /\u202E/, where)
  }
})

test('a name that runs from right to left begins where the names beside it do', async ({ open }) => {
  const payload = {
    harborclientExport: 'collection-run-results',
    collection: { name: 'Any' },
    results: [{ name: 'Any' }]
  }
  await team.mara.ask.request('POST', '/run-results', { body: { label: 'תוצאות', payload } })
  const page = await open('#/run-results', { token: team.mara.token })
  await page.getByText('תוצאות').waitFor()
  const name = `[...document.querySelectorAll('bdi')].find((one) => one.textContent === 'תוצאות')`
  assert.is(await page.evaluate(`getComputedStyle(${name}).textAlign`), 'left')
})

run()
