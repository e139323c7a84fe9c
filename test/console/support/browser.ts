import type { BrowserContextOptions, Page } from 'playwright-core'
import { BUILT_CONSOLE } from '../../../src/http/console/files.js'
import type { HubOptions } from '../../http/support.js'
import { type Browsing, browserTests } from '../../support/browser.js'
import { type ConsoleHub, startConsoleHub } from './hub.js'

export interface OpenOptions extends Omit<BrowserContextOptions, 'viewport'> {
  /** The secret of a token that the tab has signed in with; nobody is signed in without. */
  readonly token?: string
  /** Of the window, in pixels: 1440 by 900 by default. */
  readonly width?: number
  readonly height?: number
  /** By how many minutes the clock of the browser is ahead of the hub's: by none by default. */
  readonly ahead?: number
}

/** What a test of the console has in its hands. */
export interface Tools extends Pick<Browsing<ConsoleHub>, 'expectFailures'> {
  readonly hub: ConsoleHub
  /**
   * Opens a page in a browser context of its own: `#/…` is a route of the console, `/…` a path of the hub, which `page.goto` takes
   * too. The time in it is that of the hub when it is opened. The test fails where the page reports an error, breaks its policy,
   * shows a dialog of the browser, or asks another origin for anything; and where a request of it fails, unless it was said to
   * with `expectFailures`.
   */
  open(path: string, options?: OpenOptions): Promise<Page>
}

/**
 * A suite whose tests look at the console in a real browser, from a hub of its own, which `start` starts; `begin` fills that. Without
 * a browser all are skipped.
 */
export function browserSuite(
  name: string,
  begin: (hub: ConsoleHub) => unknown = () => {},
  options: HubOptions = {},
  start: (options: HubOptions) => Promise<ConsoleHub> = startConsoleHub
) {
  const { test, run } = browserTests(name, async () => {
    const hub = await start({ consoleDirectory: BUILT_CONSOLE, ...options })
    try {
      await begin(hub)
      return hub
    } catch (error) {
      await hub.close()
      throw error
    }
  })
  return {
    test: (title: string, body: (tools: Tools) => Promise<void>): void =>
      test(title, (browsing) => {
        const { server: hub, expectFailures } = browsing
        return body({ hub, expectFailures, open: (path, options) => opened(browsing, path, options) })
      }),
    run
  }
}

async function opened(
  { server: hub, newPage, complain }: Browsing<ConsoleHub>,
  path: string,
  { token, width = 1440, height = 900, ahead = 0, ...options }: OpenOptions = {}
): Promise<Page> {
  const { page } = await newPage({
    baseURL: `${hub.url}/console/`,
    locale: 'en-GB',
    viewport: { width, height },
    ...options
  })
  page.context().on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== hub.url && protocol !== 'data:' && protocol !== 'blob:') complain(`elsewhere: ${request.url()}`)
  })
  await page.addInitScript({ content: stopTime(hub.clock.now(), ahead * 60_000) })
  if (token !== undefined) await page.addInitScript({ content: signIn(hub.url, token) })
  await page.goto(path)
  return page
}

/**
 * Makes it always the same time, and leaves timers and measurements as they are, which `page.clock` would not. Answers are from the time
 * of the hub, whose server goes by another clock.
 */
function stopTime(ofHub: number, ahead_ms: number): string {
  const now = ofHub + ahead_ms
  return `globalThis.Date = class extends Date {
    constructor(...given) { super(...(given.length === 0 ? [${now}] : given)) }
    static now() { return ${now} }
  }
  const get = Headers.prototype.get
  Headers.prototype.get = function (name) {
    return name === 'date' ? ${JSON.stringify(new Date(ofHub).toUTCString())} : get.call(this, name)
  }`
}

/** Puts a token where the console keeps it; once, so that who signs out stays out. */
function signIn(origin: string, token: string): string {
  const once = `sessionStorage.getItem('test.given') === null`
  const give = `sessionStorage.setItem('test.given', ''); sessionStorage.setItem('hub.token', ${JSON.stringify(token)})`
  return `if (location.origin === ${JSON.stringify(origin)} && ${once}) { ${give} }`
}
