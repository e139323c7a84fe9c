import type { FastifyBaseLogger } from 'fastify'

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
