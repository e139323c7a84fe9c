import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

export type Chromium = { readonly path: string } | { readonly missing: string }

/** The first has the engine of the others and no window, for which they take most of their time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** The browser that HUB_TEST_CHROMIUM names, else the first on the path; or the reason why there is none. */
export function findChromium(environment: Readonly<Record<string, string | undefined>> = process.env): Chromium {
  const { HUB_TEST_CHROMIUM: given, PATH = '' } = environment
  if (given !== undefined && given !== '') {
    return isExecutable(given) ? { path: given } : { missing: `HUB_TEST_CHROMIUM=${given} is not an executable file` }
  }
  const path = firstOnPath(NAMES, PATH)
  return path === undefined ? { missing: `no HUB_TEST_CHROMIUM, and no ${NAMES.join(', ')} on the path` } : { path }
}

/** Where the first of these programs is that the path leads to. */
export function firstOnPath(names: readonly string[], path = process.env.PATH ?? ''): string | undefined {
  const directories = path.split(delimiter).filter((directory) => directory !== '')
  return names.flatMap((name) => directories.map((directory) => join(directory, name))).find(isExecutable)
}

// Nothing that the browser does by itself may mix with what the page does.
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // No page lives long enough for what optimizing its code costs.
  '--js-flags=--no-opt --no-maglev'
]

/** Starts the browser with a new profile, which is deleted when it closes. */
export function launchChromium(path: string, more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: path, args: [...ARGUMENTS, ...more] })
}

/** As long as the next file of a process may take to begin. */
const KEPT_MS = 2000
let shared: Promise<Browser> | null = null
let users = 0
let closing: NodeJS.Timeout | undefined

/**
 * A browser that all suites of a process share, since it takes a second of a processor to start one: each opens contexts of its own.
 * Whoever gives theirs back has closed them. It is closed once nobody has had it for two seconds. Every name leads to this machine, so
 * that no request of a page could leave it.
 */
export async function sharedChromium(path: string): Promise<{ readonly browser: Browser; giveBack(): void }> {
  clearTimeout(closing)
  users++
  shared ??= launchChromium(path, ['--host-resolver-rules=MAP * 127.0.0.1'])
  const browser = await shared
  return {
    browser,
    giveBack() {
      if (--users > 0) return
      closing = setTimeout(() => {
        shared = null
        void browser.close()
      }, KEPT_MS)
    }
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
