import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { findChromium, launchChromium } from '../../support/chromium.js'
import { type Suite, suite } from '../../support/suite.js'
import { type JoinServer, startJoinServer } from './server.js'

/** A page in a browser context of its own. */
export interface Visit {
  readonly page: Page
  /** Leaves the page for this one of the hub. */
  go(path: string): Promise<void>
  /** Whatever the page and those that it opened asked for, over any protocol, with headers. */
  readonly requests: readonly string[]
  /** URLs that the page was told to go to, links of any scheme included. */
  readonly navigations: readonly string[]
}

export interface VisitOptions extends BrowserContextOptions {
  /** A host name other than the loopback address, for an origin that is not secure. */
  readonly host?: string
  /** Runs in the page before its own script. */
  readonly script?: string
  /** Time passes in the page as the test lets it. */
  readonly stopClock?: boolean
}

const TEST_TIMEOUT_MS = 60_000

export type Open = (path: string, options?: VisitOptions) => Promise<Visit>

/** What a test has in its hands: a way to open pages, and the server that they come from. */
export interface Tools {
  readonly open: Open
  readonly server: JoinServer
}

/** A suite whose tests open pages in a real browser. They fail when a page reports an error; without a browser all are skipped. */
export function browserSuite(name: string) {
  const test = suite(name)
  const chromium = findChromium()
  if ('missing' in chromium) {
    return {
      test: (title: string, _: (tools: Tools) => Promise<void>) => test.skip(title, chromium.missing),
      run: test.run
    }
  }
  return { test: testsIn(test, chromium.path), run: test.run }
}

function testsIn(test: Suite, path: string) {
  let server: JoinServer
  let browser: Browser
  test.before(async () => {
    server = await startJoinServer()
    // Every name leads here, so that no request of the page could leave the machine.
    browser = await launchChromium(path, ['--host-resolver-rules=MAP * 127.0.0.1'])
  })
  test.after(async () => {
    await browser?.close()
    await server?.close()
  })
  return (title: string, body: (tools: Tools) => Promise<void>): void =>
    test(
      title,
      async () => {
        const complaints: string[] = []
        const contexts: { close(): Promise<void> }[] = []
        const open: Open = async (path, { host = '127.0.0.1', script, stopClock, ...options } = {}) => {
          const context = await browser.newContext({ timezoneId: 'Europe/Berlin', ...options })
          contexts.push(context)
          const page = await context.newPage()
          const go = async (to: string) => {
            // Between addresses that differ in the fragment alone the browser would keep the page.
            await page.goto('about:blank')
            await page.goto(`http://${host}:${server.port}${to}`)
          }
          const visit = await watched(page, complaints)
          if (script !== undefined) await page.addInitScript({ content: script })
          if (stopClock) await page.clock.install()
          await go(path)
          return { page, go, ...visit }
        }
        try {
          await body({ open, server })
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
async function watched(page: Page, complaints: string[]): Promise<Pick<Visit, 'requests' | 'navigations'>> {
  const [requests, navigations]: [string[], string[]] = [[], []]
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(`${error}`))
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`))
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
  return { requests, navigations }
}
