import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport, SseError } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ErrorCode, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import type { McpServerConfig } from '../../config/types.js'
import { VERSION } from '../../version.js'
import { waitFor, within } from '../wait.js'
import { NeitherTransport } from './failure.js'
import type { McpLimits } from './limits.js'
import { createMessageFetch } from './messageFetch.js'
import type { Resolve } from './resolve.js'

export interface ConnectOptions {
  readonly limits: McpLimits
  readonly resolve: Resolve
  /** Gives up an attempt that is under way. */
  readonly signal: AbortSignal
  /** The connection is of no use any more. */
  readonly onLost: () => void
  readonly onListChanged: () => void
}

export interface Connection {
  readonly client: Client
  readonly close: () => Promise<void>
}

type Transport = StreamableHTTPClientTransport | SSEClientTransport

const NAME = 'collections-hub'
const GOODBYE_MS = 1000
// The stream on which a server sends what nobody asked for. It is a comfort only, so it is not fought for.
const RECONNECTION = {
  initialReconnectionDelay: 2000,
  reconnectionDelayGrowFactor: 2,
  maxReconnectionDelay: 30_000,
  maxRetries: 2
}

/** Connects to a tool server by streamable HTTP or, where that fails in any way, by server-sent events. */
export async function connect(config: McpServerConfig, options: ConnectOptions): Promise<Connection> {
  try {
    return await connectBy('streamable', config, options)
  } catch (first) {
    options.signal.throwIfAborted()
    try {
      return await connectBy('sse', config, options)
    } catch (second) {
      throw new NeitherTransport(first, second)
    }
  }
}

async function connectBy(
  kind: 'streamable' | 'sse',
  { url, headers }: McpServerConfig,
  { limits, resolve, signal, onLost, onListChanged }: ConnectOptions
): Promise<Connection> {
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
        // The error itself travels along, which no server can send: see `whyFailed`.
        error: { code: ErrorCode.ConnectionClosed, message: error.message, data: error }
      })
  })
  const target = new URL(url)
  const transport: Transport =
    kind === 'streamable'
      ? new StreamableHTTPClientTransport(target, { fetch, reconnectionOptions: RECONNECTION })
      : new SSEClientTransport(target, { fetch })
  const client = new Client({ name: NAME, version: VERSION })
  client.setNotificationHandler(ToolListChangedNotificationSchema, onListChanged)
  client.onerror = (error) => {
    // The event source would connect again by itself, but to a session in which nobody has introduced himself. It is
    // closed a moment later because it sets its timer only after it has told of the error.
    if (error instanceof SseError) queueMicrotask(() => void client.close())
  }
  try {
    await within(client.connect(transport, { timeout: limits.connect_ms }), limits.connect_ms, signal)
  } catch (error) {
    // A client that fails to connect leaves an event source behind that would try again for ever.
    await client.close()
    throw error
  }
  client.onclose = onLost
  return { client, close: () => disconnect(client, transport) }
}

async function disconnect(client: Client, transport: Transport): Promise<void> {
  if (transport instanceof StreamableHTTPClientTransport) {
    await waitFor(transport.terminateSession(), GOODBYE_MS, new AbortController().signal)
  }
  await client.close()
}
