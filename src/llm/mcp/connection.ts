import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport, SseError } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import { type ClientRequest, McpError, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import type { z } from 'zod'
import type { McpServerConfig } from '../../config/types.js'
import { timeout } from '../../lib/timeout.js'
import { VERSION } from '../../lib/version.js'
import type { Resolve } from '../../net/guardedAddress.js'
import { abortable, followed, waitFor } from '../signals.js'
import { CONNECTION_CLOSED, NeitherTransport } from './failure.js'
import type { McpLimits } from './limits.js'
import { createMessageFetch } from './messageFetch.js'
import { type CallResult, callResult, gatherTools, type ToolList, toolPage } from './messages.js'

export interface ConnectOptions {
  readonly limits: McpLimits
  readonly resolve: Resolve
  /** Gives up an attempt that is under way. */
  readonly signal: AbortSignal
  /** The connection is of no use any more. */
  readonly onLost?: () => void
  readonly onListChanged?: () => void
  /** The connection is closed, in whatever way. */
  readonly onClosed?: (connection: McpConnection) => void
}

type Transport = StreamableHTTPClientTransport | SSEClientTransport

const NAME = 'collections-hub'
const GOODBYE_MS = 1000

/**
 * Connects to a tool server by streamable HTTP or, where that fails in any way, by server-sent events. This module is what
 * loads the SDK.
 */
export async function connect(config: McpServerConfig, options: ConnectOptions): Promise<McpConnection> {
  try {
    return await connectBy(StreamableHTTPClientTransport, config, options)
  } catch (first) {
    options.signal.throwIfAborted()
    try {
      return await connectBy(SSEClientTransport, config, options)
    } catch (second) {
      throw new NeitherTransport(first, second)
    }
  }
}

async function connectBy(
  TransportClass: typeof StreamableHTTPClientTransport | typeof SSEClientTransport,
  { url, headers }: McpServerConfig,
  options: ConnectOptions
): Promise<McpConnection> {
  const { limits, resolve, signal, onLost, onListChanged } = options
  const fetch = createMessageFetch({
    headers,
    resolve,
    response_bytes: limits.response_bytes,
    getEvery_ms: limits.getEvery_ms,
    // The longest call and then some: a call that is given up lets go of its request by itself.
    exchange_ms: Math.max(limits.call_ms, limits.connect_ms, limits.list_ms) + GOODBYE_MS,
    onBroken: (id, error) =>
      transport.onmessage?.({
        jsonrpc: '2.0',
        id,
        // The error itself travels along, which no server can send: see `ownError`.
        error: { code: CONNECTION_CLOSED, message: error.message, data: error }
      })
  })
  const transport = new TransportClass(new URL(url), { fetch })
  const client = new Client({ name: NAME, version: VERSION })
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => onListChanged?.())
  client.onerror = (error) => {
    // The event source would connect again by itself, but to a session in which nobody has introduced himself. It is
    // closed a moment later because it sets its timer only after it has told of the error.
    if (error instanceof SseError) queueMicrotask(() => void client.close())
  }
  try {
    const connecting = client.connect(transport, { timeout: limits.connect_ms })
    await abortable(connecting, AbortSignal.any([signal, timeout(limits.connect_ms)]))
  } catch (error) {
    // A client that fails to connect leaves an event source behind that would try again for ever.
    await client.close()
    throw ownError(error)
  }
  if (onLost) client.onclose = onLost
  return new McpConnection(client, transport, options)
}

/** Where an error of the SDK was made of an answer that broke off, the error behind it. */
function ownError(error: unknown): unknown {
  return error instanceof McpError && error.data instanceof Error ? error.data : error
}

/** One open connection to a tool server. */
export class McpConnection {
  readonly #client: Client
  readonly #transport: Transport
  readonly #options: ConnectOptions
  #running = 0
  #retired = false
  #closing: Promise<void> | undefined

  constructor(client: Client, transport: Transport, options: ConnectOptions) {
    this.#client = client
    this.#transport = transport
    this.#options = options
  }

  /** The tools of the server that can be called plainly; an entry that is no tool is left out, not the whole list. */
  async listTools(): Promise<ToolList> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return { tools: [], isWhole: true }
    return gatherTools(this.#pages(), this.#options.limits.tools)
  }

  async *#pages(): AsyncGenerator<readonly unknown[], void> {
    const end_ms = performance.now() + this.#options.limits.list_ms
    let cursor: string | null | undefined
    do {
      const params = cursor == null ? {} : { cursor }
      const timeout = Math.max(1, Math.ceil(end_ms - performance.now()))
      const listed = await this.#ask({ method: 'tools/list', params }, toolPage, { timeout })
      yield listed.tools
      cursor = listed.nextCursor
    } while (cursor != null)
  }

  /** Calls a tool by the server's own name. Rejects where the signal is aborted. */
  async call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallResult> {
    const own = followed(signal)
    const options = { signal: own.signal, timeout: this.#options.limits.call_ms }
    const request = { method: 'tools/call' as const, params: { name, arguments: args } }
    return this.#ask(request, callResult, options).finally(own.release)
  }

  /** Closes the connection when what is running on it has ended. */
  retire(): void {
    this.#retired = true
    this.#closeWhenIdle()
  }

  /** Closes the connection at once; what is running on it fails. */
  async close(): Promise<void> {
    this.#closing ??= this.#disconnect().finally(() => this.#options.onClosed?.(this))
    await this.#closing
  }

  async #disconnect(): Promise<void> {
    const transport = this.#transport
    if (transport instanceof StreamableHTTPClientTransport) await waitFor(transport.terminateSession(), GOODBYE_MS)
    await this.#client.close()
  }

  async #ask<S extends z.ZodType>(request: ClientRequest, answer: S, options: RequestOptions): Promise<z.infer<S>> {
    this.#running++
    try {
      return await this.#client.request(request, answer, options)
    } catch (error) {
      throw ownError(error)
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
