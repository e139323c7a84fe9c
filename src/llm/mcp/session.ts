import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { z } from 'zod'
import { LIMITS } from '../../limits.js'
import type { Connection } from './connect.js'
import { whyFailed } from './failure.js'
import type { McpLimits } from './limits.js'
import { type CallResult, callResult } from './result.js'

/** A tool as its server describes it. */
export interface ServerTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema?: Readonly<Record<string, unknown>> | undefined
}

/** What a server offers, as far as it is of use. */
export interface ToolList {
  readonly tools: readonly ServerTool[]
  /** False where there is more than the hub takes. */
  readonly isWhole: boolean
}

const MOST_PAGES = 64
// Entries that are no tools cost time as well.
const MOST_ENTRIES = 1000
const page = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() })
const serverTool = z.object({
  name: z.string().min(1).max(LIMITS.name.max),
  description: z.string().optional().catch(undefined),
  inputSchema: z.record(z.string(), z.unknown()).optional().catch(undefined),
  execution: z.object({ taskSupport: z.string().optional() }).optional().catch(undefined)
})

/** One open connection to a tool server. */
export class Session {
  readonly #connection: Connection
  readonly #limits: McpLimits
  readonly #onClosed: (session: Session) => void
  #running = 0
  #retired = false
  #closing: Promise<void> | undefined

  constructor(connection: Connection, limits: McpLimits, onClosed: (session: Session) => void) {
    this.#connection = connection
    this.#limits = limits
    this.#onClosed = onClosed
  }

  /** The tools of the server that can be called plainly; an entry that is no tool is left out, not the whole list. */
  async listTools(): Promise<ToolList> {
    const { client } = this.#connection
    if (client.getServerCapabilities()?.tools === undefined) return { tools: [], isWhole: true }
    const gathered = new GatheredTools(this.#limits.tools)
    const end_ms = performance.now() + this.#limits.list_ms
    let cursor: string | null | undefined
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const params = cursor == null ? {} : { cursor }
      const timeout = Math.max(1, Math.ceil(end_ms - performance.now()))
      const listed = await this.#run((open) => open.request({ method: 'tools/list', params }, page, { timeout }))
      cursor = listed.nextCursor
      if (!gathered.add(listed.tools) || cursor == null) break
    }
    return gathered
  }

  /** Calls a tool by the server's own name. Rejects with the reason of the signal when that is aborted. */
  async call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallResult> {
    signal.throwIfAborted()
    // The SDK never lets go of a signal that it was given, and the caller's serves many calls.
    const controller = new AbortController()
    const relay = () => controller.abort(signal.reason)
    signal.addEventListener('abort', relay)
    try {
      return await this.#run((client) =>
        client.request({ method: 'tools/call', params: { name, arguments: args } }, callResult, {
          signal: controller.signal,
          timeout: this.#limits.call_ms
        })
      )
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', relay)
    }
  }

  /** Closes the session when what is running on it has ended. */
  retire(): void {
    this.#retired = true
    this.#closeWhenIdle()
  }

  /** Closes the session at once; what is running on it fails. */
  async close(): Promise<void> {
    this.#closing ??= this.#connection.close().finally(() => this.#onClosed(this))
    await this.#closing
  }

  async #run<T>(work: (client: Client) => Promise<T>): Promise<T> {
    this.#running++
    try {
      return await work(this.#connection.client)
    } catch (error) {
      throw whyFailed(error)
    } finally {
      this.#running--
      this.#closeWhenIdle()
    }
  }

  #closeWhenIdle(): void {
    // Closing only ever fails to say goodbye.
    if (this.#retired && this.#running === 0) this.close().catch(() => undefined)
  }
}

/** Takes entries of a list until they are too many, or too large together; one that is too large is left out. */
class GatheredTools implements ToolList {
  readonly tools: ServerTool[] = []
  isWhole = true
  readonly #most: number
  #entries = 0
  #left_chars: number = LIMITS.toolDefinitions.max

  constructor(most: number) {
    this.#most = most
  }

  /** Takes the entries of a page; false where there is no room for more. */
  add(entries: readonly unknown[]): boolean {
    for (const entry of entries) {
      this.#entries += 1
      if (this.tools.length === this.#most || this.#entries > MOST_ENTRIES || this.#left_chars < 0) {
        this.isWhole = false
        return false
      }
      const tool = serverTool.safeParse(entry).data
      if (tool !== undefined && tool.execution?.taskSupport !== 'required') this.#take(tool)
    }
    return true
  }

  #take(tool: ServerTool): void {
    const chars = JSON.stringify(tool).length
    const fits = chars <= LIMITS.toolDefinition.max
    if (fits) this.#left_chars -= chars
    if (fits && this.#left_chars >= 0) this.tools.push(tool)
    else this.isWhole = false
  }
}
