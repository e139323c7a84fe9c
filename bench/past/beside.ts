import { Agent } from 'node:http'
import { asker } from '../support/ask.js'
import { timed, within } from '../support/times.js'

const TICK_MS = 10

/** What became of the requests that went on beside something else. */
export interface Beside {
  readonly perSecond: number
  readonly p99_ms: number
  readonly longest_ms: number
  readonly failed: number
}

/** Sends so many small requests a second, whatever is answered, until it is stopped. */
export function beside(port: number, path: string, secret: string, perSecond: number): () => Promise<Beside> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const latencies: number[] = []
  const open = new Set<Promise<void>>()
  const started = performance.now()
  let [sent, failed] = [0, 0]
  const { ask } = asker(port, agent)
  const send = async () => {
    const one = timed(() => ask({ kind: 'beside', method: 'GET', path, secret }))
    await one.then(
      (took_ms) => latencies.push(took_ms),
      () => failed++
    )
  }
  const timer = setInterval(() => {
    const due = ((performance.now() - started) / 1000) * perSecond
    for (; sent < due; sent++) {
      const one = send().finally(() => open.delete(one))
      open.add(one)
    }
  }, TICK_MS)
  return async () => {
    clearInterval(timer)
    const seconds = (performance.now() - started) / 1000
    await Promise.all(open)
    agent.destroy()
    const [p99_ms, longest_ms] = [within(latencies, 0.99), within(latencies, 1)]
    return { perSecond: Math.round(sent / seconds), p99_ms, longest_ms, failed }
  }
}
