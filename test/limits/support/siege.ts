import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { type Home, newHome, type Server } from '../../cli/support.js'
import { freePort } from '../../support/private-server.js'
import { firstStart } from '../../whole/client.js'
import { forgetTurns, longestTurn, watchLoop } from './loop.js'
import { isPrompt, type Probe, startProbe, told } from './probe.js'
import { counted, type Sending, type Sent, send } from './send.js'

const MB = 1024 * 1024

/** A hub in a process of its own that is given too much, while somebody watches how it does. */
export interface Siege {
  readonly base: string
  readonly port: number
  readonly admin: string
  readonly user: string
  readonly send: (method: string, path: string, sending?: Sending) => Promise<Sent>
  /** Runs one attack: every answer must be 2xx, 4xx or 503, `/health` must answer in time, and the process must live. */
  attack(name: string, work: () => Promise<readonly Sent[]>): Promise<void>
  /** An attack by what the hub serves: one answer at least must be 2xx, or nothing was attacked. */
  use(name: string, work: () => Promise<readonly Sent[]>): Promise<void>
  /** Runs a command of the command line beside the server; it must end well. */
  verified(...args: readonly string[]): Promise<void>
  end(): Promise<void>
}

/** Sections of a hub's configuration. */
interface Sections {
  readonly db?: string
  readonly redis?: string
}

/** Starts a hub whose heap has a bound, or Node's own with null. */
export async function besiege(heap_mb: number | null, stores: Sections = {}): Promise<Siege> {
  const home = await newHome()
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  home.configure({ port, ...stores })
  const loop = join(home.path, 'loop')
  const { server, admin, user } = await withHeap(heap_mb, () =>
    withEnvironment(watchLoop(loop), () => firstStart(home, port))
  )
  const probe = startProbe(base, server.pid)
  const lines: string[] = []
  const siege: Siege = {
    base,
    port,
    admin,
    user,
    send: (method, path, sending) => send(base, method, path, sending),
    async attack(name, work) {
      await probe.taken()
      forgetTurns(loop)
      const from = performance.now()
      const sent = await work()
      lines.push(await judged(name, sent, performance.now() - from, { probe, server, loop }))
      process.stdout.write(`${lines.at(-1)}\n`)
    },
    use: (name, work) =>
      siege.attack(name, async () => {
        const sent = await work()
        assert.ok(
          sent.some(({ outcome }) => /^2\d\d$/.test(outcome)),
          `${name}: nothing was served: ${counted(sent)}`
        )
        return sent
      }),
    async verified(...args) {
      const from = performance.now()
      const { code, stdout, stderr } = await withHeap(heap_mb, () => home.hub(...args))
      assert.is(code, 0, `hub ${args.join(' ')}: ${stdout}${stderr}`)
      process.stdout.write(`    hub ${args.join(' ')}: clean, ${seconds(performance.now() - from)}\n`)
    },
    async end() {
      await probe.stop()
      await ended(home, server)
    }
  }
  return siege
}

/** What tells how a hub does. */
interface Watched {
  readonly probe: Probe
  readonly server: Server
  /** The file with the longest turn of its loop. */
  readonly loop: string
}

async function judged(name: string, sent: readonly Sent[], took_ms: number, { probe, server, loop }: Watched) {
  const report = await probe.taken()
  const held = `memory ${memoryOf(server.pid)}; the longest turn of the loop ${longestTurn(loop)}`
  const wrong = sent.filter(({ outcome }) => !/^(2\d\d|4\d\d|503)$/.test(outcome))
  const line = `    ${name}: ${counted(sent)}; ${seconds(took_ms)}; ${told(report)}; ${held}`
  assert.is(wrong.length, 0, `${line}\n${wrong[0]?.text ?? ''}`)
  assert.is(report.failures, 0, `/health failed ${report.failures} times: ${line}`)
  assert.ok(isPrompt(report), line)
  return line
}

/** What a process holds now and held at most. */
function memoryOf(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Math.round((Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024) / MB)
  return `${of('VmRSS')} MB, at most ${of('VmHWM')} MB`
}

/** Runs `work` while processes that it starts get a bounded heap. */
async function withHeap<T>(heap_mb: number | null, work: () => Promise<T>): Promise<T> {
  return heap_mb === null ? work() : withEnvironment({ NODE_OPTIONS: `--max-old-space-size=${heap_mb}` }, work)
}

async function withEnvironment<T>(more: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
  const before = { ...process.env }
  Object.assign(process.env, more)
  try {
    return await work()
  } finally {
    for (const name of Object.keys(more)) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
}

async function ended(home: Home, server: Server): Promise<void> {
  const { code, signal } = await server.stop()
  await home.remove()
  assert.equal([code, signal], [0, null], 'The hub did not end well.')
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
