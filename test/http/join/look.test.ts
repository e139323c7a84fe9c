import * as assert from 'uvu/assert'
import { axe } from '../../console/support/looks.js'
import { browserSuite } from './browser.js'
import { in_ms, queryOf, SECRET } from './invites.js'

const { test, run } = browserSuite('the look of the join page')
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3)

/** A script for a page: the elements that reach out of a window of this width, or whose content reaches out of them. */
const outside = (width: number) => `[...document.querySelectorAll('body *:not(.unseen)')].filter((element) => {
  const { left, right } = element.getBoundingClientRect()
  const overflows = element.clientWidth > 0 && element.scrollWidth > element.clientWidth
  return left < 0 || right > ${width} || overflows
}).map((element) => element.outerHTML.slice(0, 80))`

const states = {
  ready: `/join?${queryOf()}#code=${SECRET}`,
  expired: `/join?${queryOf({ exp: in_ms(-60_000) })}#code=${SECRET}`,
  incomplete: `/join?${queryOf()}`,
  invalid: '/join'
}
const long = `/join?${queryOf({ name: LONG, hub: LONG, access: LONG, url: `https://${LONG}/${LONG}` })}#code=${SECRET}`

for (const isMobile of [true, false]) {
  test(`320 pixels of a ${isMobile ? 'phone' : 'window'} cut nothing off and need no scrolling sideways`, async ({
    open
  }) => {
    const { page, go } = await open('/join', { viewport: { width: 320, height: 640 }, isMobile, hasTouch: isMobile })
    for (const path of [...Object.values(states), long]) {
      await go(path)
      assert.equal(await page.evaluate(outside(320)), [])
      assert.equal(await page.evaluate('[innerWidth, document.documentElement.scrollWidth]'), [320, 320])
    }
  })
}

test('in the colours that the visitor prefers every text stands out, and nothing hinders who cannot see it', async ({
  open
}) => {
  const brightness = `getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number).reduce((a, b) => a + b)`
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, go } = await open('/join', { colorScheme })
    assert.is(Number(await page.evaluate(brightness)) > 375, colorScheme === 'light')
    for (const path of Object.values(states)) {
      await go(path)
      await axe(page)
    }
  }
})

test('nothing moves for those who want less motion', async ({ open }) => {
  const durations = `[...document.querySelectorAll('*')].map((element) => getComputedStyle(element))
    .filter((style) => parseFloat(style.transitionDuration) > 0 || style.animationName !== 'none').length`
  const { page } = await open(states.ready, { reducedMotion: 'reduce' })
  assert.is(await page.evaluate(durations), 0)
})

test('the keyboard reaches what can be pressed, in the order of the page, and shows where it is', async ({ open }) => {
  const { page } = await open(states.ready)
  const focused = `(() => {
    const { activeElement } = document
    return [activeElement.innerText.split(/\\s\\(/)[0], getComputedStyle(activeElement).outlineStyle]
  })()`
  for (const label of ['Open in HarborClient', 'Open in the browser', 'Copy link', 'Get HarborClient']) {
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(focused), [label, 'solid'])
  }
})

test('a screen reader hears landmarks, headings, labels and states', async ({ open }) => {
  const { page } = await open(states.incomplete)
  const heard = await page.locator('body').ariaSnapshot()
  for (const line of [
    /- main:/,
    /- heading "You’re invited to Analytical Engines" \[level=1\]/,
    /- region "Invitation details":/,
    /- heading "Invitation details" \[level=2\]/,
    /- status:\s+- paragraph:\s+- strong: The secret code is missing from this link\./,
    /- term: Invited as\s+- definition: Ada Lovelace/,
    /- link "Open in HarborClient" \[disabled\]/,
    /- link "Open in the browser" \[disabled\]/,
    /- button "Copy link" \[disabled\]/,
    /- link "Get HarborClient \(opens in a new tab\)"/
  ]) {
    assert.match(heard, line)
  }
  assert.is(await page.locator('html').getAttribute('lang'), 'en')
})

test('a touch screen is told that the client runs on a computer', async ({ open }) => {
  for (const isMobile of [true, false]) {
    const { page } = await open(states.ready, { isMobile, hasTouch: isMobile })
    assert.is(await page.getByText('HarborClient runs on a computer').isVisible(), isMobile)
  }
})

run()
