import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { z } from 'zod'

const PAUSE_MS = 20

/** How `/health` answered since the last time it was asked. */
const report = z.object({ answers: z.number(), failures: z.number(), slowest_ms: z.number() })
export type Report = z.infer<typeof report>

/** Asks a hub for `/health` again and again, in a thread of its own so that nobody else's work counts. */
export interface Probe {
  /** What was seen since the last call. */
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

async function probe(url: string): Promise<never> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let seen: Report = { answers: 0, failures: 0, slowest_ms: 0 }
  parentPort?.on('message', () => {
    parentPort?.postMessage(seen)
    seen = { answers: 0, failures: 0, slowest_ms: 0 }
  })
  for (;;) {
    const from = performance.now()
    const isWell = await healthy(url, agent)
    const slowest_ms = Math.max(seen.slowest_ms, performance.now() - from)
    seen = { answers: seen.answers + 1, failures: seen.failures + (isWell ? 0 : 1), slowest_ms }
    await sleep(PAUSE_MS)
  }
}

function healthy(url: string, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    get(`${url}/health`, { agent, timeout: 60_000 }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode === 200))
    }).once('error', () => resolve(false))
  })
}

const given = z.object({ url: z.string() }).safeParse(workerData)
if (!isMainThread && given.success) await probe(given.data.url)
