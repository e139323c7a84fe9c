import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type Home, newHome, type Program, type Server } from '../cli/support.js'
import { completion, startOpenAi } from '../llm/fakes/openai.js'
import { afterwards } from '../support/afterwards.js'
import { freePort } from '../support/private-server.js'
import { firstStart, withId } from '../whole/client.js'

/** The command line that was built beside this file. */
export const MAIN = fileURLToPath(new URL('../../bin/hub.js', import.meta.url))
const KEY = 'sk-test'
const withUser = z.object({ user: withId, secret: z.string() })

/** A hub as a process of its own. */
export interface HubProcess {
  readonly name: string
  readonly url: string
  readonly home: Home
  readonly pid: number
  /** True while it runs and is not frozen. */
  readonly isUp: boolean
  /** When it was frozen or ended last, and when it was let go on, in milliseconds of `performance.now()`. */
  readonly disturbed: { readonly from_ms: number; readonly to_ms: number }
  kill(): Promise<void>
  /** Ends it as a service manager does. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Starts it while it is down, and kills it after so long, wherever its start is by then; rejects where it has ended by itself before. */
  killAsItStarts(after_ms: number): Promise<void>
  freeze(): void
  thaw(): void
  signal(name: NodeJS.Signals): void
  /** What it has printed, over all its starts. */
  output(): string
}

/** Several hubs on one database, and who may do what at them. */
export interface Hubs {
  readonly hubs: readonly HubProcess[]
  readonly admin: string
  readonly user: { readonly id: string; readonly secret: string }
}

export interface HubOptions {
  readonly count?: number
  /** The `db` section of each hub. */
  db(index: number): Readonly<Record<string, unknown>>
  readonly redis: Readonly<Record<string, unknown>>
  /** How each is run. */
  program?(index: number): Program
}

const USER = {
  name: 'grace',
  role: 'user',
  llmAccess: true,
  llmModels: ['*'],
  ...Object.fromEntries(['collection', 'environment', 'snippet'].map((kind) => [`${kind}Access`, ['*']]))
}

/** Starts hubs, the first before the others, with a provider of models that answers each step at once. */
export async function startHubs({ count = 3, db, redis, program = () => [process.execPath, MAIN] }: HubOptions) {
  const upstream = await startOpenAi(KEY)
  afterwards(() => upstream.close())
  upstream.answer(completion({ text: 'Hello', usage: [11, 7] }))
  const llm = { providers: { openai: { apiKey: KEY, baseUrl: upstream.url, maxRetries: 0 } } }
  const prepare = async (index: number) => {
    const home = await newHome(program(index))
    const port = await freePort()
    const limits = { maxFailures: 1_000_000, maxFailuresPerAddress: 1_000_000 }
    const config = { server: { host: '127.0.0.1', port }, db: db(index), redis: { ...redis, ...limits }, llm }
    writeFileSync(join(home.path, 'server.yaml'), JSON.stringify(config), { mode: 0o600 })
    return { home, port }
  }
  const first = await prepare(0)
  const { server, call, admin } = await firstStart(first.home, first.port)
  const others = Array.from({ length: count - 1 }, async (_, i) => {
    const { home, port } = await prepare(i + 1)
    return hubProcess(i + 1, home, port, await home.start())
  })
  const hubs = [hubProcess(0, first.home, first.port, server), ...(await Promise.all(others))]
  const { user, secret } = withUser.parse(await call(admin, 'POST', '/admin/users', USER))
  return { hubs, admin, user: { id: user.id, secret } } satisfies Hubs
}

function hubProcess(index: number, home: Home, port: number, first: Server): HubProcess {
  let server = first
  let [from_ms, to_ms] = [0, 0]
  const before: string[] = []
  const isUp = () => to_ms >= from_ms
  const begin = () => {
    if (isUp()) from_ms = performance.now()
  }
  const end = () => {
    to_ms = performance.now()
  }
  const stop = async (signal: NodeJS.Signals) => {
    begin()
    const { stdout, stderr } = await server.stop(signal)
    before.push(stdout, stderr)
  }
  const signal = (name: NodeJS.Signals) => void process.kill(server.pid, name)
  return {
    name: `hub${index + 1}`,
    url: `http://127.0.0.1:${port}`,
    home,
    get pid() {
      return server.pid
    },
    get isUp() {
      return isUp()
    },
    get disturbed() {
      return { from_ms, to_ms: isUp() ? to_ms : Number.POSITIVE_INFINITY }
    },
    kill: () => stop('SIGKILL'),
    stop: () => stop('SIGTERM'),
    async start() {
      server = await home.start()
      end()
    },
    async killAsItStarts(after_ms) {
      const { pid, done } = home.run('start')
      const isThere = (await Promise.race([done, sleep(after_ms)])) === undefined
      if (isThere) process.kill(pid, 'SIGKILL')
      const { stdout, stderr } = await done
      before.push(stdout, stderr)
      if (!isThere) throw new Error(`${this.name} ended before it was killed: ${stdout}${stderr}`)
    },
    freeze() {
      begin()
      signal('SIGSTOP')
    },
    thaw() {
      signal('SIGCONT')
      end()
    },
    signal,
    output: () => [...before, server.stdout()].join('')
  }
}
