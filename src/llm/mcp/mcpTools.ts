import type { McpServerConfig } from '../../config/types.js'
import type { HubTool } from '../tools.js'
import { MCP_LIMITS, type McpClock, type McpLimits, systemClock } from './limits.js'
import { offeredNames } from './names.js'
import { type Resolve, systemResolve } from './resolve.js'
import type { ServerTool } from './session.js'
import { type McpLog, ToolServer, type ToolServerOptions } from './toolServer.js'

export interface McpToolsOptions {
  readonly log: McpLog
  readonly limits?: Partial<McpLimits>
  readonly clock?: McpClock
  readonly resolve?: Resolve
}

interface Entry {
  readonly key: string
  readonly server: ToolServer
}

const ANY_OBJECT = { type: 'object', properties: {}, additionalProperties: true }

/** The tool servers of the configuration. Nothing is connected before a chat asks for tools. */
export class McpTools {
  readonly #options: ToolServerOptions
  #entries: readonly Entry[] = []
  /** Servers that are configured no more, on which calls may still run. */
  #retired: readonly ToolServer[] = []

  constructor(config: readonly McpServerConfig[], options: McpToolsOptions) {
    this.#options = {
      log: options.log,
      limits: { ...MCP_LIMITS, ...options.limits },
      clock: options.clock ?? systemClock,
      resolve: options.resolve ?? systemResolve
    }
    this.reload(config)
  }

  /** The tools of every server that is there, in the order of the configuration. */
  async tools(signal: AbortSignal): Promise<readonly HubTool[]> {
    const listed = await Promise.all(
      this.#entries.map(async ({ server }, index) => hubTools(index, server, await server.tools(signal)))
    )
    return listed.flat()
  }

  /** Takes over a changed configuration. Servers whose entry is the same stay connected; calls that run go on. */
  reload(config: readonly McpServerConfig[]): void {
    const left = [...this.#entries]
    this.#entries = config.map((entry) => {
      const key = JSON.stringify(entry)
      const at = left.findIndex((old) => old.key === key)
      const [kept] = at === -1 ? [] : left.splice(at, 1)
      return kept ?? { key, server: new ToolServer(entry, this.#options) }
    })
    for (const { server } of left) server.retire()
    this.#retired = [...this.#retired, ...left.map(({ server }) => server)].filter(({ isOpen }) => isOpen)
  }

  /** Closes every connection; calls that run fail. */
  async close(): Promise<void> {
    const servers = [...this.#retired, ...this.#entries.map(({ server }) => server)]
    this.#entries = []
    await Promise.all(servers.map((server) => server.close()))
  }
}

function hubTools(index: number, server: ToolServer, tools: readonly ServerTool[]): readonly HubTool[] {
  const byName = new Map(tools.toReversed().map((tool) => [tool.name, tool]))
  const names = offeredNames(
    index,
    tools.map(({ name }) => name)
  )
  return [...names].map(([offered, name]) => ({
    definition: {
      type: 'function',
      function: {
        name: offered,
        description: byName.get(name)?.description || `MCP tool ${name}`,
        parameters: byName.get(name)?.inputSchema ?? ANY_OBJECT
      }
    },
    call: (args, signal) => server.call(name, args, signal)
  }))
}
