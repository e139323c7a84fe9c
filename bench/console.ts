import type { Browser, Page } from 'playwright-core'
import { BUILT_CONSOLE } from '../src/http/console/files.js'
import { startConsoleHub } from '../test/console/support/hub.js'
import { makeMany, nameOf } from '../test/console/support/many.js'
import { seed } from '../test/console/support/seed.js'
import { findChromium, launchChromium } from '../test/support/chromium.js'
import type { Benchmark, BenchOptions } from './benchmark.js'
import { table } from './support/table.js'

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

/** What people wait for in the console: the first load, and frames while a list of 10,000 requests scrolls. */
export const consoleBenchmark: Benchmark = {
  name: 'console',
  summary: 'the first load of the console, and scrolling 10,000 requests, also in a browser four times as slow',
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
  const lines = [
    ['browser', 'first paint', 'tree', 'collection', 'frame p50', 'p95', 'longest', `over ${LONG_FRAME_MS} ms`]
  ]
  for (const slowness of SLOWNESSES) {
    for (let round = 0; round < options.rounds; round++) {
      options.progress(`${slowness} times as slow, round ${round + 1}`)
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
      const loaded = await load(page, seen)
      const frames = await scroll(page)
      lines.push([`1/${slowness}`, ...[...loaded, ...frames.slice(0, 3)].map(told), String(frames[3])])
      await context.close()
    }
  }
  options.print(`A console of ${REQUESTS * options.scale} requests in one collection\n${table(lines)}`)
}

const told = (milliseconds: number): string => `${milliseconds.toFixed(0)} ms`

/** The moments, from the beginning of the navigation on, at which a page without a cache shows something, the tree, a collection. */
async function load(page: Page, { url, token, collectionId }: Seen): Promise<readonly number[]> {
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
  const tree = await page.evaluate<number>(`shownAt('[role=treeitem]', 'Many')`)
  const collection = await page.evaluate<number>(`shownAt('[role=listitem]', ${JSON.stringify(nameOf(0))})`)
  const paint = await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now()`
  )
  return [paint, tree, collection]
}

/** Scrolls the list of the collection a step a frame: how long half of the frames took, 95 of 100, the longest; how many were long. */
async function scroll(page: Page): Promise<readonly number[]> {
  const frames = await page.evaluate<number[]>(`new Promise((resolve) => {
    const list = document.querySelector('main [role=list]')
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
  const sorted = frames.sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0
  return [at(0.5), at(0.95), at(1), sorted.filter((one) => one > LONG_FRAME_MS).length]
}
