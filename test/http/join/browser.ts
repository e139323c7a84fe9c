import type { BrowserContextOptions } from 'playwright-core'
import { browserTests, type Watched } from '../../support/browser.js'
import { type JoinServer, startJoinServer } from './server.js'

export interface Visit extends Watched {
  /** Leaves the page for this one of the hub. */
  go(path: string): Promise<void>
}

export interface VisitOptions extends BrowserContextOptions {
  /** A host name other than the loopback address, for an origin that is not secure. */
  readonly host?: string
  /** Runs in the page before its own script. */
  readonly script?: string
  /** Time passes in the page as the test lets it. */
  readonly stopClock?: boolean
}

export type Open = (path: string, options?: VisitOptions) => Promise<Visit>

/** What a test has in its hands: a way to open pages, and the server that they come from. */
export interface Tools {
  readonly open: Open
  readonly server: JoinServer
}

/** A suite whose tests open the page of an invitation in a real browser. */
export function browserSuite(name: string) {
  const { test, run } = browserTests(name, startJoinServer)
  return {
    test: (title: string, body: (tools: Tools) => Promise<void>): void =>
      test(title, ({ server, newPage }) => {
        const open: Open = async (path, { host = '127.0.0.1', script, stopClock, ...options } = {}) => {
          const visit = await newPage(options)
          const { page } = visit
          const go = async (to: string) => {
            // Between addresses that differ in the fragment alone the browser would keep the page.
            await page.goto('about:blank')
            await page.goto(`http://${host}:${server.port}${to}`)
          }
          if (script !== undefined) await page.addInitScript({ content: script })
          if (stopClock) await page.clock.install()
          await go(path)
          return { ...visit, go }
        }
        return body({ open, server })
      }),
    run
  }
}
