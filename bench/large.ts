import { writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryDirectory } from '../test/support/databases.js'
import type { Benchmark, BenchOptions, Driver } from './benchmark.js'
import { requestContent } from './http/content.js'
import { wireText } from './http/rows.js'
import { configure, firstAnswer, hub, type Run } from './large/commands.js'
import { COMMON, type LargeSeed, LONG, requestId, type Sizes, seedLarge, USUAL } from './large/seed.js'
import { NEW_STRETCH_AFTER_MS, type Strain } from './large/watch.js'
import { type Ask, asker } from './support/ask.js'
import { type Child, startChild, type Usage } from './support/child.js'
import { drive } from './support/load.js'
import { defaultDriver, openSetting, type Setting } from './support/setting.js'
import { table } from './support/table.js'
import { median, timed } from './support/times.js'

const FULL: Sizes = { collections: 1000, requests: 100_000, long: 5000, events: 1_000_000, users: 500 }
const SMALL: Sizes = { collections: 60, requests: 110, long: 5, events: 170, users: 2 }
const MB = 1024 * 1024
/** So often each list is asked for in each round. */
const ASKED = 100

/** What a large hub costs: its start, the lists of others beside those of a small hub, one very long list, memory, commands. */
export const largeBenchmark: Benchmark = {
  name: 'large',
  summary: '1,000 collections, 100,000 requests, 1,000,000 events and 500 users, or so much of that as --scale says',
  async run(options) {
    for (const driver of options.drivers ?? [await defaultDriver()])
      await measure(driver, scaled(options.scale), options)
  }
}

function scaled(scale: number): Sizes {
  const part = (full: number, least: number) => Math.max(least, Math.round(full * scale))
  return {
    collections: part(FULL.collections, SMALL.collections),
    requests: part(FULL.requests, FULL.long + 2 * COMMON),
    long: FULL.long,
    events: part(FULL.events, 2 * FULL.long),
    users: part(FULL.users, SMALL.users)
  }
}

async function measure(driver: Driver, sizes: Sizes, options: BenchOptions): Promise<void> {
  const [large, small] = [await openSetting(driver), await openSetting(driver)]
  const directory = await temporaryDirectory()
  try {
    options.progress(`${driver}: writing ${sizes.events} events`)
    const seed = await seedLarge(large.config, sizes)
    const seedOfSmall = await seedLarge(small.config, SMALL)
    options.print(`${large.description}: ${JSON.stringify(sizes)}\n`)
    options.progress(`${driver}: starts`)
    const { file, port } = await configure(large.config, directory.path)
    const starts: number[] = []
    for (let round = 0; round < options.rounds; round++)
      starts.push(await firstAnswer(file, `http://127.0.0.1:${port}/auth/session`, seed.secret))
    options.print(`start to the first answer: ${median(starts).toFixed(0)} ms (target 1500)\n`)
    await served({ setting: large, seed }, { setting: small, seed: seedOfSmall }, options)
    options.progress(`${driver}: commands`)
    options.print(table(await commands(directory.path, large, options.signal)))
  } finally {
    await directory.remove()
    await large.drop()
    await small.drop()
  }
}

interface Side {
  readonly setting: Setting
  readonly seed: LargeSeed
}

/** What requests take of a running hub, the small one in turns with the large one where they are held against each other. */
async function served(large: Side, small: Side, options: BenchOptions): Promise<void> {
  const file = new URL('./large/hub.js', import.meta.url)
  const start = ({ setting }: Side, name: string) =>
    startChild({ name: `large-${name}`, file, input: setting.config, ...options })
  const [hubOfLarge, hubOfSmall] = [await start(large, 'large'), await start(small, 'small')]
  try {
    const idle = (await hubOfLarge.usage()).rss_bytes
    const lines = [['', 'small ms', 'large ms', 'large / small']]
    for (const { name, ask } of LISTS) {
      options.progress(name)
      const taken: [number[], number[]] = [[], []]
      for (let round = 0; round < options.rounds; round++) {
        taken[0].push(...(await times(hubOfSmall, small.seed, SMALL, ask)))
        taken[1].push(...(await times(hubOfLarge, large.seed, scaled(options.scale), ask)))
      }
      const [least, most] = [median(taken[0]), median(taken[1])]
      lines.push([name, least.toFixed(2), most.toFixed(2), (most / least).toFixed(2)])
    }
    options.print(table(lines))
    options.print(table(await longList(hubOfLarge, large.seed)))
    options.progress('load')
    await load(hubOfLarge, large.seed, scaled(options.scale), options)
    const { rss_bytes, peak_rss_bytes } = await hubOfLarge.usage()
    const [before, after, peak] = [idle, rss_bytes, peak_rss_bytes].map((bytes) => (bytes / MB).toFixed(0))
    options.print(`memory: ${before} MB before, ${after} MB under load, ${peak} MB at most (target 300)\n`)
  } finally {
    await Promise.all([hubOfLarge.stop(), hubOfSmall.stop()])
  }
}

interface List {
  readonly name: string
  /** Asks once, and tells how many milliseconds the list took. */
  readonly ask: (ask: Ask, seed: LargeSeed, sizes: Sizes, number: number) => Promise<number>
}

const LISTS: readonly List[] = [
  { name: 'session', ask: (ask, { fifty }) => taken(ask, '/auth/session', fifty) },
  { name: '50 collections of an account', ask: (ask, { fifty }) => taken(ask, '/collections', fifty) },
  { name: `${COMMON} requests`, ask: (ask, { fifty }) => taken(ask, `/collections/${USUAL}/requests`, fifty) },
  {
    name: `${COMMON} requests, one just saved`,
    async ask(ask, { secret, fifty }, { long }, number) {
      const body = { ...requestContent(number), collectionId: USUAL, folderId: null }
      const path = `/requests/${requestId(long + (number % COMMON))}`
      await ask({ kind: 'put', method: 'PUT', path, secret, body })
      return taken(ask, `/collections/${USUAL}/requests`, fifty)
    }
  }
]

function taken(ask: Ask, path: string, secret: string): Promise<number> {
  return timed(() => ask({ kind: 'get', method: 'GET', path, secret }))
}

async function times({ port }: Child, seed: LargeSeed, sizes: Sizes, one: List['ask']): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { ask } = asker(port, agent)
  const times: number[] = []
  try {
    for (let i = 0; i < ASKED; i++) times.push(await one(ask, seed, sizes, i))
    return times
  } finally {
    agent.destroy()
  }
}

/** The longest list, asked for the first time, again, and after one of its records was saved. */
async function longList(child: Child, { secret }: LargeSeed) {
  const agent = new Agent({ keepAlive: true })
  const { ask } = asker(child.port, agent)
  // The child that this benchmark starts adds its strain to what others tell.
  const strain = async () => (await child.usage()) as Usage & Strain
  const lines = [[`list of ${FULL.long} requests`, 'ms', 'MB', 'longest turn', 'most work', 'target']]
  const line = async (name: string) => {
    await strain()
    await sleep(2 * NEW_STRETCH_AFTER_MS)
    const begun = performance.now()
    const { body } = await ask({ kind: 'get', method: 'GET', path: `/collections/${LONG}/requests`, secret })
    const took_ms = performance.now() - begun
    const { longestTurn_ms, mostWork_ms } = await strain()
    const size = (body.length / MB).toFixed(1)
    lines.push([name, took_ms.toFixed(0), size, longestTurn_ms.toFixed(0), mostWork_ms.toFixed(0), '20'])
  }
  try {
    await line('first')
    await line('again')
    for (let i = 0; i < 3; i++) {
      const body = { ...requestContent(i), collectionId: LONG, folderId: null }
      await ask({ kind: 'put', method: 'PUT', path: `/requests/${requestId(i)}`, secret, body })
      await line('after a save')
    }
    return lines
  } finally {
    agent.destroy()
  }
}

/** Sessions, lists of all collections' requests and saves, as fast as they are answered. */
async function load(child: Child, { secret }: LargeSeed, sizes: Sizes, { connections, seconds, rounds }: BenchOptions) {
  let sent = 0
  const next = () => {
    const number = sent++
    const i = (number * 7919) % sizes.requests
    const collectionId = `c${2 + (i % (sizes.collections - 2))}`
    if (number % 3 === 0) return wireText({ method: 'GET', path: '/auth/session' }, secret)
    if (number % 3 === 1) return wireText({ method: 'GET', path: `/collections/${collectionId}/requests` }, secret)
    if (i < sizes.long + COMMON) return wireText({ method: 'GET', path: '/collections' }, secret)
    const body = { ...requestContent(number), collectionId, folderId: null }
    return wireText({ method: 'PUT', path: `/requests/${requestId(i)}`, body }, secret)
  }
  const { refusals } = await drive({ port: child.port, connections, seconds: seconds * rounds, next })
  if (refusals.size > 0) throw new Error(`The load was refused: ${JSON.stringify([...refusals])}`)
}

/** What goes through everything that there is, each as a command of its own. */
async function commands(directory: string, { config: { db } }: Setting, signal: AbortSignal) {
  const config = join(directory, 'server.yaml')
  const file = join(directory, 'hub.backup')
  const all = [
    ['backup', 'create', file],
    ['backup', 'verify', file],
    ['audit', 'verify'],
    ['projections', 'verify'],
    ['projections', 'rebuild']
  ]
  const lines = [['command', 'seconds', 'MB at most']]
  for (const args of all) {
    const { seconds, peak_mb }: Run = await hub(config, args, signal)
    lines.push([args.slice(0, 2).join(' '), seconds.toFixed(1), peak_mb.toFixed(0)])
  }
  const other = join(directory, 'restored.yaml')
  const empty = 'path' in db ? { ...db, path: join(directory, 'restored.db') } : { ...db, prefix: 'restored_' }
  const sections = { server: { host: '127.0.0.1', port: 1 }, db: empty, redis: { driver: 'memory' } }
  writeFileSync(other, JSON.stringify(sections))
  const { seconds, peak_mb } = await hub(other, ['backup', 'restore', file], signal)
  lines.push(['backup restore', seconds.toFixed(1), peak_mb.toFixed(0)])
  return lines
}
