import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CDPSession, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { z } from 'zod'

/** What people look at a page on: a wide screen, a phone. */
export const LOOKS = [
  ['', {}],
  ['-phone', { width: 375, height: 800, hasTouch: true }]
] as const

const PHONE_PIXELS = 480

/**
 * Looks at a page on the wide screen that it was opened on, and at the same page on a phone, where `on` is `-phone`: less than to come
 * there a second time, and the style sheet is what differs.
 */
export async function onBoth(page: Page, look: (on: string) => Promise<void>): Promise<void> {
  await look('')
  const size = page.viewportSize()
  const phone = await page.context().newCDPSession(page)
  await page.setViewportSize({ width: 375, height: 800 })
  await phone.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  await look('-phone')
  await phone.send('Emulation.setTouchEmulationEnabled', { enabled: false })
  await phone.detach()
  if (size) await page.setViewportSize(size)
}

/** `looksWell` on both. */
export function looksWellOnBoth(page: Page, name: string): Promise<void> {
  return onBoth(page, (on) => looksWell(page, `${name}${on}`))
}

/** What of a page, of its scrolling part or of a dialog is wider than its place. */
const TOO_WIDE = `[...document.querySelectorAll(':root, #content, dialog[open] > div')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ tagName }) => tagName)`

/**
 * Asserts that a page fits its window and that anybody can use it, on a wide screen in the dark too; takes the pictures of this name
 * where pictures are asked for.
 */
export async function looksWell(page: Page, name: string): Promise<void> {
  assert.equal(await page.evaluate(TOO_WIDE), [], name)
  await inEachColour(page, async (colour) => {
    await axe(page, colour)
    await screenshot(page, `${name}${colour}`)
    await picture(page, `${name}${colour}`)
  })
}

/**
 * Looks at a page as it is by day and, on a wide screen, in the dark, where `colour` is `-dark`. Nothing but colours goes by that: the
 * style sheet has two of each.
 */
export async function inEachColour(page: Page, look: (colour: string) => Promise<void>): Promise<void> {
  await look('')
  if ((page.viewportSize()?.width ?? 0) < PHONE_PIXELS) return
  await page.emulateMedia({ colorScheme: 'dark' })
  await look('-dark')
  await page.emulateMedia({ colorScheme: 'light' })
}

/** What has to hold: WCAG 2.2 at level AA, with all that came before. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Those of them that go by colours: in the dark nothing else is otherwise. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** Nothing of the console plays anything, so no media are loaded before. */
const checking = (rules: readonly string[]) =>
  `axe.run([...document.querySelectorAll('dialog:modal')].at(-1) ?? document, {
    runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'], preload: false
  }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html.slice(0, 300), failureSummary].join('\\n'))))`

const texts = z.array(z.string())

/** Of each page that axe has looked at: what asks the browser for the world that it looks from. */
const sessions = new WeakMap<Page, Promise<CDPSession>>()
let source: Promise<string> | undefined

/**
 * Asserts that axe finds nothing that keeps people from using the page as it is now, or the dialog before it, behind which nobody
 * comes; `colour` is that of `inEachColour`. It looks from a world of its own beside the page's scripts, which the policy of the page
 * does not reach. A document has one for as long as it is there: to read axe takes the browser as long as to run it.
 */
export async function axe(page: Page, colour = ''): Promise<void> {
  const asked = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, asked)
  const session = await asked
  const { frameTree } = await session.send('Page.getFrameTree')
  const world = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'axe' })
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      ...{ expression, contextId: world.executionContextId, awaitPromise: true, returnByValue: true }
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }
  if ((await evaluate('typeof axe')) === 'undefined') {
    source ??= readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
    await evaluate(`${await source}; undefined`)
  }
  const found = texts.parse(await evaluate(checking(colour === '' ? RULES : RULES_OF_COLOURS)))
  assert.is(found.length, 0, found.join('\n\n'))
}

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
