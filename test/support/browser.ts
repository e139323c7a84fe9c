import type { BrowserContextOptions, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { findChromium, sharedChromium } from './chromium.js'
import { type Suite, suite } from './suite.js'

/** A page in a browser context of its own, and what it does. */
export interface Watched {
  readonly page: Page
  /** Whatever the page and those that it opened asked for, over any protocol, with headers. */
  readonly requests: readonly string[]
  /** URLs that the page was told to go to, links of any scheme included. */
  readonly navigations: readonly string[]
}

/** What a test in a browser has in its hands. */
export interface Browsing<S> {
  /** What the pages come from. */
  readonly server: S
  newPage(options?: BrowserContextOptions): Promise<Watched>
  /** Fails the test in the end. */
  complain(what: string): void
  /** What the browser reports of requests that fail, status and URL, is no complaint from now on where it matches this. */
  expectFailures(pattern: RegExp): void
}

const TEST_TIMEOUT_MS = 60_000
/** How Chromium begins what it reports of a request that fails. */
const FAILED_REQUEST = 'error: Failed to load resource: '

/**
 * A suite whose tests open pages in a real browser, from a server of the suite. They fail when a page reports anything, breaks
 * its policy or asks somebody something in a dialog; without a browser all are skipped.
 */
export function browserTests<S extends { close(): Promise<void> }>(name: string, start: () => Promise<S>) {
  const test = suite(name)
  const chromium = findChromium()
  if ('missing' in chromium) {
    return {
      test: (title: string, _: (browsing: Browsing<S>) => Promise<void>) => test.skip(title, chromium.missing),
      run: test.run
    }
  }
  return { test: testsIn(test, chromium.path, start), run: test.run }
}

function testsIn<S extends { close(): Promise<void> }>(test: Suite, path: string, start: () => Promise<S>) {
  let server: S
  let chromium: Awaited<ReturnType<typeof sharedChromium>>
  test.before(async () => {
    server = await start()
    chromium = await sharedChromium(path)
  })
  test.after(async () => {
    chromium?.giveBack()
    await server?.close()
  })
  return (title: string, body: (browsing: Browsing<S>) => Promise<void>): void =>
    test(
      title,
      async () => {
        const complaints: string[] = []
        const expected: RegExp[] = []
        const contexts: { close(): Promise<void> }[] = []
        const complain = (what: string) => {
          const failure = what.startsWith(FAILED_REQUEST) ? what.slice(FAILED_REQUEST.length) : null
          if (failure === null || !expected.some((pattern) => pattern.test(failure))) complaints.push(what)
        }
        const newPage = async (options?: BrowserContextOptions) => {
          // What moves is drawn sixty times a second, by the processor: that is more than a third of what the browser takes.
          const still = { timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' } as const
          const context = await chromium.browser.newContext({ ...still, ...options })
          contexts.push(context)
          return watched(await context.newPage(), complain)
        }
        const expectFailures = (pattern: RegExp) => void expected.push(pattern)
        try {
          await body({ server, newPage, complain, expectFailures })
          assert.equal(complaints, [])
        } finally {
          await Promise.all(contexts.map((context) => context.close()))
        }
      },
      { timeout_ms: TEST_TIMEOUT_MS }
    )
}

const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('policy', violatedDirective, blockedURI))`

/** Notes what a page does, and what goes wrong in it. */
async function watched(page: Page, complain: (what: string) => void): Promise<Watched> {
  const [requests, navigations]: [string[], string[]] = [[], []]
  page.on('console', (message) => {
    // What browsers advise, and nobody has said.
    if (message.type() === 'debug') return
    complain(`${message.type()}: ${message.text()} ${message.location().url}`.trim())
  })
  page.on('pageerror', (error) => complain(`${error}`))
  page.on('dialog', (dialog) => {
    complain(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('websocket', (socket) => requests.push(socket.url()))
  page
    .context()
    .on('request', (request) =>
      requests.push(`${request.method()} ${request.url()} ${JSON.stringify(request.headers())} ${request.postData()}`)
    )
  await page.addInitScript({ content: REPORT_VIOLATIONS })
  const session = await page.context().newCDPSession(page)
  await session.send('Page.enable')
  session.on('Page.frameRequestedNavigation', ({ url }) => url !== 'about:blank' && navigations.push(url))
  return { page, requests, navigations }
}
