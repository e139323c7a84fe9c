import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStorage } from '../src/app/databases.js'
import { openReadyLedger } from '../src/app/hub.js'
import { migrateDatabase } from '../src/app/start.js'
import type { HubConfig } from '../src/config/types.js'
import type { Benchmark, BenchOptions } from './benchmark.js'
import { createUser } from './http/seed.js'
import { callText, stepText } from './llm/body.js'
import { driveChats } from './llm/chats.js'
import { type Child, startChild, type Usage } from './support/child.js'
import { defaultDriver, openSetting } from './support/setting.js'
import { table } from './support/table.js'
import { median, timed, within } from './support/times.js'

const BODY_BYTES = 75_000
const WRITES = 50
const WRITE_PAUSE_MS = 50

interface Level {
  readonly chats: number
  /** Steps of each chat in one round. */
  readonly steps: number
  readonly thinking_ms: number
  /** What p50 and p99 should stay under; null where nobody has said. */
  readonly target: readonly [p50_ms: number, p99_ms: number] | null
}

const LEVELS: readonly Level[] = [
  { chats: 1, steps: 300, thinking_ms: 0, target: [1.5, 10] },
  { chats: 1, steps: 20, thinking_ms: 100, target: [2, 10] },
  { chats: 32, steps: 3, thinking_ms: 1000, target: [2, 10] },
  { chats: 256, steps: 1, thinking_ms: 2000, target: null }
]

/** A hub that has run for a while: the engine compiles what has run often. */
const WARM_UP: Level = { chats: 8, steps: 250, thinking_ms: 0, target: null }

interface Way {
  readonly name: string
  readonly path: string
  readonly stream: boolean
  readonly body: (model: string, stream: boolean) => string
}

const step = (model: string, stream: boolean) => stepText(model, BODY_BYTES, stream)
const v1 = { path: '/v1/chat/completions', body: callText }
/** Steps of a desktop's chat, whose bodies are large, and calls of another program, whose bodies are small. */
const WAYS: readonly Way[] = [
  { name: 'step', path: '/llm/chat/step', stream: false, body: step },
  { name: 'stream', path: '/llm/chat/stream', stream: true, body: step },
  { name: 'v1', ...v1, stream: false },
  { name: 'v1-stream', ...v1, stream: true }
]

/** One way at one level. What is added is measured against the median of the direct call. */
interface Line {
  readonly way: string
  readonly level: Level
  /** What the provider alone took beyond its thinking, by the median. */
  readonly direct_ms: number
  readonly proxyAdds: readonly number[]
  readonly hubAdds: readonly number[]
  /** Processor time that the hub's process took for one step. */
  readonly cpu_ms: number
}

interface Results {
  readonly lines: readonly Line[]
  /** What the smallest durable write of the database takes, at the pace of a chat; a step with a limit makes two. */
  readonly writes_ms: readonly number[]
  /** Of the hub's process, after the last step. */
  readonly usage: Usage
}

export const llmBenchmark: Benchmark = {
  name: 'llm',
  summary: 'what the hub adds to the time that a provider takes, for an account with a monthly limit',
  async run(options) {
    for (const driver of options.drivers ?? [await defaultDriver()]) {
      const upstream = await start('provider', 'upstream', null, options)
      const setting = await openSetting(driver, { llm: llmSection(baseUrlOf(upstream)) })
      try {
        options.progress(`${driver}: setting up`)
        const results = await measure(setting.config, upstream, options)
        options.print(options.json ? `${JSON.stringify(results)}\n` : report(setting.description, results, options))
      } finally {
        await upstream.stop()
        await setting.drop()
      }
    }
  }
}

function llmSection(baseUrl: string) {
  const models = new Set([WARM_UP, ...LEVELS].map(({ thinking_ms }) => modelOf(thinking_ms)))
  const catalog = [...models].map((id) => ({ id, label: id, provider: 'openai' }))
  return { providers: { openai: { apiKey: 'k', baseUrl, maxRetries: 0 } }, catalog }
}

function baseUrlOf({ port }: Child): string {
  return `http://127.0.0.1:${port}/v1`
}

function modelOf(thinking_ms: number): string {
  return `thinks-${thinking_ms}`
}

function bodyOf({ body, stream }: Way, { thinking_ms }: Level): string {
  return body(modelOf(thinking_ms), stream)
}

function start(name: string, file: string, input: unknown, options: BenchOptions): Promise<Child> {
  return startChild({ name, file: new URL(`./llm/${file}.js`, import.meta.url), input, ...options })
}

async function measure(config: HubConfig, upstream: Child, options: BenchOptions): Promise<Results> {
  const secret = await seedUser(config)
  const hub = await start('hub-llm', '../http/hub', config, options)
  const proxy = await start('proxy-llm', 'proxy', baseUrlOf(upstream), options)
  const lines: Line[] = []
  try {
    for (const way of WAYS) {
      const levels = LEVELS.filter((level) => isChosen(`${way.name}-${nameOf(level)}`, options))
      if (levels.length === 0) continue
      options.progress(`${way.name}: warming up`)
      for (const { port, path } of sidesOf(way, hub, proxy)) {
        await driveChats({ ...WARM_UP, port, path, secret, body: bodyOf(way, WARM_UP) })
      }
      for (const level of levels) {
        options.progress(`${way.name} at ${nameOf(level)}`)
        lines.push(await compare(way, level, { hub, proxy, upstream, secret, rounds: options.rounds }))
      }
    }
    return { lines, writes_ms: await smallestWrites(config), usage: await hub.usage() }
  } finally {
    await Promise.all([hub.stop(), proxy.stop()])
  }
}

async function smallestWrites(config: HubConfig): Promise<readonly number[]> {
  const storage = await openStorage(config.db)
  const taken: number[] = []
  try {
    for (let i = 0; i < WRITES; i++) {
      await sleep(WRITE_PAUSE_MS)
      taken.push(await timed(() => storage.touchTokens(new Map([['bench', new Date().toISOString()]]))))
    }
    return taken
  } finally {
    await storage.close()
  }
}

interface Sides {
  readonly hub: Child
  readonly proxy: Child
  readonly upstream: Child
  readonly secret: string
  readonly rounds: number
}

/** Sends the same steps to the provider itself, through the bare proxy and through the hub, in turns. */
async function compare(way: Way, level: Level, { hub, proxy, upstream, secret, rounds }: Sides): Promise<Line> {
  const body = bodyOf(way, level)
  const taken: Record<'direct' | 'proxy' | 'hub', number[]> = { direct: [], proxy: [], hub: [] }
  let cpu_us = 0
  for (let round = 0; round < rounds; round++) {
    const drive = (port: number, path: string) => driveChats({ ...level, port, path, secret, body })
    taken.direct.push(...(await drive(upstream.port, '/v1/chat/completions')))
    taken.proxy.push(...(await drive(proxy.port, '/chat/completions')))
    const before = await hub.usage()
    taken.hub.push(...(await drive(hub.port, way.path)))
    cpu_us += (await hub.usage()).cpu_us - before.cpu_us
  }
  const direct_ms = median(taken.direct)
  const added = (times: readonly number[]) => times.map((time) => time - direct_ms)
  const cpu_ms = cpu_us / 1000 / taken.hub.length
  return { way: way.name, level, direct_ms, proxyAdds: added(taken.proxy), hubAdds: added(taken.hub), cpu_ms }
}

function sidesOf({ path }: Way, hub: Child, proxy: Child) {
  return [
    { port: hub.port, path },
    { port: proxy.port, path: '/chat/completions' }
  ]
}

/** As `--only` has it, behind the way: chats whose provider answers at once are `1-at-once`. */
function nameOf({ chats, thinking_ms }: Level): string {
  return thinking_ms === 0 ? `${chats}-at-once` : String(chats)
}

function isChosen(name: string, { only }: BenchOptions): boolean {
  return only.length === 0 || only.includes(name)
}

/** Sets up an empty database with one account that may chat up to a monthly limit, and returns its secret. */
async function seedUser(config: HubConfig): Promise<string> {
  await migrateDatabase(config)
  const ledger = await openReadyLedger(config)
  try {
    const mayChat = { llmAccess: true, llmModels: ['*'], llmMonthlyTokenLimit: 1_000_000_000 }
    return (await createUser(ledger, 'Grace', mayChat)).secret
  } finally {
    await ledger.close()
  }
}

function report(description: string, { lines, writes_ms, usage }: Results, { rounds }: BenchOptions): string {
  const added = ['proxy adds p50', 'p99', 'hub adds p50', 'p99']
  const head = ['', 'chats', 'thinks ms', 'steps', 'direct ms', ...added, 'hub cpu ms', 'target']
  const rows = lines.map(({ way, level: { chats, thinking_ms, target }, direct_ms, proxyAdds, hubAdds, cpu_ms }) => {
    const [p50, p99] = [median(hubAdds), within(hubAdds, 0.99)]
    const isShort = target !== null && (p50 >= target[0] || p99 >= target[1])
    const times = [direct_ms, median(proxyAdds), within(proxyAdds, 0.99), p50, p99, cpu_ms]
    return [
      way,
      ...[chats, thinking_ms, hubAdds.length].map(String),
      ...times.map((value) => value.toFixed(2)),
      target?.join('/') ?? '',
      isShort ? 'short' : ''
    ]
  })
  const load = (loadavg()[0] ?? 0).toFixed(1)
  return [
    `${description}; bodies of ${BODY_BYTES / 1000} KB, of v1 small ones, ${rounds} rounds, milliseconds; `,
    `${availableParallelism()} processors, load ${load} after, Node ${process.version}\n\n`,
    table([head, ...rows]),
    `\nsmallest durable write p50 ${median(writes_ms).toFixed(2)}, p99 ${within(writes_ms, 0.99).toFixed(2)}; a step makes two\n`,
    `hub memory ${Math.round(usage.rss_bytes / 1024 / 1024)} MB\n\n`
  ].join('')
}
