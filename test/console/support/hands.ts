import type { Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'

/** How somebody works with a page: by keyboard alone, or with a finger. */
export interface Hands {
  /** Presses a button, follows a link, ticks a box. */
  use(what: Locator): Promise<void>
  /** Types over all that is in a field. */
  type(field: Locator, text: string): Promise<void>
  /** Chooses one of a list by its label. */
  choose(list: Locator, label: string): Promise<void>
}

/** Tab reaches everything that can be focused and is part of the order of the page, so that is what is asked of it. */
async function reach(what: Locator): Promise<void> {
  const isReached = async () => {
    await what.focus()
    return what.evaluate((element) => {
      const { tabIndex, isContentEditable } = element as unknown as {
        readonly tabIndex: number
        readonly isContentEditable: boolean
      }
      const root = element.getRootNode() as unknown as { readonly activeElement: unknown }
      return (tabIndex >= 0 || isContentEditable) && root.activeElement === element
    })
  }
  // A field may give way to an editor meanwhile, and a button waits for what it is about.
  for (let tries = 0; tries < 100; tries++) {
    if (await isReached()) return
    await what.page().waitForTimeout(100)
  }
  assert.unreachable(`${what} cannot be reached by keyboard`)
}

/** Keys alone. */
export function keys(page: Page): Hands {
  const { keyboard } = page
  return {
    async use(what) {
      await reach(what)
      const isBox = (await what.getAttribute('type')) === 'checkbox'
      // On it, whatever has taken the focus since.
      await what.press(isBox ? 'Space' : 'Enter')
    },
    async type(field, text) {
      await reach(field)
      await keyboard.press('Control+a')
      await keyboard.insertText(text)
    },
    async choose(list, label) {
      await reach(list)
      await keyboard.type(label)
    }
  }
}

/** A finger, and the keyboard that the phone shows. */
export function finger(page: Page): Hands {
  return {
    use: (what) => what.tap(),
    async type(field, text) {
      await field.tap()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(text)
    },
    choose: async (list, label) => void (await list.selectOption({ label }))
  }
}
