import { createHash } from 'node:crypto'
import type { McpServerConfig } from '../../config/types.js'
import { type Resolve, systemResolve } from '../../net/guardedAddress.js'
import type { HubTool, LlmLog } from '../tools.js'
import type { McpConnection } from './connection.js'
import { MCP_LIMITS, type McpClock, type McpLimits, systemClock } from './limits.js'
import type { ServerTool } from './messages.js'
import { ToolServer, type ToolServerOptions } from './toolServer.js'

export interface McpToolsOptions {
  readonly log: LlmLog
  readonly limits?: Partial<McpLimits>
  readonly clock?: McpClock
  readonly resolve?: Resolve
}

const ANY_OBJECT = { type: 'object', properties: {}, additionalProperties: true }

/** The tool servers of the configuration. Nothing is connected before `connect`, or a chat asks for tools. */
export class McpTools {
  readonly #options: ToolServerOptions
  readonly #closed = new AbortController()
  readonly #connections = new Set<McpConnection>()
  #servers: readonly ToolServer[] = []

  constructor(config: readonly McpServerConfig[], options: McpToolsOptions) {
    this.#options = {
      log: options.log,
      limits: { ...MCP_LIMITS, ...options.limits },
      clock: options.clock ?? systemClock,
      resolve: options.resolve ?? systemResolve,
      closed: this.#closed.signal,
      connections: this.#connections
    }
    this.reload(config)
  }

  /** The tools of every server that is there, in the order of the configuration. */
  async tools(signal: AbortSignal): Promise<readonly HubTool[]> {
    const listed = await Promise.all(
      this.#servers.map(async (server, index) => hubTools(index, server, await server.tools(signal)))
    )
    return listed.flat()
  }

  /** Takes over a changed configuration. Servers whose entry is the same stay connected; calls that run go on. */
  reload(config: readonly McpServerConfig[]): void {
    const left = [...this.#servers]
    this.#servers = config.map((entry) => {
      const at = left.findIndex((server) => server.isFor(entry))
      const [kept = new ToolServer(entry, this.#options)] = at === -1 ? [] : left.splice(at, 1)
      return kept
    })
    for (const server of left) server.retire()
  }

  /** Begins to connect to every server, so that the first chat need not wait for that, and waits for none. */
  connect(): void {
    for (const server of this.#servers) server.connect()
  }

  /** Closes every connection; calls that run fail. */
  async close(): Promise<void> {
    this.#servers = []
    this.#closed.abort()
    await Promise.all([...this.#connections].map((connection) => connection.close()))
  }
}

function hubTools(index: number, server: ToolServer, tools: readonly ServerTool[]): readonly HubTool[] {
  const offered = offeredNames(
    index,
    tools.map(({ name }) => name)
  )
  return [...offered].map(([offeredName, name]) => {
    const { description, inputSchema } = tools.find((tool) => tool.name === name) ?? {}
    const described = { description: description || `MCP tool ${name}`, parameters: inputSchema ?? ANY_OBJECT }
    return {
      definition: { type: 'function', function: { name: offeredName, ...described } },
      call: (args, signal) => server.call(name, args, signal)
    }
  })
}

const LONGEST_NAME = 64
const HASH_DIGITS = 10
const PLAIN = /^[a-zA-Z0-9_-]+$/

/**
 * The names under which the tools of the server at `index` are offered to models, as a map to the server's own names.
 * A name that providers would not take is shortened and marked with a hash of the whole, so that it stays the same
 * from step to step; of tools that would be offered under one name the first counts, or the one that is called so.
 */
export function offeredNames(index: number, names: readonly string[]): ReadonlyMap<string, string> {
  const prefix = `hubmcp__${index}__`
  const offered = new Map<string, string>()
  for (const name of names) {
    const isPlain = PLAIN.test(name) && prefix.length + name.length <= LONGEST_NAME
    const key = prefix + (isPlain ? name : shortened(name, LONGEST_NAME - prefix.length))
    if (isPlain || !offered.has(key)) offered.set(key, name)
  }
  return offered
}

function shortened(name: string, length: number): string {
  // The digit keeps the names that earlier releases gave.
  const hash = createHash('sha256').update(`0:${name}`).digest('hex').slice(0, HASH_DIGITS)
  return `${name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, length - HASH_DIGITS - 1)}_${hash}`
}
