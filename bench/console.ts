import type { Browser, Page } from 'playwright-core'
import { BUILT_CONSOLE } from '../src/http/console/files.js'
import { startConsoleHub } from '../test/console/support/hub.js'
import { makeMany, nameOf } from '../test/console/support/many.js'
import { seed } from '../test/console/support/seed.js'
import { findChromium, launchChromium } from '../test/support/chromium.js'
import type { Benchmark, BenchOptions } from './benchmark.js'
import { table } from './support/table.js'
import { within } from './support/times.js'

const REQUESTS = 10_000
/** How much slower than this machine the browser is made to be. */
const SLOWNESSES = [1, 4] as const
const FRAMES = 300
const STEP_PX = 900
const LONG_FRAME_MS = 50
const PATIENCE_MS = 60_000

interface Seen {
  readonly url: string
  readonly token: string
  readonly collectionId: string
}

/** What people wait for in the console: the first load, and frames while the tree and a list of 10,000 requests scroll. */
export const consoleBenchmark: Benchmark = {
  name: 'console',
  summary:
    'the first load of the console, and scrolling 10,000 requests in tree and list, also in a browser four times as slow',
  async run(options) {
    const chromium = findChromium()
    if ('missing' in chromium) throw new Error(`This benchmark wants a browser: ${chromium.missing}.`)
    const hub = await startConsoleHub({ consoleDirectory: BUILT_CONSOLE })
    const browser = await launchChromium(chromium.path)
    try {
      const team = await seed(hub)
      const collectionId = await makeMany(team.mara.ask, 'Many', Math.round(REQUESTS * options.scale))
      await measure(browser, { url: hub.url, token: team.mara.token, collectionId }, options)
    } finally {
      await browser.close()
      await hub.close()
    }
  }
}

async function measure(browser: Browser, seen: Seen, options: BenchOptions): Promise<void> {
  const lines = [['browser', 'first paint', 'of', 'shown', 'frame p50', 'p95', 'longest', `over ${LONG_FRAME_MS} ms`]]
  for (const slowness of SLOWNESSES) {
    for (let round = 0; round < options.rounds; round++) {
      options.progress(`${slowness} times as slow, round ${round + 1}`)
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
      const { paint, shown } = await load(page, seen)
      for (const [at, { name, place }] of LISTS.entries()) {
        const [p50 = 0, p95 = 0, longest = 0, long = 0] = await scroll(page, place)
        const times = [shown[at] ?? 0, p50, p95, longest].map(told)
        lines.push([`1/${slowness}`, told(paint), name, ...times, String(long)])
      }
      await context.close()
    }
  }
  options.print(`A console of ${REQUESTS * options.scale} requests in one collection\n${table(lines)}`)
}

const told = (milliseconds: number): string => `${milliseconds.toFixed(0)} ms`

/** What has a row for each request, with the role of the rows. */
const LISTS = [
  { name: 'tree', place: '[role=tree]', role: 'treeitem' },
  { name: 'list', place: 'main [role=list]', role: 'listitem' }
] as const

/**
 * The moments, from the beginning of the navigation on, at which a page without a cache shows something, and the first request in
 * each of the lists.
 */
async function load(page: Page, { url, token, collectionId }: Seen) {
  await page.addInitScript({
    content: `if (location.origin === ${JSON.stringify(url)}) sessionStorage.setItem('hub.token', ${JSON.stringify(token)})
      globalThis.shownAt = (selector, text) => new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error('Nothing shows ' + text + '.')), ${PATIENCE_MS})
        const look = () => [...document.querySelectorAll(selector)].some((one) => one.textContent.includes(text))
          ? resolve(performance.now()) : requestAnimationFrame(look)
        look()
      })`
  })
  await page.goto(`${url}/console/#/collections/${collectionId}`, { waitUntil: 'commit' })
  const first = JSON.stringify(nameOf(0))
  const shown = await Promise.all(
    LISTS.map(({ place, role }) => page.evaluate<number>(`shownAt('${place} [role=${role}]', ${first})`))
  )
  const paint = await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now()`
  )
  return { paint, shown }
}

/** Scrolls a list a step a frame: how long half of the frames took, 95 of 100, the longest; how many were long. */
async function scroll(page: Page, place: string): Promise<readonly number[]> {
  const frames = await page.evaluate<number[]>(`new Promise((resolve) => {
    const list = document.querySelector('${place}')
    const frames = []
    let last = performance.now()
    const step = () => {
      const now = performance.now()
      frames.push(now - last)
      last = now
      list.scrollBy(0, ${STEP_PX})
      frames.length < ${FRAMES} ? requestAnimationFrame(step) : resolve(frames)
    }
    requestAnimationFrame(step)
  })`)
  const long = frames.filter((one) => one > LONG_FRAME_MS).length
  return [within(frames, 0.5), within(frames, 0.95), within(frames, 1), long]
}
