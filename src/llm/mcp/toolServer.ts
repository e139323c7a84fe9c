import { isDeepStrictEqual } from 'node:util'
import type { McpServerConfig } from '../../config/types.js'
import type { Resolve } from '../../net/guardedAddress.js'
import { waitFor } from '../signals.js'
import type { HubToolResult, LlmLog, ToolArguments } from '../tools.js'
import type { McpConnection } from './connection.js'
import { failureText, isConnectionLost, isTimeout, loggedFailure, ServerUnavailable, SessionGone } from './failure.js'
import { type McpClock, type McpLimits, pauseAfter } from './limits.js'
import { type ServerTool, textOfResult, toolFailure } from './messages.js'

export interface ToolServerOptions {
  readonly limits: McpLimits
  readonly clock: McpClock
  readonly resolve: Resolve
  readonly log: LlmLog
  /** Aborted when all that goes on has to end. */
  readonly closed: AbortSignal
  /** Every connection that is not closed yet, with those that only finish what runs on them. */
  readonly connections: Set<McpConnection>
}

const NEVER = Number.NEGATIVE_INFINITY

/**
 * One configured tool server: its connection, opened before it is needed and again when it is and has been lost, and the
 * list of its tools. However many chats need it, it is dialled once at a time.
 */
export class ToolServer {
  readonly #config: McpServerConfig
  readonly #options: ToolServerOptions
  #connection: McpConnection | null = null
  #tools: readonly ServerTool[] = []
  /** When the list was asked for; never, where there is a newer one. */
  #listedAt_ms = NEVER
  /** Connecting, or asking for the list. */
  #update: { readonly promise: Promise<void>; readonly since_ms: number } | null = null
  #failures = 0
  #pausedUntil_ms = NEVER
  #isRetired = false

  constructor(config: McpServerConfig, options: ToolServerOptions) {
    this.#config = config
    this.#options = options
  }

  /** True where this entry of a configuration says the same as the one that it is of. */
  isFor(entry: McpServerConfig): boolean {
    return isDeepStrictEqual(entry, this.#config)
  }

  /** Begins to connect where there is no connection, and waits for none. */
  connect(): void {
    void this.#prepare(this.#options.closed, 0)
  }

  /** The tools of the server; none when it is not there, or does not come up in the time that a chat waits for it. */
  async tools(signal: AbortSignal): Promise<readonly ServerTool[]> {
    const { limits, log } = this.#options
    await this.#prepare(signal, limits.wait_ms)
    if (this.#connection !== null) return this.#tools
    if (this.#update !== null && !signal.aborted)
      log.warn({ server: this.#config.name }, 'A chat goes without a tool server that is still being connected')
    return []
  }

  /** Calls a tool by the server's own name. What goes wrong is a result; only an abort rejects. */
  async call(tool: string, args: ToolArguments, signal: AbortSignal): Promise<HubToolResult> {
    const { limits, log } = this.#options
    try {
      const result = await this.#callOn(await this.#open(signal), tool, args, signal)
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
    this.#isRetired = true
    this.#drop(this.#connection)
  }

  get #hasEnded(): boolean {
    return this.#isRetired || this.#options.closed.aborted
  }

  async #callOn(connection: McpConnection, tool: string, args: ToolArguments, signal: AbortSignal) {
    try {
      return await connection.call(tool, args, signal)
    } catch (error) {
      signal.throwIfAborted()
      // A server that leaves calls unanswered may be alive all the same: whether it is, its list of tools will tell.
      if (isTimeout(error)) this.#listedAt_ms = NEVER
      if (isConnectionLost(error)) this.#drop(connection)
      if (!(error instanceof SessionGone)) throw error
    }
    // The server has been started anew and knows nothing of the session; the call was not carried out.
    return (await this.#open(signal)).call(tool, args, signal)
  }

  async #open(signal: AbortSignal): Promise<McpConnection> {
    if (this.#connection === null) await this.#prepare(signal, this.#options.limits.call_ms)
    if (this.#connection === null) throw new ServerUnavailable(`${this.#config.name} is not connected`)
    return this.#connection
  }

  /** Brings connection and list up to date, or waits for whoever is doing so. Never rejects. */
  async #prepare(signal: AbortSignal, wait_ms: number): Promise<void> {
    const { clock } = this.#options
    if (this.#update === null) {
      if (!this.#isDue()) return
      const promise = this.#bringUpToDate().finally(() => {
        this.#update = null
      })
      this.#update = { promise, since_ms: clock.now() }
    }
    // A server that is slow costs the chats that meet it this wait once, not each of them.
    const left_ms = wait_ms - (clock.now() - this.#update.since_ms)
    await waitFor(this.#update.promise, left_ms, signal)
  }

  #isDue(): boolean {
    const now = this.#options.clock.now()
    if (this.#hasEnded) return false
    if (this.#connection === null) return now >= this.#pausedUntil_ms
    return now - this.#listedAt_ms >= this.#options.limits.listAge_ms
  }

  async #bringUpToDate(): Promise<void> {
    const { limits, clock, log } = this.#options
    try {
      if (this.#connection !== null) await this.#list(this.#connection).catch(() => this.#drop(this.#connection))
      if (this.#connection === null) await this.#dial()
      this.#failures = 0
    } catch (error) {
      if (this.#hasEnded) return
      const pause_ms = pauseAfter(++this.#failures, limits, clock.random())
      this.#pausedUntil_ms = clock.now() + pause_ms
      const details = { server: this.#config.name, failures: this.#failures, pause_ms: Math.round(pause_ms) }
      log.warn({ ...details, ...loggedFailure(error) }, 'A tool server is left out')
    }
  }

  async #dial(): Promise<void> {
    // The SDK takes memory and time to load, which only a hub with tool servers should spend.
    const { connect } = await import('./connection.js')
    const { limits, resolve, closed, connections, log } = this.#options
    let connection: McpConnection | null = null
    connection = await connect(this.#config, {
      limits,
      resolve,
      signal: closed,
      onLost: () => this.#drop(connection),
      onListChanged: () => {
        this.#listedAt_ms = NEVER
      },
      onClosed: (gone) => connections.delete(gone)
    })
    connections.add(connection)
    try {
      await this.#list(connection)
      if (this.#hasEnded) return connection.retire()
      this.#connection = connection
      log.info({ server: this.#config.name, tools: this.#tools.length }, 'A tool server is connected')
    } catch (error) {
      connection.retire()
      throw error
    }
  }

  async #list(connection: McpConnection): Promise<void> {
    const { clock, log } = this.#options
    // Before the answer, so that a change while the list is on its way counts.
    this.#listedAt_ms = clock.now()
    const { tools, isWhole } = await connection.listTools()
    this.#tools = tools
    if (isWhole) return
    log.warn({ server: this.#config.name, used: tools.length }, 'A tool server has too many tools, or too large ones')
  }

  #drop(connection: McpConnection | null): void {
    connection?.retire()
    if (this.#connection === connection) this.#connection = null
  }
}
