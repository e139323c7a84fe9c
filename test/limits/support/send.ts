import { Agent, get, request } from 'node:http'

/** What came of a request: the status, or why there was none, and how many bytes were answered. */
export interface Sent {
  readonly outcome: string
  readonly bytes: number
  readonly text: string
}

export interface Sending {
  readonly token?: string
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  /** Answers are counted and thrown away beyond so many bytes. */
  readonly kept?: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** Sends a request and waits for its answer; a connection that ends without one is an outcome too. */
export function send(base: string, method: string, path: string, sending: Sending = {}): Promise<Sent> {
  const { token, body, headers = {}, kept = 100_000 } = sending
  return new Promise((resolve) => {
    let bytes = 0
    let text = ''
    const failed = (error: Error & { readonly code?: string }) =>
      resolve({ outcome: error.code ?? error.message, bytes, text })
    const asked = request(base + path, {
      agent,
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        ...headers
      }
    })
    asked.once('error', failed)
    asked.once('response', (response) => {
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (text.length < kept) text += chunk.toString('utf8')
      })
      response.once('error', failed)
      response.once('end', () => resolve({ outcome: String(response.statusCode), bytes, text }))
    })
    asked.end(body)
  })
}

/** How long a follower waits for more before it takes it that it has read everything. */
const QUIET_MS = 2000

/** Follows an open stream of events from where it begins until nothing more comes for a while, and leaves it. */
export function follow(base: string, path: string, token: string): Promise<Sent> {
  return new Promise((resolve) => {
    let bytes = 0
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
    const asked = get(base + path, { headers, agent: false }, (response) => {
      const left = () => {
        asked.destroy()
        resolve({ outcome: String(response.statusCode), bytes, text: '' })
      }
      let quiet = setTimeout(left, QUIET_MS)
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        clearTimeout(quiet)
        quiet = setTimeout(left, QUIET_MS)
      })
      response.once('close', () => {
        clearTimeout(quiet)
        left()
      })
    })
    asked.once('error', (error: Error & { readonly code?: string }) => {
      resolve({ outcome: error.code ?? error.message, bytes, text: '' })
    })
  })
}

/** How often each outcome came, the most frequent first. */
export function counted(sent: readonly Sent[]): string {
  const counts = new Map<string, number>()
  for (const { outcome } of sent) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([outcome, count]) => `${count} x ${outcome}`)
    .join(', ')
}
