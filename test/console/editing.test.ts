import type { Locator, Route } from 'playwright-core'
import * as assert from 'uvu/assert'
import { axe, LOOKS, looksWell, looksWellOnBoth, screenshot } from './support/looks.js'
import { aForm, field, save, savedRequest } from './support/requests.js'
import type { Person } from './support/seed.js'
import { seededSuite } from './support/seeded.js'

const { test, run, team } = seededSuite('editing in the console')

/** A request of its own for each test. */
const aRequest = (name: string, more?: object) => aForm(team, name, more)
const saved = (id: string) => savedRequest(team, id)

/** Changes a request from elsewhere. */
async function change({ ask }: Person, id: string, more: object) {
  const { body, etag } = await ask.request('GET', '/requests/{id}', { path: { id } })
  await ask.request('PUT', '/requests/{id}', { path: { id }, body: { ...body, ...more }, ifMatch: etag ?? '' })
}

/** What is in an editor of several lines. */
const typedIn = async (editor: Locator) => (await editor.locator('.cm-line').allInnerTexts()).join('\n')
/** Types over all that is in one. */
async function retype(editor: Locator, text: string) {
  await editor.press('Control+a')
  await editor.page().keyboard.insertText(text)
}

test('editing: a request is a form', async ({ open }) => {
  const { refund, payments } = team
  const page = await open(`#/collections/${payments}/requests/${refund.id}?edit=yes`, {
    ...{ token: team.mara.token }
  })
  assert.is(await field(page, 'URL').inputValue(), refund.brokenUrl)
  await page.getByText('Nothing is changed.').waitFor()
  await looksWellOnBoth(page, 'editing')
})

test('a request is edited by keyboard alone', async ({ open }) => {
  const { id, link } = await aRequest('Typed')
  const page = await open(link, { token: team.mara.token })
  const { keyboard } = page
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await keyboard.press(key)
  }
  await page.getByRole('link', { name: 'Edit' }).focus()
  await press('Enter')
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
  await page.locator('input:focus').waitFor()
  await press('End')
  await keyboard.type(' by hand')
  await press('Tab', 'ArrowDown', 'Tab', 'End')
  await keyboard.type('?x=1')
  await page.getByRole('button', { name: 'Add a header' }).focus()
  await press('Enter')
  await keyboard.type('X-Trace')
  await press('Tab')
  await keyboard.type('on')
  await press('Alt+ArrowUp', 'Alt+ArrowUp')
  await page.getByText('X-Trace is header 1 of 3.').waitFor()
  await press('Control+s')
  await page.getByText('Saved.', { exact: true }).waitFor()
  const { name, url, method, headers } = await saved(id)
  assert.equal([name, url, method], ['Typed by hand', 'https://api.example.com/v1?x=1', 'PUT'])
  assert.equal(
    headers.map(({ key }) => key),
    ['X-Trace', 'Accept', 'Idempotency-Key']
  )
  await page.getByRole('button', { name: 'Close' }).focus()
  await press('Enter')
  await page.locator('a:focus', { hasText: 'Edit' }).waitFor()
})

test('what is no JSON yet is told at its place, and nothing lies on Save', async ({ open }) => {
  const { form } = await aRequest('Untidy', { bodyType: 'json' })
  const page = await open(form, { token: team.mara.token })
  await retype(field(page, 'Body'), '{"id": 12345678901234567890, "amount": {{amount}} "x": 1}')
  await page.getByRole('button', { name: 'Tidy up' }).click()
  await page.getByText('Line 1, column 51: a comma is expected.').waitFor()
  const selected = 'document.activeElement.shadowRoot.getSelection().toString()'
  assert.is(await page.evaluate(selected), '"x"')
  await retype(field(page, 'Body'), '{"id": 12345678901234567890, "amount": {{amount}}}')
  assert.is(await page.getByText('a comma is expected').count(), 0)
  await page.getByRole('button', { name: 'Tidy up' }).click()
  assert.is(await typedIn(field(page, 'Body')), '{\n  "id": 12345678901234567890,\n  "amount": {{amount}}\n}')
  await page.keyboard.press('Control+s')
  const told = await page.getByText('Saved.', { exact: true }).boundingBox()
  const bar = await page.getByRole('button', { name: 'Save', exact: true }).boundingBox()
  assert.ok(told && bar && told.y + told.height < bar.y, JSON.stringify({ told, bar }))
})

for (const [look, options] of LOOKS) {
  test(`what is typed at the end of a long text${look} stands above the bar with Save`, async ({ open }) => {
    const { form } = await aRequest('Long', { bodyType: 'json', body: '{\n}\n'.repeat(60) })
    const page = await open(form, { token: team.mara.token, ...options })
    const body = field(page, 'Body')
    await body.locator('.cm-line').first().waitFor()
    await body.focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('typed')
    const line = await body.getByText('typed').boundingBox()
    const bar = await page.locator('form footer').boundingBox()
    assert.ok(line && bar && line.y + line.height <= bar.y, JSON.stringify({ line, bar }))
  })
}

test('references are completed where they are typed, and told under the pointer', async ({ open }) => {
  const { id, form } = await aRequest('Completed', { bodyType: 'json' })
  const page = await open(form, { token: team.mara.token })
  const body = field(page, 'Body')
  await retype(body, '{ "at": "" }')
  await page.keyboard.press('ArrowLeft')
  for (let times = 0; times < 2; times++) await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('{{bas')
  await page.getByRole('option', { name: /^baseUrl/ }).click()
  assert.match((await body.locator('.cm-set').first().getAttribute('title')) ?? '', / \(Payments\)$/)
  await axe(page)
  await page.keyboard.press('Control+s')
  await page.getByText('Saved.', { exact: true }).waitFor()
  assert.is((await saved(id)).body, '{ "at": "{{baseUrl}}" }')
})

test('a name is taken from the list in the moment in which its last letter is typed', async ({ open }) => {
  const { form } = await aRequest('Picked at once', { body: '', bodyType: 'text' })
  const page = await open(form, { token: team.mara.token })
  const body = field(page, 'Body')
  await body.press('Control+End')
  await page.keyboard.type('{{bas')
  await page.getByRole('option', { name: /^baseUrl/ }).waitFor()
  await page.evaluate(`addEventListener('keyup', () => {
    const [first] = document.activeElement.shadowRoot.querySelectorAll('[role=option]')
    first.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
  }, { once: true })`)
  await page.keyboard.press('e')
  await body.getByText('{{baseUrl}}').waitFor()
})

test('Enter that ends a word put together of several keys adds no row', async ({ open }) => {
  const { form } = await aRequest('Composed')
  const page = await open(form, { token: team.mara.token })
  await page.getByRole('button', { name: 'Add a header' }).click()
  const rows = page.getByRole('list', { name: 'Headers' }).getByRole('listitem')
  const before = await rows.count()
  const name = field(page, `Name, header ${before}`)
  await name.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
  assert.is(await rows.count(), before)
  await name.press('Enter')
  await rows.nth(before).waitFor()
})

test('what is saved is at no moment called unsaved', async ({ open }) => {
  const { form } = await aRequest('Saved at once')
  const page = await open(form, { token: team.mara.token })
  await field(page, 'URL').fill('https://api.example.com/v2')
  await page.evaluate(`new MutationObserver(() => {
    if (document.body.textContent.includes('is not saved')) globalThis.unsaved = true
  }).observe(document.body, { childList: true, subtree: true })`)
  // Once it is kept for a reload.
  while (!(await page.evaluate(`Object.keys(sessionStorage).some((key) => key.startsWith('hub.draft'))`)))
    await page.waitForTimeout(50)
  await save(page)
  await page.getByRole('link', { name: 'Edit' }).waitFor()
  assert.is(await page.evaluate('globalThis.unsaved'), undefined)
})

test('a text that ends its lines as Windows does goes on doing so where one of them is changed', async ({ open }) => {
  const { id, form } = await aRequest('Of Windows', { body: 'one\r\ntwo\r\n', bodyType: 'text' })
  const page = await open(form, { token: team.mara.token })
  const body = field(page, 'Body')
  await body.locator('.cm-line').nth(2).waitFor()
  await body.press('Control+Home')
  await page.keyboard.type('number ')
  await page.keyboard.press('Enter')
  await save(page)
  await page.getByText('Saved.', { exact: true }).waitFor()
  assert.is((await saved(id)).body, 'number \r\none\r\ntwo\r\n')
})

test('a reference that was begun before the editor had come is completed once it has', async ({ open }) => {
  const { form } = await aRequest('Slow', { bodyType: 'json' })
  const page = await open('#/', { token: team.mara.token })
  const asked = new Promise<Route>((resolve) => void page.route(/\/editor-[^/]*\.js$/, resolve))
  await page.goto(form)
  await page.getByText('Nothing sets {{token}}.').waitFor()
  const body = field(page, 'Body')
  await body.fill('{{bas')
  await (await asked).continue()
  await page.getByRole('option', { name: /^baseUrl/ }).click()
  assert.is(await typedIn(body), '{{baseUrl}}')
})

test('below what refers to a variable that nothing sets it says so, until it refers to one', async ({ open }) => {
  const headers = [{ key: 'X-Team', value: '{{team}}', enabled: true }]
  const auth = { type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } }
  const { form } = await aRequest('Unset', { url: 'https://{{nobody}}/{{$uuid}}', headers, auth })
  const page = await open(form, { token: team.mara.token })
  await page.getByText('Nothing sets {{team}}.').waitFor()
  await page.getByText('Nothing sets {{nobody}}.').waitFor()
  const method = await page.getByRole('combobox', { name: 'Method' }).boundingBox()
  const url = await field(page, 'URL').boundingBox()
  assert.equal(
    [method?.y, method?.height],
    [url?.y, url?.height],
    'the method stands beside the URL, whatever is below'
  )
  await axe(page)
  await field(page, 'URL').fill('{{baseUrl}}/x')
  await page.getByText('Nothing sets {{nobody}}.').waitFor({ state: 'detached' })
  await field(page, 'Name').fill('About {{nobody}}')
  await page.getByRole('checkbox', { name: 'On, header 1' }).uncheck()
  await page.getByText('Nothing sets', { exact: false }).waitFor({ state: 'detached' })
})

test('the URL completes variables in its path, and no other line does', async ({ open }) => {
  const { id, form } = await aRequest('In a path', { url: 'https://api.example.com' })
  const page = await open(form, { token: team.mara.token })
  const url = field(page, 'URL')
  await url.press('End')
  await page.keyboard.type('/v1/:base')
  await page.getByRole('option', { name: /^baseUrl/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('/x')
  assert.is(await url.inputValue(), 'https://api.example.com/v1/:baseUrl/x')
  await page.keyboard.type('?at=/:base')
  assert.is(await page.getByRole('listbox').count(), 0)
  await field(page, 'Name').fill('/:base')
  assert.is(await page.getByRole('listbox').count(), 0)
  await page.keyboard.press('Control+s')
  await page.getByText('Saved.', { exact: true }).waitFor()
  assert.is((await saved(id)).url, 'https://api.example.com/v1/:baseUrl/x?at=/:base')
})

test('a line completes references too, and parameters are in step with the URL', async ({ open }) => {
  const { id, form } = await aRequest('In step', { url: 'https://api.example.com/v1' })
  const page = await open(form, { token: team.mara.token })
  const url = field(page, 'URL')
  await url.press('End')
  await page.keyboard.type('?page=1&at={{base')
  await page.getByRole('option', { name: /^baseUrl/ }).waitFor()
  await axe(page)
  await page.keyboard.press('Enter')
  assert.is(await url.inputValue(), 'https://api.example.com/v1?page=1&at={{baseUrl}}')
  assert.is(await field(page, 'Value, parameter 2').inputValue(), '{{baseUrl}}')
  await field(page, 'Value, parameter 1').fill('a b')
  await page.getByRole('checkbox', { name: 'On, parameter 2' }).uncheck()
  assert.is(await url.inputValue(), 'https://api.example.com/v1?page=a%20b')
  await page.keyboard.press('Control+s')
  await page.getByText('Saved.', { exact: true }).waitFor()
  const { params } = await saved(id)
  assert.equal(params, [
    { key: 'page', value: 'a b', enabled: true },
    { key: 'at', value: '{{baseUrl}}', enabled: false }
  ])
})

test('two edit one request: what one alone has changed is kept, the rest is chosen field by field', async ({
  open,
  hub
}) => {
  const body = '{\n  "amount": 1,\n  "note": "",\n  "currency": "EUR"\n}'
  const { id, form } = await aRequest('Contested', { body, params: [{ key: 'limit', value: '10', enabled: true }] })
  const [mine, theirs] = [await open(form, { token: team.mara.token }), await open(form, { token: team.tomas.token })]
  await field(mine, 'URL').fill('https://api.example.com/mine')
  await field(mine, 'Value, parameter 1').fill('25')
  await retype(field(mine, 'Body'), body.replace('1', '2'))
  await field(theirs, 'URL').fill('https://api.example.com/theirs')
  await field(theirs, 'Value, parameter 1').fill('50')
  await retype(field(theirs, 'Body'), body.replace('EUR', 'USD'))
  await field(theirs, 'Name').fill('Contested by two')
  hub.clock.pass(1)
  await save(theirs)
  await theirs.getByText('Saved.', { exact: true }).waitFor()

  await mine.getByText('Tomás Ferreira changed this meanwhile', { exact: false }).waitFor()
  await save(mine)
  const dialog = mine.getByRole('dialog')
  const group = (name: string) => dialog.getByRole('group', { name, exact: true }).first()
  await group('URL').getByRole('radio', { name: 'What Tomás Ferreira saved' }).check()
  await group('Parameters “limit”').getByRole('radio', { name: 'Yours' }).check()
  await dialog.getByRole('button', { name: '1 left to choose' }).waitFor()
  await group('Body').getByRole('radio', { name: 'Both together' }).check()
  await dialog.getByText('Taken over, since you have not changed it: Name.').waitFor()
  await axe(mine)
  await screenshot(mine, 'conflict')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await mine.getByText('Saved. It keeps what Tomás Ferreira changed: Name.').waitFor()

  const now = await saved(id)
  // Their address, with the parameter that was chosen.
  assert.equal([now.name, now.url], ['Contested by two', 'https://api.example.com/theirs?limit=25'])
  assert.equal(now.params, [{ key: 'limit', value: '25', enabled: true }])
  assert.is(now.body, '{\n  "amount": 2,\n  "note": "",\n  "currency": "USD"\n}')
})

test('what somebody saves in another tab of theirs is told as that', async ({ open, hub }) => {
  const { form } = await aRequest('Edited twice')
  const [one, other] = [await open(form, { token: team.mara.token }), await open(form, { token: team.mara.token })]
  await field(one, 'Name').fill('Here')
  await field(other, 'Name').fill('There')
  hub.clock.pass(1)
  await save(other)
  await one.getByText('Another session of yours changed this meanwhile: Name.', { exact: false }).waitFor()
  await save(one)
  await one.getByRole('heading', { name: 'Changed on both sides' }).waitFor()
  await one.getByRole('radio', { name: 'What another session of yours saved' }).check()
})

test('who was chosen against changes it again: it is asked again', async ({ open, hub }) => {
  const { id, form } = await aRequest('Contested again')
  const page = await open(form, { token: team.mara.token })
  await field(page, 'URL').fill('https://api.example.com/mine')
  hub.clock.pass(1)
  await change(team.tomas, id, { url: 'https://api.example.com/second' })
  await page.getByText('Tomás Ferreira changed this meanwhile', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Choose now' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Yours' }).check()
  hub.clock.pass(1)
  await change(team.priya, id, { url: 'https://api.example.com/third' })
  await dialog.getByText('/third', { exact: false }).waitFor()
  await dialog.getByRole('button', { name: '1 left to choose' }).waitFor()
  await dialog.getByRole('radio', { name: 'Yours' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  assert.is((await saved(id)).url, 'https://api.example.com/mine')
})

test('a refusal stands at its field, takes the focus there, and leaves once the field is another', async ({
  open,
  expectFailures
}) => {
  const { form } = await aRequest('Nameless')
  const page = await open(form, { token: team.mara.token })
  expectFailures(/400/)
  await field(page, 'Name').fill(' ')
  await save(page)
  await page.getByText('Name must not be empty.').waitFor()
  await page.locator('[aria-invalid=true]:focus').waitFor()
  await axe(page)
  await field(page, 'URL').fill('https://api.example.com/other')
  await page.getByText('Name must not be empty.').waitFor()
  await field(page, 'Name').fill('Named again')
  await page.getByText('Name must not be empty.').waitFor({ state: 'detached' })
})

test('a document is edited beside its preview, which runs nothing', async ({ open }) => {
  const path = { collectionId: team.payments }
  const made = await team.mara.ask.request('POST', '/collections/{collectionId}/documents', {
    ...{ path, body: { name: 'Notes', content: '# Notes' } }
  })
  const page = await open(`#/collections/${team.payments}/documents/${made.body.id}?edit=yes`, {
    token: team.mara.token
  })
  await retype(field(page, 'Text, in Markdown'), '# Notes\n\n**bold** <script>document.title = "run"</script>')
  await page.getByRole('region', { name: 'Preview' }).getByText('bold').waitFor()
  await looksWell(page, 'editing-document')
  await save(page)
  await page.getByText('Saved.', { exact: true }).waitFor()
  assert.not.match(await page.title(), /run/)
})

test('variables of an environment have a value, a default, and whether they are shared', async ({ open }) => {
  const { id } = (await team.mara.ask.request('POST', '/environments', { body: { name: 'Staging' } })).body
  const page = await open(`#/environments/${id}?edit=yes`, { token: team.mara.token })
  await page.getByRole('button', { name: 'Add a variable' }).click()
  await page.keyboard.type('apiKey')
  await field(page, 'Value, variable 1').fill('secret')
  await field(page, 'Default, variable 1').fill('none')
  await page.getByRole('checkbox', { name: 'Share, variable 1' }).check()
  await looksWell(page, 'editing-environment')
  await save(page)
  await page.getByText('Saved.', { exact: true }).waitFor()
  const { variables } = (await team.mara.ask.request('GET', '/environments/{id}', { path: { id } })).body
  assert.equal(variables, [{ key: 'apiKey', value: 'secret', defaultValue: 'none', share: true, enabled: true }])
})

run()
