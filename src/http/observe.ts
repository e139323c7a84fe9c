import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { AddressPolicy } from '../config/types.js'
import { Durations } from '../lib/histogram.js'
import { keptAddress } from '../net/address.js'
import type { RequestCount } from '../ops/measures.js'
import { maskedUrl } from './maskedUrl.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The account that has sent it; null where nobody is known to have. */
    userId: string | null
  }
  interface FastifyContextConfig {
    /** True for what answers whatever the load, and is no use of the hub. */
    isProbe?: true
  }
}

/**
 * Counts every request of a server when it is over, and logs it: one line at `debug`, or with `areLogged` one at `info` that
 * says who asked and how long it took; each from where as far as `addresses` lets it be kept by then.
 */
export function observeRequests(
  app: FastifyInstance,
  areLogged: boolean,
  addresses: () => AddressPolicy
): RequestCounts {
  const counts = new RequestCounts()
  app.decorateRequest('userId', null)
  app.addHook('onResponse', (request, reply, done) => {
    const { method, userId: user } = request
    const { url: route = UNKNOWN_ROUTE } = request.routeOptions
    const { statusCode: status, elapsedTime: took_ms } = reply
    const isStream = String(reply.raw.getHeader('content-type')).startsWith('text/event-stream')
    counts.add(method, route, status, took_ms, isStream)
    if (!areLogged) logRequest(request, reply, addresses)
    else {
      const [duration_ms, address] = [Math.round(took_ms * 10) / 10, keptAddress(request.ip, addresses())]
      request.log.info({ method, route, status, duration_ms, user, address }, 'request completed')
    }
    done()
  })
  return counts
}

type LoggedRequest = 'log' | 'method' | 'url' | 'ip'

/**
 * One line per request, at `debug`: the log of what was asked and how that ended, without secrets in the URL, and from where as far as
 * `addresses` lets it be kept.
 */
export function logRequest(
  { log, method, url, ip }: Pick<FastifyRequest, LoggedRequest>,
  { statusCode }: { readonly statusCode: number },
  addresses: () => AddressPolicy
): void {
  // What is not logged needs no mask.
  if (log.level !== 'debug' && log.level !== 'trace') return
  log.debug({ method, url: maskedUrl(url), address: keptAddress(ip, addresses()), status: statusCode }, 'request')
}

interface Counting extends RequestCount {
  count: number
}

/** What no route was found for: one name for all of it, or every URL that somebody tries would be counted by itself. */
const UNKNOWN_ROUTE = 'unknown'

/** Counts the requests of a server by method, route and status, all of which are few. */
export class RequestCounts {
  readonly #routes = new Map<string, Map<string, Counting>>()

  /** Counts one. What stays open for as long as its client likes says nothing about how long answers take. */
  add(method: string, route: string, status: number, took_ms: number, isStream: boolean): void {
    const known = this.#routes.get(route) ?? new Map<string, Counting>()
    if (known.size === 0) this.#routes.set(route, known)
    const key = `${method}${status}`
    let counting = known.get(key)
    if (!counting) {
      counting = { method, route, status, count: 0, durations: new Durations() }
      known.set(key, counting)
    }
    counting.count++
    if (!isStream) counting.durations.add(took_ms / 1000)
  }

  *[Symbol.iterator](): Generator<RequestCount> {
    for (const known of this.#routes.values()) yield* known.values()
  }
}

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
const LEVELS: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] satisfies Level[]
type ChildArguments = Parameters<FastifyBaseLogger['child']>

/**
 * The logger of one request, with its id, which is made when there is something to log: most requests have nothing, and
 * blotting secrets out of the id took a twentieth of the time of a small one.
 */
export class RequestLog implements FastifyBaseLogger {
  readonly #server: FastifyBaseLogger
  readonly #bindings: ChildArguments
  #made: FastifyBaseLogger | undefined

  constructor(server: FastifyBaseLogger, ...bindings: ChildArguments) {
    this.#server = server
    this.#bindings = bindings
  }

  get level(): string {
    return this.#server.level
  }

  child(...bindings: ChildArguments): FastifyBaseLogger {
    return this.#log.child(...bindings)
  }

  fatal(...line: readonly unknown[]): void {
    this.#write('fatal', line)
  }

  error(...line: readonly unknown[]): void {
    this.#write('error', line)
  }

  warn(...line: readonly unknown[]): void {
    this.#write('warn', line)
  }

  info(...line: readonly unknown[]): void {
    this.#write('info', line)
  }

  debug(...line: readonly unknown[]): void {
    this.#write('debug', line)
  }

  trace(...line: readonly unknown[]): void {
    this.#write('trace', line)
  }

  silent(...line: readonly unknown[]): void {
    this.#write('silent', line)
  }

  get #log(): FastifyBaseLogger {
    this.#made ??= this.#server.child(...this.#bindings)
    return this.#made
  }

  #write(level: Level, line: readonly unknown[]): void {
    // A level that is not here is nobody's to judge but the logger's.
    if (LEVELS.indexOf(this.level) > LEVELS.indexOf(level)) return
    Reflect.apply(this.#log[level], this.#log, line)
  }
}
