import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import * as assert from 'uvu/assert'
import { z } from 'zod'

/** How soon `/health` must answer, whatever else a hub has to do. */
const HEALTH_LIMIT_MS = 250
const PAUSE_MS = 20
const ANSWER_LIMIT_MS = 60_000

/**
 * How `/health` answered since the last time it was asked: at least once, and with the request that was on its way then. The
 * time that the hub's main thread was ready and had no processor is not counted: others on the machine had it.
 */
const report = z.object({ answers: z.number(), failures: z.number(), slowest_ms: z.number(), stolen_ms: z.number() })
export type Report = z.infer<typeof report>

/** True where `/health` answered in time. */
export function isPrompt({ slowest_ms }: Report): boolean {
  return slowest_ms < HEALTH_LIMIT_MS
}

/** The slowest answers in words. */
export function told({ slowest_ms, stolen_ms, answers }: Report): string {
  return `/health ${Math.round(slowest_ms)} ms at most of ${answers}, with ${Math.round(stolen_ms)} ms for a processor`
}

/** Asks a hub for `/health` again and again, in a thread of its own so that nobody else's work counts. */
export interface Probe {
  /** What was seen since the last call, once the request that is on its way has been answered. */
  taken(): Promise<Report>
  stop(): Promise<void>
}

/** `pid` is the process that answers. */
export function startProbe(url: string, pid: number): Probe {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, pid } })
  return {
    async taken() {
      worker.postMessage('taken')
      const [told] = await once(worker, 'message')
      return report.parse(told)
    },
    async stop() {
      const ended = once(worker, 'exit')
      worker.postMessage('stop')
      await ended
    }
  }
}

/** How `/health` answers while something goes on; fails when it does not answer well. */
export async function healthDuring(url: string, pid: number, work: () => Promise<unknown>): Promise<Report> {
  const probe = startProbe(url, pid)
  try {
    await probe.taken()
    await work()
    const seen = await probe.taken()
    assert.is(seen.failures, 0, `/health failed ${seen.failures} times of ${seen.answers}`)
    return seen
  } finally {
    await probe.stop()
  }
}

async function probe(url: string, pid: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const nothing: Report = { answers: 0, failures: 0, slowest_ms: 0, stolen_ms: 0 }
  let seen = nothing
  let asked: 'taken' | 'stop' | null = null
  parentPort?.on('message', (message) => {
    asked = message
  })
  while (asked !== 'stop') {
    const [from, before_ms] = [performance.now(), waited_ms(pid)]
    const isWell = await healthy(url, agent)
    const stolen_ms = waited_ms(pid) - before_ms
    const took_ms = performance.now() - from - stolen_ms
    seen = {
      answers: seen.answers + 1,
      failures: seen.failures + (isWell ? 0 : 1),
      slowest_ms: Math.max(seen.slowest_ms, took_ms),
      stolen_ms: Math.max(seen.stolen_ms, stolen_ms)
    }
    if (asked === 'taken') {
      parentPort?.postMessage(seen)
      asked = null
      seen = nothing
    }
    await sleep(PAUSE_MS)
  }
  process.exit()
}

/** How long the main thread of a process has been ready and had no processor, since it began; 0 where the system does not say. */
function waited_ms(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

function healthy(url: string, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get(`${url}/health`, { agent, timeout: ANSWER_LIMIT_MS }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode === 200))
    })
    asked.once('timeout', () => asked.destroy(new Error('It did not answer.')))
    asked.once('error', () => resolve(false))
  })
}

const given = z.object({ url: z.string(), pid: z.number() }).safeParse(workerData)
if (!isMainThread && given.success) await probe(given.data.url, given.data.pid)
