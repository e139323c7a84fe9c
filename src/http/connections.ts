import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errors, type HubError } from '../errors.js'
import { openFilesMax } from '../lib/openFiles.js'
import { LIMITS, type Limit } from '../limits.js'
import { failureText } from './failures.js'
import { Pipeline, type PipelineBounds } from './pipeline.js'

const SWEEP_INTERVAL_MS = 250

/** What is asked of those who send bodies, and many requests at once. */
type Bounds = Readonly<Record<'bodyGrace' | 'bodyRate' | 'unreadBody' | 'unreadTime', Pick<Limit, 'max'>>> &
  PipelineBounds

/** An open connection, changed in place. */
interface Connection {
  /** Null where no request of it has begun yet. */
  exchange: Exchange | null
  readonly pipeline: Pipeline
}

/** The request of a connection that has begun last. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly begun_ms: number
  /** What had come over the connection when it began. */
  readonly before_bytes: number
  /** Where it stood when it was seen that it was answered before its body had come. */
  answered?: { readonly at_ms: number; readonly bytes: number }
}

/**
 * The open connections of a server, before what it does with their requests: each has its `Pipeline`. Bodies that come too slowly
 * end with 408, and what comes of a body after its request was answered is taken up to a bound: `LIMITS.bodyGrace`, `bodyRate`,
 * `unreadBody`, `unreadTime`.
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>()
  readonly #timer: NodeJS.Timeout
  readonly #bounds: Bounds

  constructor(server: Server, bounds: Bounds = LIMITS) {
    this.#bounds = bounds
    const handlers = server.listeners('request')
    server.removeAllListeners('request')
    const handle = (request: IncomingMessage, response: ServerResponse) => {
      for (const handler of handlers) Reflect.apply(handler, server, [request, response])
    }
    const waiting = { requests: 0 }
    // The other half is for the database, logs, and whatever requests need.
    const most = Math.min(LIMITS.connections.max, openFilesMax() / 2)
    server.on('connection', (socket) => {
      if (this.#open.size >= most) return void socket.destroy()
      const begin = (request: IncomingMessage, response: ServerResponse) => {
        connection.exchange = { request, response, begun_ms: performance.now(), before_bytes: socket.bytesRead }
        handle(request, response)
      }
      const connection: Connection = { exchange: null, pipeline: new Pipeline(socket, begin, waiting, bounds) }
      this.#open.set(socket, connection)
      socket.once('close', () => this.#open.delete(socket))
    })
    server.on('request', (request, response) => {
      const { pipeline } = this.#open.get(request.socket) ?? {}
      if (pipeline) pipeline.take(request, response)
      else handle(request, response)
    })
    server.on('connect', ({ socket }) => this.#close(socket, errors.badRequest()))
    this.#timer = setInterval(() => this.#sweep(performance.now()), SWEEP_INTERVAL_MS).unref()
  }

  /** Ends the watch, not the connections. */
  stop(): void {
    clearInterval(this.#timer)
  }

  /** Closes the connections that have sent no request. */
  closeSilent(): void {
    for (const [socket, { exchange }] of this.#open) if (!exchange) socket.destroy()
  }

  /** Closes the connections that wait for more of their request, or for the next one. */
  closeUnfinished(): void {
    for (const [socket, { exchange }] of this.#open) {
      if (!exchange?.request.complete || exchange.response.writableFinished) socket.destroy()
    }
  }

  /** Answers what is no request, or has not come in time, and closes its connection. */
  refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    this.#close(socket, refusalOf(error.code))
  }

  #close(socket: Socket, refusal: HubError): void {
    const { exchange, pipeline } = this.#open.get(socket) ?? {}
    const isAnswering = exchange ? exchange.response.headersSent && isUnfinished(exchange.response) : false
    const isBehindOthers = pipeline !== undefined && pipeline.unanswered > 1
    // Whoever is being answered must not read a second answer inside the first.
    if (isAnswering || isBehindOthers || !socket.writable) socket.destroy()
    else close(socket, refusal, this.#acceptedOn(socket))
  }

  /** What the request accepts that is on its way, where its headers have come. */
  #acceptedOn(socket: Socket): string | undefined {
    const exchange = this.#open.get(socket)?.exchange
    return exchange?.request.complete ? undefined : exchange?.request.headers.accept
  }

  #sweep(now_ms: number): void {
    for (const [socket, { exchange }] of this.#open) {
      if (!exchange || exchange.request.complete) continue
      if (exchange.response.headersSent) {
        exchange.answered ??= { at_ms: now_ms, bytes: socket.bytesRead }
        if (this.#isOver(socket, exchange.answered, now_ms)) socket.destroy()
      } else if (this.#isSlow(socket, exchange, now_ms)) this.#close(socket, errors.requestLate())
    }
  }

  #isOver({ bytesRead }: Socket, { at_ms, bytes }: { at_ms: number; bytes: number }, now_ms: number): boolean {
    return now_ms - at_ms > this.#bounds.unreadTime.max || bytesRead - bytes > this.#bounds.unreadBody.max
  }

  #isSlow({ bytesRead }: Socket, { begun_ms, before_bytes }: Exchange, now_ms: number): boolean {
    const counted_ms = now_ms - begun_ms - this.#bounds.bodyGrace.max
    return bytesRead - before_bytes < (counted_ms / 1000) * this.#bounds.bodyRate.max
  }
}

function isUnfinished({ writableFinished, destroyed }: ServerResponse): boolean {
  return !writableFinished && !destroyed
}

function refusalOf(code: string | undefined): HubError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errors.requestLate()
  if (code === 'HPE_HEADER_OVERFLOW') return errors.headersTooLarge()
  return errors.badRequest()
}

function close(socket: Socket, refusal: HubError, accept: string | undefined): void {
  const { status } = refusal
  const { contentType, text } = failureText({ accept, id: undefined }, refusal)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(text)}`
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
}
