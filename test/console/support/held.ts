import type { Page } from 'playwright-core'

/** Holds the requests of a page to addresses like `url` that are made by a method, until what this resolves to is called. */
export async function holdRequests(page: Page, url: string, method: string): Promise<() => void> {
  let go = () => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  await page.route(url, async (route) => {
    if (route.request().method() === method) await held
    await route.continue()
  })
  return () => go()
}
