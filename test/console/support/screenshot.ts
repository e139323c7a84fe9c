import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

// From dist/test/console/support to the pages of the project.
const PLACE = new URL('../../../../docs/console/', import.meta.url)

/** Writes `docs/console/NAME.png` where HUB_SCREENSHOTS=1 asks for pictures; else a run of the tests changes no file. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (process.env.HUB_SCREENSHOTS !== '1') return
  const path = fileURLToPath(new URL(`${name}.png`, PLACE))
  await mkdir(dirname(path), { recursive: true })
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
}

/** Writes `NAME.png` to the folder that HUB_PICTURES names, if it names one: pictures for whoever looks at a change. */
export async function picture(page: Page, name: string): Promise<void> {
  const { HUB_PICTURES: folder } = process.env
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', caret: 'hide' })
}
