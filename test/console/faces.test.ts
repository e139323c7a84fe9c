import * as assert from 'uvu/assert'
import { connectHub, type HubClient } from '../../clients/typescript/src/index.js'
import { browserSuite } from './support/browser.js'
import { axe, looksWell, picture } from './support/looks.js'

/** A picture that is wider than it is high: red on its left, blue on its right. */
const WIDE = `(async () => {
  const canvas = new OffscreenCanvas(600, 300)
  const drawing = canvas.getContext('2d')
  drawing.fillStyle = '#c00'
  drawing.fillRect(0, 0, 300, 300)
  drawing.fillStyle = '#00c'
  drawing.fillRect(300, 0, 300, 300)
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())
  return btoa(String.fromCharCode(...bytes))
})()`

/** The smallest image that there is. */
const GIF = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')

interface Person {
  readonly id: string
  readonly token: string
  readonly ask: HubClient
}

let mara: Person
let tomas: Person
const { test, run } = browserSuite('avatars and notices in the console', async (hub) => {
  const admin = connectHub({ url: hub.url, token: hub.admin.token })
  const make = async (name: string): Promise<Person> => {
    const access = { collectionAccess: ['*'], snippetAccess: ['*'] }
    const body = { name, role: 'user', avatarColor: 'sky-600', ...access } as const
    const { user, secret } = (await admin.request('POST', '/admin/users', { body })).body
    return { id: user.id, token: secret, ask: connectHub({ url: hub.url, token: secret }) }
  }
  mara = await make('Mara Lindqvist')
  tomas = await make('Tomás Ferreira')
})

test('somebody chooses initials, a colour and the part of an image, which becomes small before it is sent', async ({
  open
}) => {
  const page = await open('#/', { token: mara.token })
  await page.getByRole('button', { name: 'Signed in as Mara Lindqvist' }).click()
  await page.getByRole('menuitem', { name: 'Your avatar…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your avatar' })
  await dialog.getByLabel('Initials').fill('m1')
  await dialog.getByText('Initials are one or two letters.').waitFor()
  await dialog.getByLabel('Initials').fill('mx')
  await dialog.getByLabel('Rose').check()
  const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no image') }
  await dialog.getByLabel('Image').setInputFiles(file)
  await dialog.getByText('notes.txt is no image that this browser can show.').waitFor()
  const png = Buffer.from(String(await page.evaluate(WIDE)), 'base64')
  await dialog.getByLabel('Image').setInputFiles({ name: 'wide.png', mimeType: 'image/png', buffer: png })
  await dialog.getByLabel('Part of it').fill('1')
  await looksWell(page, 'avatar')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The avatar is saved.').waitFor()
  await page.locator('button[aria-label^="Signed in as"] img').waitFor()
  const { user } = (await mara.ask.request('GET', '/auth/session')).body
  assert.equal([user.avatarInitials, user.avatarColor], ['MX', 'rose-600'])
  const path = { id: mara.id }
  const { bytes, type } = (await mara.ask.download('/auth/users/{id}/avatar', { path })).body
  assert.is(type, 'image/jpeg')
  assert.ok(bytes.length < 20_000)
  const middle = await page.evaluate(`(async () => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob('${Buffer.from(bytes).toString('base64')}'), (c) => c.charCodeAt(0))]))
    const drawing = new OffscreenCanvas(256, 256).getContext('2d')
    drawing.drawImage(image, 0, 0)
    return [image.width, image.height, ...drawing.getImageData(20, 128, 1, 1).data]
  })()`)
  const [width, height, red, , blue] = middle as readonly number[]
  assert.equal([width, height], [256, 256])
  assert.ok(Number(red) < 40 && Number(blue) > 160)
})

test('who made a version is drawn as they have chosen, for colleagues and for administrators', async ({
  hub,
  open
}) => {
  const { id } = (await mara.ask.request('POST', '/snippets', { body: { name: 'Sign', code: 'one()' } })).body
  await tomas.ask.request('PUT', '/auth/profile/avatar', { body: { initials: 'zz', color: 'teal-600' } })
  const body = { name: 'Sign', code: 'two()', scope: 'any' } as const
  await tomas.ask.request('PUT', '/snippets/{id}', { path: { id }, body })
  for (const token of [tomas.token, hub.admin.token]) {
    const page = await open(`#/snippets/${id}`, { token })
    const history = page.getByRole('complementary', { name: 'History' })
    await history.locator('li', { hasText: 'Mara Lindqvist' }).locator('img').waitFor()
    await history.locator('li', { hasText: 'Tomás Ferreira' }).locator('[data-initials="ZZ"]').waitFor()
  }
})

test('an administrator chooses for somebody and for the hub, and what others choose appears by itself', async ({
  hub,
  open
}) => {
  const theirs = await open('#/', { token: tomas.token })
  await theirs.locator('button[aria-label^="Signed in as"] [data-initials="ZZ"]').waitFor()
  const page = await open(`#/people/${tomas.id}`, {
    token: hub.admin.token,
    width: 375,
    height: 800,
    colorScheme: 'dark'
  })
  await page.getByRole('button', { name: 'Avatar', exact: true }).click()
  await page.getByLabel('Initials').fill('TF')
  await page.getByLabel('Amber').check()
  await axe(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The avatar is saved.').waitFor()
  await theirs.locator('button[aria-label^="Signed in as"] [data-initials="TF"]').waitFor()
  await page.getByRole('button', { name: /^Signed in as/ }).click()
  await page.getByRole('menuitem', { name: 'The hub’s avatar…' }).click()
  await page.getByLabel('Initials').fill('ac')
  await page.getByRole('button', { name: 'Save' }).click()
  await page
    .getByRole('link', { name: /: all collections$/ })
    .locator('[data-initials="AC"]')
    .waitFor()
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
})

test('the bell counts what others do, and the list of it leads there and is read by that', async ({ open }) => {
  const { ask } = mara
  const { id } = (await ask.request('POST', '/collections', { body: { name: 'Orders' } })).body
  const page = await open('#/notices', { token: tomas.token, width: 375, height: 800 })
  await page.getByRole('heading', { name: 'Nothing new' }).waitFor()
  const say = (body: string) =>
    ask.request('POST', '/collections/{id}/discussions', { path: { id }, body: { body } }).then((said) => said.body)
  const first = await say('Is this all? @Tomás Ferreira')
  await page.getByRole('link', { name: 'Notices, 1 unread' }).waitFor()
  await page.getByText('Is this all? @Tomás Ferreira').waitFor()
  await looksWell(page, 'notices-phone')
  await page.getByRole('main').getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Notices', exact: true }).waitFor()
  const talk = page.getByRole('main').locator('section', { hasText: 'Discussion' })
  await talk.getByText('Is this all? @Tomás Ferreira').waitFor()
  const path = { id: first.id }
  await tomas.ask.request('POST', '/discussion-comments/{id}/replies', { path, body: { body: 'It is.' } })
  await talk.getByText('It is.').waitFor()
  await axe(page)
  await say('And this, @Tomás Ferreira?')
  await say('And that, @Tomás Ferreira?')
  await page.getByRole('link', { name: 'Notices, 2 unread' }).click()
  const which = page.getByLabel('Tell me about')
  await which.selectOption({ label: 'Nothing' })
  await page.getByRole('heading', { name: 'Nothing new' }).waitFor()
  await which.selectOption({ label: 'Only where I am mentioned' })
  await page.getByRole('button', { name: 'Mark as read: Mara Lindqvist, Orders' }).first().click()
  await page.getByRole('link', { name: 'Notices, 1 unread' }).waitFor()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('link', { name: 'Notices', exact: true }).waitFor()
  assert.is((await tomas.ask.request('GET', '/notices/unread-count')).body.count, 0)
})

test('of two answers about what is unread the one that was asked for last holds, whichever comes first', async ({
  open
}) => {
  const { ask } = mara
  const { id } = (await ask.request('POST', '/collections', { body: { name: 'Counted' } })).body
  const say = (body: string) => ask.request('POST', '/collections/{id}/discussions', { path: { id }, body: { body } })
  const page = await open('#/notices', { token: tomas.token })
  await page.getByText('Live', { exact: true }).waitFor()
  await say('One, @Tomás Ferreira')
  await page.getByRole('link', { name: 'Notices, 1 unread' }).waitFor()
  let first: (() => Promise<void>) | undefined
  await page.route(/unread-count$/, async (route) => {
    const response = await route.fetch()
    if (first) return route.fulfill({ response })
    first = () => route.fulfill({ response })
  })
  await say('Two, @Tomás Ferreira')
  while (!first) await page.waitForTimeout(50)
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  const none = page.getByRole('link', { name: 'Notices', exact: true })
  await none.waitFor()
  const late = page.waitForResponse(/unread-count$/)
  await first()
  await (await late).finished()
  await page.evaluate('new Promise(requestAnimationFrame)')
  assert.ok(await none.isVisible())
})

test('people talk in the console: what is typed survives a reload, answers arrive by themselves, and who said it can take it back', async ({
  open,
  hub
}) => {
  const { ask } = mara
  const { id } = (await ask.request('POST', '/collections', { body: { name: 'Talk' } })).body
  const page = await open(`#/collections/${id}`, { token: mara.token })
  const other = await open(`#/collections/${id}`, { token: tomas.token })
  await page.getByLabel('Begin a discussion').fill('Is **this** all?')
  await page.reload()
  assert.is(await page.getByLabel('Begin a discussion').inputValue(), 'Is **this** all?')
  await page.getByLabel('Begin a discussion').press('Control+Enter')
  assert.is(await page.getByLabel('Begin another').inputValue(), '')
  await other.getByText('Is this all?').waitFor()
  hub.clock.pass(1)
  await other.getByRole('button', { name: 'Answer', exact: true }).click()
  // Nobody types before they see where.
  await other.locator('textarea:focus').waitFor()
  await other.keyboard.type('It is, @Mara Lindqvist!')
  await other.keyboard.press('Control+Enter')
  await page.getByText('It is, @Mara Lindqvist!').waitFor()
  await page.getByTitle('Mara Lindqvist', { exact: true }).getByText('@Mara Lindqvist', { exact: true }).waitFor()
  await axe(page)
  await page.getByLabel('Begin another').fill('')
  await page.getByLabel('Begin another').pressSequentially('Thanks, @fer')
  await page.getByRole('option', { name: 'Tomás Ferreira' }).waitFor()
  await axe(page)
  await picture(page, 'mentioning')
  await page.keyboard.press('Enter')
  assert.is(await page.getByLabel('Begin another').inputValue(), 'Thanks, @Tomás Ferreira ')
  await page.getByLabel('Begin another').fill('')

  await other.getByRole('button', { name: 'More with what Tomás Ferreira said' }).click()
  await other.getByRole('menuitem', { name: 'Change…' }).click()
  await other.getByLabel('Your comment').fill('It was.')
  await other.getByRole('button', { name: 'Save' }).click()
  await page.getByText('It was.').waitFor()
  assert.is(await page.getByRole('button', { name: 'More with what Tomás Ferreira said' }).count(), 1)
  await other.getByText('You are told of answers.').waitFor()
  await other.getByRole('button', { name: 'Tell me of no answers' }).click()
  await other.getByText('You are not told of answers here').waitFor()
  await other.getByText('You are told of none.').waitFor()
  await picture(other, 'thread')
  await other.getByRole('button', { name: 'Tell me of answers' }).waitFor()
  await other.getByRole('button', { name: 'More with what Tomás Ferreira said' }).click()
  await other.getByRole('menuitem', { name: 'Take back…' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Take it back' }).click()
  await page.getByText('Taken back.').waitFor()
  const { comments } = (await ask.request('GET', '/collections/{id}/discussions', { path: { id } })).body
  assert.equal(
    comments.map(({ body }) => body),
    ['Is **this** all?', null]
  )
})

test('a thread that is resolved is folded with who did it, on a difference too, and is open again when somebody reopens it', async ({
  open,
  hub
}) => {
  const { ask } = mara
  const { id, ...made } = (await ask.request('POST', '/collections', { body: { name: 'Settled' } })).body
  const path = { id }
  const { body: begun } = await ask.request('POST', '/collections/{id}/discussions', { path, body: { body: 'Is it?' } })
  await ask.request('PUT', '/collections/{id}', { path, body: { ...made, name: 'Settled anew' } })
  const page = await open(`#/collections/${id}`, { token: mara.token })
  const other = await open(`#/collections/${id}?versions=1,2`, { token: tomas.token })
  await page.getByText('Is it?').waitFor()
  hub.clock.pass(1)
  await other.getByRole('button', { name: 'Resolve' }).click()
  for (const one of [page, other]) {
    await one.getByText('Resolved by Tomás Ferreira').waitFor()
    await one.getByText('Is it?').waitFor({ state: 'detached' })
  }
  await other.locator('button:focus', { hasText: 'Show' }).waitFor()
  await looksWell(page, 'resolved')

  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  await page.getByLabel('Answer Mara Lindqvist').fill('It is, still.')
  await page.getByLabel('Answer Mara Lindqvist').press('Control+Enter')
  await page.getByText('It is, still.').waitFor()
  await other.getByText('2 comments').first().waitFor()
  assert.is(await other.getByText('It is, still.').count(), 0)
  await axe(page)
  await page.getByRole('button', { name: 'Reopen' }).click()
  await other.getByText('It is, still.').waitFor()
  await other.getByRole('button', { name: 'Resolve' }).waitFor()
  const { comments } = (await ask.request('GET', '/collections/{id}/discussions', { path })).body
  assert.equal([comments[0]?.id, comments[0]?.resolvedAt], [begun.id, undefined])
})

test('of a long discussion the beginning is shown, and the rest where somebody asks for it', async ({ open, hub }) => {
  const { ask, token } = mara
  const path = {
    id: (await ask.request('POST', '/collections', { body: { name: 'Long' } })).body.id
  }
  const say = (body: string) => ask.request('POST', '/collections/{id}/discussions', { path, body: { body } })
  await Promise.all(Array.from({ length: 300 }, () => say('One of many.')))
  hub.clock.pass(1)
  await say('The last.')
  const page = await open(`#/collections/${path.id}`, { token })
  await page.getByText('One of many.').nth(299).waitFor()
  assert.is(await page.getByText('The last.').count(), 0)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('The last.').waitFor()
  await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' })
})

test('an image that the hub did not answer with is there once it answers again', async ({ open, expectFailures }) => {
  expectFailures(/ERR_FAILED/)
  await tomas.ask.request('PUT', '/auth/profile/avatar', {
    body: { imageDataUrl: `data:image/gif;base64,${GIF.toString('base64')}` }
  })
  const page = await open('about:blank', { token: tomas.token })
  let failed = 0
  // As often as the client tries.
  await page.route(/users.*avatar/, (route) => (failed++ < 4 ? route.abort() : route.continue()))
  await page.goto('#/')
  await page.locator('button[aria-label^="Signed in as"] img').waitFor()
  assert.is(failed, 5)
})

test('each image is asked for once, though more are to be seen than are kept', async ({ open }) => {
  const MANY = 400
  const page = await open('about:blank', { token: mara.token })
  const nothing = {
    requestId: null,
    folderId: null,
    runResultId: null,
    discussionThreadId: null,
    discussionCommentId: null
  }
  const notices = Array.from({ length: MANY }, (_, at) => ({
    ...{
      ...nothing,
      id: `n${at}`,
      eventType: 'request.updated',
      entityType: 'request',
      entityId: 'r',
      collectionId: 'c'
    },
    actor: {
      ...{ id: `u${at}`, name: `Person ${at}` },
      avatar: { initials: 'PE', color: 'sky-600', imageUrl: `/auth/users/u${at}/avatar?v=1` }
    },
    ...{ createdAt: '2026-02-23T08:00:00.000Z', readAt: null },
    displayMetadata: { actorName: `Person ${at}`, targetLabel: 'Refund' }
  }))
  await page.route('**/notices?*', (route) => route.fulfill({ json: { notices } }))
  let asked = 0
  await page.route('**/auth/users/u*/avatar?*', (route) => {
    asked++
    return route.fulfill({ contentType: 'image/gif', body: GIF })
  })
  await page.goto('#/notices')
  await page
    .getByRole('main')
    .locator('li img')
    .nth(MANY - 1)
    .waitFor()
  assert.is(asked, MANY)
})

run()
