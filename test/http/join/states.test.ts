import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite } from './browser.js'
import { in_ms, queryOf, SECRET } from './invites.js'

const { test, run } = browserSuite('states of the join page in a browser')

/** Asserts what a visitor sees and can do. */
async function assertState(page: Page, state: 'ready' | 'expired' | 'incomplete'): Promise<void> {
  const ready = state === 'ready'
  assert.is(await page.locator('#expired').isVisible(), state === 'expired', 'expired')
  assert.is(await page.locator('#incomplete').isVisible(), state === 'incomplete', 'incomplete')
  assert.equal([await page.locator('#open').isEnabled(), await page.locator('#copy').isEnabled()], [ready, ready])
  for (const way of ['#open', '#browser'])
    assert.is((await page.locator(way).getAttribute('href')) !== null, ready, way)
}

test('expired when it is opened: said, and nothing to press', async ({ open }) => {
  const { page, navigations } = await open(`/join?${queryOf({ exp: in_ms(-60_000) })}#code=${SECRET}`)
  await assertState(page, 'expired')
  assert.match(
    await page.getByRole('status').first().innerText(),
    /This invitation has expired\.\s+Ask whoever invited/
  )
  assert.match(await page.locator('dd').nth(2).innerText(), 'expired')
  await page.locator('#open').click({ force: true })
  await page.locator('#browser').click({ force: true })
  await page.locator('#copy').click({ force: true })
  assert.equal(navigations, [])
})

test('a page left open expires', async ({ open }) => {
  const { page } = await open(`/join?${queryOf()}#code=${SECRET}`, { stopClock: true })
  await page.clock.runFor('23:00:00')
  await assertState(page, 'ready')
  assert.match(await page.locator('#left').innerText(), /^in (29|30) minutes$/)
  await page.clock.runFor('30:00')
  await assertState(page, 'expired')
})

test('a page whose timers slept notices when somebody comes back to it, or presses the button', async ({ open }) => {
  const script = `window.late_ms = 0; const real = Date.now; Date.now = () => real() + window.late_ms`
  const pressed = (id: string) => `document.getElementById('${id}').click()`
  for (const wake of [`dispatchEvent(new Event('focus'))`, pressed('open'), pressed('browser')]) {
    const { page, navigations } = await open(`/join?${queryOf()}#code=${SECRET}`, { script })
    await page.evaluate('window.late_ms = 86_400_000')
    await assertState(page, 'ready')
    await page.evaluate(wake)
    await assertState(page, 'expired')
    assert.equal(navigations, [])
  }
})

test('a clock that is wrong in the browser changes nothing', async ({ open }) => {
  for (const days of [-2, 2]) {
    const script = `const real = Date.now; Date.now = () => real() + ${days * 86_400_000}`
    const { page, go } = await open(`/join?${queryOf()}#code=${SECRET}`, { script })
    await assertState(page, 'ready')
    assert.is(await page.locator('#left').innerText(), 'in 23 hours')
    await go(`/join?${queryOf({ exp: in_ms(-60_000) })}#code=${SECRET}`)
    await assertState(page, 'expired')
  }
})

test('says how long there is left', async ({ open }) => {
  const { page, go } = await open('/join')
  for (const [duration_s, left] of [
    [45, 'in less than a minute'],
    [90, 'in 1 minute'],
    [119.5 * 60, 'in 119 minutes'],
    [47.5 * 3600, 'in 47 hours'],
    [60.5 * 86_400, 'in 60 days']
  ] as const) {
    await go(`/join?${queryOf({ exp: in_ms(duration_s * 1000) })}#code=${SECRET}`)
    await assertState(page, 'ready')
    assert.is(await page.locator('#left').innerText(), left)
  }
})

test('without a code: said, and nothing to press', async ({ open }) => {
  const { page, go } = await open(`/join?${queryOf()}`)
  await assertState(page, 'incomplete')
  assert.match(await page.getByRole('status').first().innerText(), 'The secret code is missing from this link.')
  for (const fragment of ['', 'code=', 'code', 'secret=x', 'code=hbk_0123456789abcdef', 'code=hbi_12345678']) {
    await go(`/join?${queryOf()}#${fragment}`)
    await assertState(page, 'incomplete')
  }
  for (const fragment of ['code=hbi_123456789', 'a=b&code=hbi_123456789&c']) {
    await go(`/join?${queryOf()}#${fragment}`)
    await assertState(page, 'ready')
  }
})

test('the right link pasted over an incomplete one works at once, and the other way round', async ({ open }) => {
  const { page } = await open(`/join?${queryOf()}`)
  await assertState(page, 'incomplete')
  await page.evaluate(`location.hash = 'code=${SECRET}'`)
  await page.locator('#open[href]').waitFor()
  await assertState(page, 'ready')
  await page.evaluate(`location.hash = ''`)
  await page.locator('#incomplete').waitFor()
  await assertState(page, 'incomplete')
})

test('without JavaScript: the details, a hint, and nothing to press', async ({ open }) => {
  const { page } = await open(`/join?${queryOf()}#code=${SECRET}`, { javaScriptEnabled: false })
  assert.is(await page.locator('noscript .notice').isVisible(), true)
  assert.match(await page.locator('time').innerText(), 'UTC')
  assert.equal([await page.locator('#open').isEnabled(), await page.locator('#copy').isEnabled()], [false, false])
})

run()
