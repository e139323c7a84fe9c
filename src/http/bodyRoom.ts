import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '../errors.js'
import { LIMITS } from '../limits.js'
import { whenOver } from '../net/responseOver.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Gives back the room that the request's body has taken, for one whose answer takes minutes. */
    letBodyGo: () => void
  }
}

/** A body that asks for room, and whose it is; null where nobody is known to have sent it. */
interface Waiting {
  readonly bytes: number
  readonly account: string | null
  readonly enter: () => void
}

/**
 * Room for the bodies that are held in memory at once, `most_bytes` together. Several of an account have half of it at most: where they
 * come slowly, there is room for others. Who finds none waits in line, and is refused when the line is long or the wait is: then nothing
 * of the body was read.
 */
export class BodyRoom {
  readonly #most_bytes: number
  readonly #wait_ms: number
  #taken_bytes = 0
  readonly #takenBy = new Map<string | null, number>()
  readonly #line: Waiting[] = []

  constructor(most_bytes: number, wait_ms: number = LIMITS.bodyWait.max) {
    this.#most_bytes = most_bytes
    this.#wait_ms = wait_ms
  }

  /** Calls back once there is room, with how to give it back, or with a refusal. At most the whole room is asked for. */
  enter(bytes: number, account: string | null, done: (error: Error | null, leave: () => void) => void): void {
    if (this.#line.length >= LIMITS.bodiesWaiting.max) {
      done(errors.busy(), nothing)
      return
    }
    const timer = setTimeout(() => {
      this.#line.splice(this.#line.indexOf(waiting), 1)
      done(errors.busy(), nothing)
      // It may have been the one that the others waited for.
      this.#admit()
    }, this.#wait_ms)
    const enter = () => {
      clearTimeout(timer)
      this.#take(account, bytes)
      const leave = () => {
        this.#take(account, -bytes)
        this.#admit()
      }
      done(null, once(leave))
    }
    const waiting = { bytes, account, enter }
    this.#line.push(waiting)
    this.#admit()
  }

  #admit(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      this.#line.splice(this.#line.indexOf(next), 1)
      next.enter()
    }
  }

  /** In the order of coming, but for those whose account has its share; undefined where there is no room for it. */
  #next(): Waiting | undefined {
    const next = this.#line.find((one) => this.#isShare(one))
    return next && this.#taken_bytes + next.bytes <= this.#most_bytes ? next : undefined
  }

  #isShare({ account, bytes }: Waiting): boolean {
    const own = account === null ? 0 : (this.#takenBy.get(account) ?? 0)
    return own === 0 || own + bytes <= this.#most_bytes / 2
  }

  #take(account: string | null, bytes: number): void {
    this.#taken_bytes += bytes
    const own = (this.#takenBy.get(account) ?? 0) + bytes
    if (own === 0) this.#takenBy.delete(account)
    else this.#takenBy.set(account, own)
  }
}

/** Lets bodies above `LIMITS.body` be read only while there is room for them, until they are answered. */
export function boundHeldBodies(app: FastifyInstance, content_bytes: number): void {
  const room = new BodyRoom(Math.max(LIMITS.bodiesHeld.max, content_bytes))
  app.decorateRequest('letBodyGo', nothing)
  app.addHook('onRoute', (route) => {
    // What takes no larger body needs no room.
    if ((route.bodyLimit ?? 0) <= LIMITS.body.max) return
    route.preParsing = (request, reply, payload, done) => {
      const bytes = expectedBytes(request)
      if (bytes <= LIMITS.body.max) return done(null, payload)
      room.enter(bytes, request.userId, (error, leave) => {
        if (error) return done(error)
        request.letBodyGo = leave
        whenOver(reply.raw, leave)
        done(null, payload)
      })
    }
  })
}

/**
 * Handles a call while there is room for its body, which is kept in memory until the call is done: longer than the room for
 * bodies that are read is taken. Where there is none, it is refused as `BodyRoom` does.
 */
export function holding<C extends { readonly request: Pick<FastifyRequest, 'bodyBytes' | 'userId'> }, T>(
  room: BodyRoom,
  handle: (call: C) => Promise<T>
): (call: C) => Promise<T> {
  return async (call) => {
    const { bodyBytes = 0, userId } = call.request
    const leave = await new Promise<() => void>((resolve, reject) =>
      room.enter(bodyBytes, userId, (error, leave) => (error ? reject(error) : resolve(leave)))
    )
    try {
      return await handle(call)
    } finally {
      leave()
    }
  }
}

/** What may come of a body that is going to be read; nothing where it will be refused for its length. */
function expectedBytes({ headers, routeOptions }: FastifyRequest): number {
  const { bodyLimit } = routeOptions
  const length = Number(headers['content-length'] ?? (headers['transfer-encoding'] === undefined ? 0 : bodyLimit))
  return length > bodyLimit ? 0 : length
}

function nothing(): void {}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
