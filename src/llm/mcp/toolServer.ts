import type { McpServerConfig } from '../../config/types.js'
import type { HubToolResult } from '../tools.js'
import { waitFor } from '../wait.js'
import { connect } from './connect.js'
import { failureText, isConnectionLost, isTimeout, loggedFailure, ServerUnavailable } from './failure.js'
import { type McpClock, type McpLimits, pauseAfter } from './limits.js'
import { SessionGone } from './refusal.js'
import type { Resolve } from './resolve.js'
import { textOfResult, toolFailure } from './result.js'
import { type ServerTool, Session } from './session.js'

export interface ToolServerOptions {
  readonly limits: McpLimits
  readonly clock: McpClock
  readonly resolve: Resolve
  readonly log: McpLog
}

/** Where failures of tool servers are reported; a pino logger is one. */
export interface McpLog {
  warn(details: object, message: string): void
}

interface Work {
  readonly promise: Promise<void>
  readonly since_ms: number
}

/**
 * One configured tool server: its connection, opened when it is first needed and again when it has been lost, and the
 * list of its tools. However many chats need it, it is dialled once at a time.
 */
export class ToolServer {
  readonly #config: McpServerConfig
  readonly #options: ToolServerOptions
  readonly #closed = new AbortController()
  /** Every session that is not closed yet, with those that are being opened or only finish what runs on them. */
  readonly #sessions = new Set<Session>()
  #session: Session | null = null
  #tools: readonly ServerTool[] = []
  #listedAt_ms = 0
  #listChanged = false
  #work: Work | null = null
  #failures = 0
  #pausedUntil_ms = Number.NEGATIVE_INFINITY
  #ended = false

  constructor(config: McpServerConfig, options: ToolServerOptions) {
    this.#config = config
    this.#options = options
  }

  /** The tools of the server; none when it is not there, or does not come up in the time that a chat waits for it. */
  async tools(signal: AbortSignal): Promise<readonly ServerTool[]> {
    await this.#prepare(signal, this.#options.limits.wait_ms)
    return this.#session === null ? [] : this.#tools
  }

  /** Calls a tool by the server's own name. What goes wrong is a result; only an abort rejects. */
  async call(tool: string, args: unknown, signal: AbortSignal): Promise<HubToolResult> {
    const { limits, log } = this.#options
    try {
      const result = await this.#callOn(await this.#open(signal), tool, recordOf(args), signal)
      return textOfResult(result, limits.result_bytes)
    } catch (error) {
      signal.throwIfAborted()
      const text = failureText(error, this.#config.name, limits.call_ms)
      log.warn({ server: this.#config.name, tool, ...loggedFailure(error) }, 'A tool of a tool server failed')
      return toolFailure(text, limits.result_bytes)
    }
  }

  /** Takes no more calls, and closes the connection when those that are running have ended. */
  retire(): void {
    this.#ended = true
    this.#drop(this.#session)
  }

  /** True while a connection is open or being opened. */
  get isOpen(): boolean {
    return this.#sessions.size > 0 || this.#work !== null
  }

  /** Closes the connection at once; calls that run fail. */
  async close(): Promise<void> {
    this.#ended = true
    this.#session = null
    this.#closed.abort()
    await Promise.all([...this.#sessions].map((session) => session.close()))
    await this.#work?.promise
  }

  async #callOn(session: Session, tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal) {
    try {
      return await session.call(tool, args, signal)
    } catch (error) {
      signal.throwIfAborted()
      // A server that leaves calls unanswered may be alive all the same: whether it is, its list of tools will tell.
      if (isTimeout(error)) this.#listChanged = true
      if (isConnectionLost(error)) this.#drop(session)
      if (!(error instanceof SessionGone)) throw error
    }
    // The server has been started anew and knows nothing of the session; the call was not carried out.
    return (await this.#open(signal)).call(tool, args, signal)
  }

  async #open(signal: AbortSignal): Promise<Session> {
    if (this.#session === null) await this.#prepare(signal, this.#options.limits.call_ms)
    signal.throwIfAborted()
    if (this.#session === null) throw new ServerUnavailable(`${this.#config.name} is not connected`)
    return this.#session
  }

  /** Brings connection and list up to date, or waits for whoever is doing so. Never rejects. */
  async #prepare(signal: AbortSignal, wait_ms: number): Promise<void> {
    const { clock } = this.#options
    if (this.#work === null) {
      if (!this.#isDue()) return
      const promise = this.#update().finally(() => {
        this.#work = null
      })
      this.#work = { promise, since_ms: clock.now() }
    }
    // A server that is slow costs the chats that meet it this wait once, not each of them.
    const left_ms = wait_ms - (clock.now() - this.#work.since_ms)
    await waitFor(this.#work.promise, left_ms, signal)
  }

  #isDue(): boolean {
    const now = this.#options.clock.now()
    if (this.#ended) return false
    if (this.#session === null) return now >= this.#pausedUntil_ms
    return this.#listChanged || now - this.#listedAt_ms >= this.#options.limits.listAge_ms
  }

  async #update(): Promise<void> {
    const { limits, clock, log } = this.#options
    try {
      if (this.#session !== null) await this.#list(this.#session).catch(() => this.#drop(this.#session))
      if (this.#session === null) await this.#dial()
      this.#failures = 0
    } catch (error) {
      if (this.#ended) return
      const pause_ms = pauseAfter(++this.#failures, limits, clock.random())
      this.#pausedUntil_ms = clock.now() + pause_ms
      const details = { server: this.#config.name, failures: this.#failures, pause_ms: Math.round(pause_ms) }
      log.warn({ ...details, ...loggedFailure(error) }, 'A tool server is left out')
    }
  }

  async #dial(): Promise<void> {
    let session: Session | null = null
    const connection = await connect(this.#config, {
      limits: this.#options.limits,
      resolve: this.#options.resolve,
      signal: this.#closed.signal,
      onLost: () => this.#drop(session),
      onListChanged: () => {
        this.#listChanged = true
      }
    })
    session = new Session(connection, this.#options.limits, (closed) => this.#sessions.delete(closed))
    this.#sessions.add(session)
    try {
      await this.#list(session)
      if (this.#ended) session.retire()
      else this.#session = session
    } catch (error) {
      session.retire()
      throw error
    }
  }

  async #list(session: Session): Promise<void> {
    const { clock, log } = this.#options
    // Before the answer, so that a change while the list is on its way counts.
    this.#listChanged = false
    const { tools, isWhole } = await session.listTools()
    this.#tools = tools
    this.#listedAt_ms = clock.now()
    if (isWhole) return
    log.warn({ server: this.#config.name, used: tools.length }, 'A tool server has too many tools, or too large ones')
  }

  #drop(session: Session | null): void {
    session?.retire()
    if (this.#session === session) this.#session = null
  }
}

function recordOf(args: unknown): Readonly<Record<string, unknown>> {
  return typeof args === 'object' && args !== null && !Array.isArray(args) ? { ...args } : {}
}
