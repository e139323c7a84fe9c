import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import * as assert from 'uvu/assert'
import { z } from 'zod'

/** How soon `/health` must answer, whatever else a hub has to do. */
export const HEALTH_LIMIT_MS = 250
const PAUSE_MS = 20
const ANSWER_LIMIT_MS = 60_000

/** How `/health` answered since the last time it was asked: at least once, and with the request that was on its way then. */
const report = z.object({ answers: z.number(), failures: z.number(), slowest_ms: z.number() })
export type Report = z.infer<typeof report>

/** Asks a hub for `/health` again and again, in a thread of its own so that nobody else's work counts. */
export interface Probe {
  /** What was seen since the last call, once the request that is on its way has been answered. */
  taken(): Promise<Report>
  stop(): Promise<void>
}

export function startProbe(url: string): Probe {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url } })
  return {
    async taken() {
      worker.postMessage('taken')
      const [told] = await once(worker, 'message')
      return report.parse(told)
    },
    async stop() {
      await worker.terminate()
    }
  }
}

/** How `/health` answers while something goes on; fails when it does not answer well. */
export async function healthDuring(url: string, work: () => Promise<unknown>): Promise<Report> {
  const probe = startProbe(url)
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

async function probe(url: string): Promise<never> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const nothing: Report = { answers: 0, failures: 0, slowest_ms: 0 }
  let seen = nothing
  let isAsked = false
  parentPort?.on('message', () => {
    isAsked = true
  })
  for (;;) {
    const from = performance.now()
    const isWell = await healthy(url, agent)
    const slowest_ms = Math.max(seen.slowest_ms, performance.now() - from)
    seen = { answers: seen.answers + 1, failures: seen.failures + (isWell ? 0 : 1), slowest_ms }
    if (isAsked) {
      parentPort?.postMessage(seen)
      isAsked = false
      seen = nothing
    }
    await sleep(PAUSE_MS)
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

const given = z.object({ url: z.string() }).safeParse(workerData)
if (!isMainThread && given.success) await probe(given.data.url)
