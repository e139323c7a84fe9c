import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LIMITS, type Limit } from '../limits.js'

/** How many requests of one connection are worked on at once, and how many may wait behind them, over all connections. */
export type PipelineBounds = Readonly<Record<'pipelined' | 'pipelinedWaiting', Pick<Limit, 'max'>>>

/** The requests that wait on all connections, counted in place. */
export interface Waiting {
  requests: number
}

type Begin = (request: IncomingMessage, response: ServerResponse) => void

/**
 * What one connection asks before it has its answers. At most `LIMITS.pipelined` of its requests are worked on at once; what came
 * with them waits, and begins one by one, each in a turn of the event loop of its own, so that other connections have theirs
 * between. While anything waits, nothing more is read.
 */
export class Pipeline {
  readonly #socket: Socket
  readonly #begin: Begin
  readonly #inAll: Waiting
  readonly #bounds: PipelineBounds
  readonly #waiting: (readonly [IncomingMessage, ServerResponse])[] = []
  #unanswered = 0
  #isDue = false

  constructor(socket: Socket, begin: Begin, inAll: Waiting, bounds: PipelineBounds = LIMITS) {
    this.#socket = socket
    this.#begin = begin
    this.#inAll = inAll
    this.#bounds = bounds
    // The server reads on by itself whenever it has taken in a request.
    socket.on('resume', () => {
      if (this.#isHeld) socket.pause()
    })
    socket.once('close', () => {
      inAll.requests -= this.#waiting.length
      this.#waiting.length = 0
    })
  }

  /** The requests that have no whole answer yet. */
  get unanswered(): number {
    return this.#unanswered + this.#waiting.length
  }

  /** Begins with a request, or lets it wait; what would be too much ends the connection. */
  take(request: IncomingMessage, response: ServerResponse): void {
    if (this.#socket.destroyed) return
    if (!this.#isHeld && this.#hasPlace) this.#start(request, response)
    else if (this.#inAll.requests >= this.#bounds.pipelinedWaiting.max) this.#socket.destroy()
    else {
      this.#inAll.requests++
      this.#waiting.push([request, response])
      this.#socket.pause()
    }
  }

  get #isHeld(): boolean {
    return this.#waiting.length > 0
  }

  get #hasPlace(): boolean {
    return this.#unanswered < this.#bounds.pipelined.max
  }

  #start(request: IncomingMessage, response: ServerResponse): void {
    this.#unanswered++
    response.on('close', this.#onAnswered)
    this.#begin(request, response)
  }

  // One for all responses: what each had of its own would be kept until the next full collection.
  readonly #onAnswered = (): void => {
    this.#unanswered--
    this.#goOn()
  }

  #goOn(): void {
    if (this.#isDue || !this.#isHeld || !this.#hasPlace) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#next()
    })
  }

  #next(): void {
    const next = this.#waiting.shift()
    if (!next) return
    this.#inAll.requests--
    this.#start(...next)
    if (this.#isHeld) this.#goOn()
    else this.#socket.resume()
  }
}
