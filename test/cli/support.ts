import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { runCli, type Terminal } from '../../cli/run.js'
import { openReadyLedger } from '../../src/app/hub.js'
import { loadConfig } from '../../src/config/load.js'
import type { PostgresConfig } from '../../src/config/types.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { onceAfterwards } from '../support/afterwards.js'
import { temporaryDirectory } from '../support/databases.js'
import { slowness } from '../support/patience.js'
import { freePort } from '../support/private-server.js'
import type { Suite } from '../support/suite.js'

export const MAIN = fileURLToPath(new URL('../../bin/hub.js', import.meta.url))
/** What is run, and the arguments before those that a test gives. */
export type Program = readonly [program: string, ...first: string[]]

const READY_LIMIT_MS = 30_000

export interface Result {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A command that goes on, a server for instance. */
export interface Server {
  readonly pid: number
  /** What it has printed so far. */
  readonly stdout: () => string
  readonly stderr: () => string
  /** Sends a signal and resolves with how the process ended. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
  /** Resolves with how the process ended, once it has by itself. */
  ended(): Promise<Ended>
}

export interface Ended extends Result {
  readonly signal: NodeJS.Signals | null
}

/** A directory in which a hub is set up and commands are run. */
export interface Home {
  readonly path: string
  /** Writes `server.yaml`, for SQLite and throttling in memory unless told otherwise. */
  configure(options?: { readonly port?: number; readonly db?: string; readonly redis?: string }): void
  /** Runs a command to its end, as a process of its own in this directory. */
  hub(...args: readonly string[]): Promise<Result>
  /** The same, to be ended from without. */
  run(...args: readonly string[]): { readonly pid: number; readonly done: Promise<Ended> }
  /** The same within this process, for tests that run many. */
  here(...args: readonly string[]): Promise<Result>
  /** The same before somebody at a terminal, whose answers are these. */
  asked(stdin: Terminal['stdin'], ...args: readonly string[]): Promise<Result>
  /** What a command prints on a terminal that is so wide. */
  wide(columns: number, ...args: readonly string[]): Promise<string>
  /** The same where it must succeed and say nothing on stderr; returns what it prints. */
  done(...args: readonly string[]): Promise<string>
  /** Runs a command that must succeed, with `--json` and within this process, and returns the document. */
  json(...args: readonly string[]): Promise<unknown>
  /** Does something to the log of the hub, past its commands. */
  withLedger<T>(work: (ledger: Ledger) => Promise<T>, options?: Parameters<typeof openReadyLedger>[1]): Promise<T>
  /** Runs a command that goes on, and resolves once it has printed `until`, by default that it listens. */
  start(args?: readonly string[], until?: string): Promise<Server>
  /** Ends what still runs and removes the directory, which else is done after the test or the suite that made it. */
  remove(): Promise<void>
}

/** A new, empty directory to run the compiled command line in, or another program that takes its arguments. */
export async function newHome([program, ...first]: Program = [process.execPath, MAIN]): Promise<Home> {
  const { path, remove } = await temporaryDirectory()
  const running = new Set<ChildProcess>()
  const run = (args: readonly string[]) => {
    const child = spawn(program, [...first, ...args], { cwd: path, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    child.once('exit', () => running.delete(child))
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text
      })
    }
    return { child, output }
  }
  const hub = async (...args: readonly string[]): Promise<Result> => {
    const { child, output } = run(args)
    await once(child, 'close')
    return { code: child.exitCode, ...output }
  }
  const at = async (
    { stdin = Readable.from([]), columns }: { readonly stdin?: Terminal['stdin']; readonly columns?: number },
    args: readonly string[]
  ): Promise<Result> => {
    const [stdout, stderr] = [collector(), collector()]
    const screen = columns === undefined ? stdout.stream : Object.assign(stdout.stream, { isTTY: true, columns })
    const terminal = { stdin, stdout: screen, stderr: stderr.stream, colors: false }
    const code = await runCli(['-c', join(path, 'server.yaml'), ...args], terminal)
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  }
  const here = (...args: readonly string[]) => at({}, args)
  return {
    path,
    configure: ({ port = 1, db = '{driver: sqlite, path: data/hub.sqlite}', redis = '{driver: memory}' } = {}) =>
      writeFileSync(
        join(path, 'server.yaml'),
        `server: {host: 127.0.0.1, port: ${port}}\ndb: ${db}\nredis: ${redis}\n`
      ),
    hub,
    run(...args) {
      const { child, output } = run(args)
      const done = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode, ...output }))
      return { pid: child.pid ?? 0, done }
    },
    here,
    asked: (stdin, ...args) => at({ stdin }, args),
    wide: async (columns, ...args) => (await at({ columns }, args)).stdout,
    async done(...args) {
      const { code, stdout, stderr } = await here(...args)
      assert.equal([code, stderr], [0, ''], `hub ${args.join(' ')}`)
      return stdout
    },
    async withLedger(work, options) {
      const ledger = await openReadyLedger(loadConfig(join(path, 'server.yaml'), {}).config, options)
      return work(ledger).finally(() => ledger.close())
    },
    async json(...args) {
      const { code, stdout, stderr } = await here(...args, '--json')
      if (code !== 0) throw new Error(`hub ${args.join(' ')} failed: ${stderr}`)
      return JSON.parse(stdout)
    },
    async start(args = ['start'], until = 'listening on') {
      const { child, output } = run(args)
      const closed = once(child, 'close')
      await new Promise<void>((resolve, reject) => {
        const fail = (what: string) =>
          reject(new Error(`hub ${args.join(' ')} ${what}: ${output.stdout}${output.stderr}`))
        const timer = setTimeout(() => fail('is not ready'), READY_LIMIT_MS * slowness())
        for (const stream of [child.stdout, child.stderr]) {
          stream.on('data', () => {
            if (output.stdout.includes(until) || output.stderr.includes(until)) resolve(clearTimeout(timer))
          })
        }
        child.once('exit', () => {
          clearTimeout(timer)
          fail('ended')
        })
      })
      const ended = async () => {
        await closed
        return { code: child.exitCode, signal: child.signalCode, ...output }
      }
      return {
        pid: child.pid ?? 0,
        stdout: () => output.stdout,
        stderr: () => output.stderr,
        stop(signal = 'SIGTERM') {
          child.kill(signal)
          return ended()
        },
        ended
      }
    },
    remove: onceAfterwards(async () => {
      await Promise.all(
        [...running].map(async (child) => {
          child.kill('SIGKILL')
          await once(child, 'exit')
        })
      )
      await remove()
    })
  }
}

/** A home whose hub has an empty database. */
export async function migratedHome(): Promise<Home> {
  const home = await newHome()
  home.configure()
  await home.done('migrate')
  return home
}

/** Keeps what is written to it. */
export function collector(): { readonly stream: Writable; readonly text: () => string } {
  let text = ''
  const write = (chunk: Buffer, _encoding: BufferEncoding, done: () => void) => {
    text += chunk
    done()
  }
  return { stream: new Writable({ write }), text: () => text }
}

/** A hub on an empty database, running. */
export interface NewHub {
  readonly home: Home
  readonly port: number
  readonly server: Server
}

/** Starts a hub before each test of a suite and removes it after; what is returned is the hub of the test that runs. */
export function onNewHub(test: Suite): NewHub {
  let home: Home | undefined
  let hub: NewHub | undefined
  test.before.each(async () => {
    home = await newHome()
    const port = await freePort()
    home.configure({ port })
    hub = { home, port, server: await home.start(['start', '--init'], 'First collection') }
  })
  test.after.each(() => home?.remove())
  const running = (): NewHub => {
    if (!hub) throw new Error('No test runs.')
    return hub
  }
  return {
    get home() {
      return running().home
    },
    get port() {
      return running().port
    },
    get server() {
      return running().server
    }
  }
}

/** The administrator's secret that a first start has shown. */
export function firstSecret(server: Server): string {
  const [, secret] = /^HUB_ADMIN=(hbk_\S+)$/m.exec(server.stdout()) ?? []
  if (secret === undefined) throw new Error(`No secret was shown: ${server.stdout()}`)
  return secret
}

/** The lines that a first start has told to paste into a shell: they name the hub, its administrator and a user. */
export function firstSteps(server: Server): string {
  const [, steps] = /\n\n(HUB_URL=[\s\S]*?)\n\n/.exec(server.stdout()) ?? []
  if (steps === undefined) throw new Error(`There is nothing to paste: ${server.stdout()}`)
  return steps
}

/** The `db` section for a Postgres database. */
export function postgresSection({ host, port, user, password, database, prefix }: PostgresConfig): string {
  return JSON.stringify({ driver: 'postgres', host, port, user, password, database, prefix })
}
