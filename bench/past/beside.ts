import { Agent, request } from 'node:http'

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
  const send = () =>
    new Promise<void>((resolve) => {
      const since = performance.now()
      const asked = request({ port, host: '127.0.0.1', path, agent, headers: { authorization: `Bearer ${secret}` } })
      asked.on('response', (response) => {
        if (response.statusCode !== 200) failed++
        response.resume().on('end', () => {
          latencies.push(performance.now() - since)
          resolve()
        })
      })
      asked.on('error', () => {
        failed++
        resolve()
      })
      asked.end()
    })
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
    latencies.sort((a, b) => a - b)
    const at = (share: number) => latencies[Math.ceil(latencies.length * share) - 1] ?? 0
    return { perSecond: Math.round(sent / seconds), p99_ms: at(0.99), longest_ms: at(1), failed }
  }
}
