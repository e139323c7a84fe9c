import type { Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'

/** What has the focus, as people read it: the name of a button or link, the label of a field. */
const FOCUSED = `(() => {
  const at = document.activeElement
  const text = at?.getAttribute('aria-label') ?? at?.labels?.[0]?.textContent ?? at?.textContent ?? ''
  return text.replace(/\\s+/g, ' ').trim()
})()`
const TABS_MOST = 80

/** Presses a key until something is there: a page that has just appeared may not hear keys yet. */
export async function pressUntil(page: Page, key: string, what: Locator): Promise<void> {
  for (let tries = 0; tries < 20 && !(await what.isVisible()); tries++) {
    await page.keyboard.press(key)
    await what.waitFor({ timeout: 100 }).catch(() => {})
  }
}

/** Presses Tab until what is named so has the focus. Fails where that is not to be reached. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let i = 0; i < TABS_MOST; i++) {
    await page.keyboard.press('Tab')
    const focused = String(await page.evaluate(FOCUSED))
    if (typeof name === 'string' ? focused === name : name.test(focused)) return
    passed.push(focused)
  }
  assert.unreachable(`Tab does not reach ${name}, only: ${passed.join(', ')}`)
}
