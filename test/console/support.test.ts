import * as assert from 'uvu/assert'
import { axe, inEachColour, onBoth } from './support/looks.js'
import { PRESENT } from './support/seed.js'
import { seededSuite } from './support/seeded.js'
import { STAND_IN } from './support/standIn.js'

const { test, run, team } = seededSuite('what tests of the console stand on', { consoleDirectory: STAND_IN })

test('the seed is three weeks of a team, with a request that one of them has broken', async ({ hub }) => {
  const { mara, grace, refund, payments, deleted } = team
  const path = { id: refund.id }
  const { versions } = (await mara.ask.request('GET', '/requests/{id}/history', { path })).body
  assert.equal(
    versions.map(({ version, by }) => `${version} ${by.name}`),
    ['4 Tomás Ferreira', '3 Mara Lindqvist', '2 Priya Raman', '1 Mara Lindqvist']
  )
  const { url } = (await mara.ask.request('GET', '/requests/{id}', { path })).body
  assert.equal([url, refund.brokenBy, refund.brokenVersion], [refund.brokenUrl, 'Tomás Ferreira', 4])
  const inside = { path: { collectionId: payments } }
  const { requests } = (await mara.ask.request('GET', '/collections/{collectionId}/requests', inside)).body
  const { folders } = (await mara.ask.request('GET', '/collections/{collectionId}/folders', inside)).body
  assert.equal([requests.length, folders.length], [40, 6])
  const gone = (await grace.ask.request('GET', '/admin/deleted')).body.deleted
  assert.equal(gone.map(({ id }) => id).toSorted(), Object.values(deleted).toSorted())
  const audit = (await grace.ask.request('GET', '/admin/audit', { query: { limit: 200 } })).body.entries
  assert.ok(new Set(audit.map(({ at }) => at.slice(0, 10))).size > 5)
  const spent = (await grace.ask.request('GET', '/admin/llm/usage', { query: { by: 'user' } })).body
  assert.is(spent.usage.length, 4)
  assert.is(new Date(hub.clock.now()).toISOString(), PRESENT)
})

test('a page opens signed in, at the size and the time that it is given', async ({ open, hub }) => {
  const page = await open('#/anything', { token: team.priya.token, width: 375, height: 700, colorScheme: 'dark' })
  await page.getByText('Signed in as Priya Raman.').waitFor()
  const seen = `[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches, Date.now(), location.href]`
  assert.equal(await page.evaluate(seen), [375, true, Date.parse(PRESENT), `${hub.url}/console/#/anything`])
})

test('who signs out stays out when the page is loaded again', async ({ open }) => {
  const page = await open('#/', { token: team.priya.token })
  await page.evaluate(`sessionStorage.removeItem('hub.token')`)
  await page.reload()
  await page.getByText('Nobody is signed in.').waitFor()
})

test('the hub can go away under a page, and come back as it was', async ({ open, hub, expectFailures }) => {
  const page = await open('#/', { token: team.mara.token })
  await page.getByText('Signed in as Mara Lindqvist.').waitFor()
  const asking = `fetch('../health').then(({ status }) => status, () => 'nobody')`
  expectFailures(/ERR_CONNECTION_REFUSED .*\/health$/)
  await hub.stop()
  assert.is(await page.evaluate(asking), 'nobody')
  await hub.start()
  assert.is(await page.evaluate(asking), 200)
  await page.reload()
  await page.getByText('Signed in as Mara Lindqvist.').waitFor()
})

test('axe looks at the page, whatever its policy says, and in the dark at its colours', async ({ open }) => {
  const page = await open('#/')
  const faultIn = (media: string) =>
    page.evaluate(`{
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('@media ${media} { h1 { color: #fafafa } }')
      document.adoptedStyleSheets = [sheet]
    }`)
  const found = () => inEachColour(page, (colour) => axe(page, colour)).then(String, String)
  assert.is(await found(), 'undefined')
  for (const media of ['(prefers-color-scheme: dark)', 'screen']) {
    await faultIn(media)
    assert.match(await found(), /color-contrast/)
    await page.emulateMedia({ colorScheme: 'light' })
  }
  const show = (colour: string) =>
    page.evaluate(`{
      const dialog = document.createElement('dialog')
      dialog.append('before it')
      dialog.style.cssText = 'background: #fff; color: ${colour}'
      document.body.append(dialog)
      dialog.showModal()
    }`)
  await show('#000')
  assert.is(await found(), 'undefined', 'nobody comes to what is behind a dialog')
  await show('#fafafa')
  assert.match(await found(), /color-contrast/)
})

test('a page is looked at in the light and in the dark, on a phone in the light, and then is as it was', async ({
  open
}) => {
  const page = await open('#/')
  const media = ['(prefers-color-scheme: dark)', '(pointer: coarse)', '(max-width: 375px)']
  const now = () => page.evaluate(`${JSON.stringify(media)}.map((one) => matchMedia(one).matches)`)
  const seen: unknown[] = []
  await onBoth(page, (on) => inEachColour(page, async (colour) => void seen.push([on + colour, await now()])))
  const usual = [false, false, false]
  assert.equal(seen, [
    ['', usual],
    ['-dark', [true, false, false]],
    ['-phone', [false, true, true]]
  ])
  assert.equal(await now(), usual)
})

run()
