import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryDirectory } from '../test/support/databases.js'
import type { Benchmark, BenchOptions } from './benchmark.js'
import { requestContent } from './http/content.js'
import { configure, HUB, HUB_FLAGS } from './large/commands.js'
import { requestId, type Sizes, seedLarge, USUAL } from './large/seed.js'
import { type Ask, asker } from './support/ask.js'
import { onEachSetting, type Setting } from './support/setting.js'
import { table } from './support/table.js'
import { within } from './support/times.js'

const SIZES: Sizes = { collections: 60, requests: 1000, long: 200, events: 3000, users: 2 }
/** A steady load, far from the most that a hub takes. */
const PER_SECOND = 20
/** The curve has so many points. */
const STRETCHES = 60
const MB = 1024 * 1024

/** A hub under a steady load for long: whether memory, handles and latency stay where they are. */
export const soakBenchmark: Benchmark = {
  name: 'soak',
  summary: 'a steady load for --seconds (3600 for the hour): memory, handles and latency, in sixty stretches',
  run: (options) => onEachSetting(options, (setting) => soak(setting, options))
}

interface Point {
  readonly rss_mb: number
  readonly handles: number
  readonly median_ms: number
  readonly p99_ms: number
}

async function soak(setting: Setting, options: BenchOptions): Promise<void> {
  const directory = await temporaryDirectory()
  const { secret } = await seedLarge(setting.config, SIZES)
  const { file, port } = await configure(setting.config, directory.path)
  const child = spawn(process.execPath, [...HUB_FLAGS, HUB, '-c', file, 'start'], {
    stdio: 'ignore',
    signal: options.signal
  })
  const ended = once(child, 'exit')
  const agent = new Agent({ keepAlive: true })
  try {
    const { ask } = asker(port, agent)
    const session = { kind: 'get', method: 'GET', path: '/auth/session', secret } as const
    while (child.exitCode === null && !(await ask(session).catch(() => null))) await sleep(50)
    const points: Point[] = []
    for (let stretch = 0; stretch < STRETCHES; stretch++) {
      const latencies = await loaded(ask, secret, options.seconds / STRETCHES)
      points.push({ ...stateOf(child.pid), ...latencies })
      options.progress(`${setting.driver}: ${stretch + 1} of ${STRETCHES}`)
    }
    options.print(`${setting.description}, ${options.seconds} s at ${PER_SECOND} requests a second\n`)
    options.print(table(linesOf(points)))
  } finally {
    agent.destroy()
    child.kill()
    await ended
    await directory.remove()
  }
}

/** Sessions, lists, searches and saves, one after another at their times. */
async function loaded(ask: Ask, secret: string, seconds: number): Promise<Pick<Point, 'median_ms' | 'p99_ms'>> {
  const latencies: number[] = []
  const end = performance.now() + seconds * 1000
  for (let number = 0; performance.now() < end; number++) {
    const begun = performance.now()
    await ask(requestOf(number, secret))
    latencies.push(performance.now() - begun)
    await sleep(Math.max(0, 1000 / PER_SECOND - (performance.now() - begun)))
  }
  return { median_ms: within(latencies, 0.5), p99_ms: within(latencies, 0.99) }
}

function requestOf(number: number, secret: string) {
  const get = (path: string) => ({ kind: 'get', method: 'GET', path, secret }) as const
  switch (number % 4) {
    case 0:
      return get('/auth/session')
    case 1:
      return get(`/collections/${USUAL}/requests`)
    case 2:
      return get(`/search?q=request%20${number % 100}`)
    default: {
      const body = { ...requestContent(number), collectionId: USUAL, folderId: null }
      return {
        kind: 'put',
        method: 'PUT',
        path: `/requests/${requestId(SIZES.long + (number % 100))}`,
        secret,
        body
      } as const
    }
  }
}

function stateOf(pid = 0): Pick<Point, 'rss_mb' | 'handles'> {
  const [, kb] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { rss_mb: (Number(kb ?? 0) * 1024) / MB, handles: readdirSync(`/proc/${pid}/fd`).length }
}

/** Means of tenths of the time. */
function linesOf(points: readonly Point[]) {
  const size = Math.ceil(points.length / 10)
  const mean = (some: readonly Point[], of: keyof Point) => some.reduce((sum, one) => sum + one[of], 0) / some.length
  const tenths = Array.from({ length: 10 }, (_, i) => points.slice(i * size, (i + 1) * size)).filter(
    (some) => some.length > 0
  )
  return [
    ['tenth', 'MB', 'handles', 'median ms', 'p99 ms'],
    ...tenths.map((some, i) => [
      String(i + 1),
      mean(some, 'rss_mb').toFixed(0),
      mean(some, 'handles').toFixed(1),
      mean(some, 'median_ms').toFixed(2),
      mean(some, 'p99_ms').toFixed(2)
    ])
  ]
}
