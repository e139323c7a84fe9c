import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'

/** What is said to who leaves something that is shown once without having copied it. */
export const warning = (page: Page) => page.getByText('It has not been copied', { exact: false })

/** Leaves it behind all the same. */
export async function leaveUncopied(page: Page): Promise<void> {
  const done = page.getByRole('button', { name: 'Done' })
  await done.click()
  await warning(page).waitFor()
  await done.click()
}

/** Asserts that the browser asks before the page is loaded anew, and stays on it. */
export async function asksBeforeReload(page: Page): Promise<void> {
  page.removeAllListeners('dialog')
  const asked = page.waitForEvent('dialog')
  await page.evaluate('void setTimeout(() => location.reload())')
  const dialog = await asked
  assert.is(dialog.type(), 'beforeunload')
  await dialog.dismiss()
}
