import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import * as assert from 'uvu/assert'

/** One request to a hub. */
export interface Call {
  readonly method: string
  readonly path: string
  /** The secret of a token; none sends no Authorization header. */
  readonly token?: string | undefined
  /** Sent as JSON, with its content type. */
  readonly body?: unknown
  /** Sent as it is, without a content type unless `headers` has one. */
  readonly text?: string | Buffer
  readonly headers?: OutgoingHttpHeaders
}

export type Fields = Readonly<Record<string, unknown>>

/** What a hub answers. `body` is the parsed JSON, or undefined where the answer has no body. */
export interface Reply {
  readonly status: number
  readonly body: unknown
  readonly text: string
  /** The same as it came over the network. */
  readonly bytes: Buffer
  readonly headers: IncomingHttpHeaders
  readonly duration_ms: number
}

export interface Client {
  send(call: Call): Promise<Reply>
  close(): void
}

const SOCKETS_MAX = 64

/** A client of the hub at this port of the loopback address, with connections that it keeps. */
export function connectClient(port: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX })
  const send = ({ method, path, token, body, text, headers }: Call): Promise<Reply> => {
    const payload = body === undefined ? text : JSON.stringify(body)
    const chunked = headers?.['transfer-encoding'] !== undefined
    const started = performance.now()
    return new Promise((resolve, reject) => {
      const outgoing = request({
        agent,
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(payload !== undefined && !chunked && { 'content-length': Buffer.byteLength(payload) }),
          ...headers
        }
      })
      outgoing.on('error', reject)
      outgoing.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('error', reject)
        // A stream that is asked for by GET has no end: its beginning is its answer.
        const isEndless = method === 'GET' && response.headers['content-type']?.startsWith('text/event-stream')
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          if (isEndless) answered()
        })
        response.on('end', () => answered())
        const answered = () => {
          if (isEndless)
            response
              .off('error', reject)
              .on('error', () => {})
              .destroy()
          const bytes = Buffer.concat(chunks)
          const text = bytes.toString('utf8')
          const isJson = /^application\/(problem\+|scim\+)?json\b/.test(response.headers['content-type'] ?? '')
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            bytes,
            body: isJson && text !== '' ? JSON.parse(text) : undefined,
            duration_ms: performance.now() - started
          })
        }
      })
      outgoing.end(payload)
    })
  }
  return { send, close: () => agent.destroy() }
}

/** A JSON object, or a failure that shows what was there instead. */
export function fields(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`Expected a JSON object, not ${JSON.stringify(value)}`)
  }
  return { ...value }
}

/** The records under `name` in the body of a reply. */
export function records(reply: Pick<Reply, 'text' | 'body'>, name: string): readonly Fields[] {
  const list = fields(reply.body)[name]
  if (!Array.isArray(list)) throw new Error(`Expected a list of ${name}, not ${reply.text}`)
  return list.map(fields)
}

/** What each of a list has under a name. */
export function eachOf<T, K extends keyof T>(list: readonly T[], name: K): readonly T[K][] {
  return list.map((one) => one[name])
}

/** The ids of the records under `name` in the body of a reply. */
export function idsOf(reply: Pick<Reply, 'text' | 'body'>, name: string): readonly unknown[] {
  return records(reply, name).map(({ id }) => id)
}

/** Asserts that a record has these values, whatever else is in it: what else may be there its route declares. */
export function holds(value: unknown, expected: Fields): void {
  const record = fields(value)
  assert.equal(Object.fromEntries(Object.keys(expected).map((key) => [key, record[key]])), expected)
}

/** A field that must hold text. */
export function text(record: unknown, name: string): string {
  const value = fields(record)[name]
  if (typeof value !== 'string') throw new Error(`Expected text in ${name}, not ${JSON.stringify(value)}`)
  return value
}

/** The text of `error`, in a body that holds nothing else but these keys. */
export function errorOf(reply: Reply, more: readonly string[] = []): string {
  // As directories read it.
  const { schemas, detail, error } = fields(reply.body)
  if (Array.isArray(schemas) && typeof detail === 'string') return detail
  // As programs that ask models read it.
  if (typeof error === 'object' && error !== null) return text(error, 'message')
  const keys = Object.keys(fields(reply.body)).filter((key) => !more.includes(key))
  if (keys.join() !== 'error') throw new Error(`Expected {error}, not ${reply.text}`)
  return text(reply.body, 'error')
}
