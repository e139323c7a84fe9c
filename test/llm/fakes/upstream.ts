import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { onceAfterwards } from '../../support/afterwards.js'

/** A request that a fake provider got. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
  /** Resolves when the connection of this request has been closed before the answer to it was complete. */
  readonly abandoned: Promise<void>
}

export type Respond = (response: ServerResponse, request: Received) => void | Promise<void>

export interface Upstream {
  readonly url: string
  readonly requests: readonly Received[]
  /** Queues the answers to the next requests; the last one is given to all that follow. */
  answer(...answers: readonly Respond[]): void
  close(): Promise<void>
}

/** Something that listens on a port of its own and answers as it is told, until it is closed or the test or the suite is over. */
export async function startUpstream(check: (request: Received) => Respond | null = () => null): Promise<Upstream> {
  const requests: Received[] = []
  let answers: Respond[] = []
  const server = createServer(async (message, response) => {
    const request = await receive(message, response)
    requests.push(request)
    const next = answers.length > 1 ? answers.shift() : answers[0]
    const respond = check(request) ?? next ?? json(500, { error: { message: 'No answer was queued.' } })
    await respond(response, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer(...next) {
      answers = [...next]
      requests.length = 0
    },
    close: onceAfterwards(async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    })
  }
}

async function receive(message: IncomingMessage, response: ServerResponse): Promise<Received> {
  const abandoned = new Promise<void>((resolve) => {
    response.once('close', () => {
      if (!response.writableFinished) resolve()
    })
  })
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part)
  const text = Buffer.concat(parts).toString()
  return {
    method: message.method ?? '',
    path: message.url ?? '',
    headers: message.headers,
    body: text === '' ? {} : JSON.parse(text),
    abandoned
  }
}

/** Answers with JSON. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Respond {
  return raw(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
}

/** Answers with just these bytes. */
export function raw(status: number, text: string, headers: Readonly<Record<string, string>>): Respond {
  return (response) => {
    response.writeHead(status, headers).end(text)
  }
}

/** Never answers. */
export const hang: Respond = () => {}

/** Closes the connection without an answer. */
export const reset: Respond = (response) => {
  response.socket?.resetAndDestroy()
}

/** Answers with the beginning of a body that never ends. */
export function hangAfter(headers: Readonly<Record<string, string>>, text: string): Respond {
  return (response) => {
    response.writeHead(200, headers).write(text)
  }
}

const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8' }

export interface Sending {
  /** Bytes of each write; everything at once by default. */
  readonly bytes?: number
  /** What happens once `events` are out: the stream ends, stays open, or breaks. */
  readonly ending?: 'end' | 'hang' | 'reset'
}

/** Answers with server-sent events. */
export function eventStream(events: readonly string[], { bytes = Infinity, ending = 'end' }: Sending = {}): Respond {
  return async (response) => {
    response.writeHead(200, EVENT_STREAM)
    response.socket?.setNoDelay()
    const all = Buffer.from(events.join(''))
    for (let start = 0; start < all.length && !response.destroyed; start += bytes) {
      response.write(all.subarray(start, start + bytes))
      if (bytes !== Infinity) await setImmediate()
    }
    if (ending === 'end') response.end()
    if (ending === 'reset') setTimeout(() => response.socket?.resetAndDestroy(), 20)
  }
}

/** Sends events one by one, each after the reader has confirmed that it wants another. */
export function stepwise(events: readonly string[], next: () => Promise<void>): Respond {
  return async (response) => {
    response.writeHead(200, EVENT_STREAM).flushHeaders()
    for (const event of events) {
      await next()
      if (response.destroyed) return
      response.write(event)
    }
    response.end()
  }
}
