import type { DocsSearch } from './docs/docsSearch.js'
import type { McpTools } from './mcp/mcpTools.js'

/**
 * A tool as a model is told of it: an OpenAI function tool, `{type: 'function', function: {name, ...}}`. Clients send
 * theirs as free objects, and they go to the provider as they came.
 */
export type ToolDefinition = Readonly<Record<string, unknown>>

/** Where the hub's tools report what administrators should know; a pino logger is one. */
export interface LlmLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

/** A tool that the hub executes itself. */
export interface HubTool extends CallableTool {
  readonly definition: ToolDefinition
}

export type ToolArguments = Readonly<Record<string, unknown>>

export interface CallableTool {
  /** Runs it. What goes wrong inside the tool is a result with `ok: false`; only an abort may reject. */
  call(args: ToolArguments, signal: AbortSignal): Promise<HubToolResult>
}

export interface HubToolResult {
  /** What the model is given. */
  readonly text: string
  readonly ok: boolean
}

/** What a model is told where a tool has failed. */
export function failedTool(error: string): HubToolResult {
  return { text: JSON.stringify({ error }), ok: false }
}

/** The tools of one hub: those of its tool servers, in their order, and documentation search. */
export interface HubTools {
  /**
   * What one step works with. `clientTools` come after the hub's own; the definition of `search_docs`, which only
   * clients bring, is left out where the hub cannot search. A tool server that fails is left out, never an error.
   */
  offered(clientTools: readonly ToolDefinition[], signal: AbortSignal): Promise<OfferedTools>
}

export interface OfferedTools {
  /** The merged list to send to the provider. */
  readonly tools: readonly ToolDefinition[]
  find(name: string): CallableTool | null
}

export const SEARCH_DOCS = 'search_docs'
const HUB_TOOL = /^hubmcp__\d+__/

/** True for the names that the hub keeps for its own tools, whether or not such a tool exists: no client knows them. */
export function isHubToolName(name: string): boolean {
  return name === SEARCH_DOCS || HUB_TOOL.test(name)
}

/** The name of a function tool; null for anything that is none. */
export function toolName({ type, function: described }: ToolDefinition): string | null {
  if (type !== 'function' || typeof described !== 'object' || described === null || !('name' in described)) return null
  return typeof described.name === 'string' ? described.name : null
}

/** The tools of a hub: those of its tool servers, and the search of its documentation where it can. */
export function createHubTools(mcp: Pick<McpTools, 'tools'>, docs: Pick<DocsSearch, 'available' | 'tool'>): HubTools {
  return {
    async offered(clientTools, signal) {
      const asksForDocs = clientTools.some((tool) => toolName(tool) === SEARCH_DOCS)
      const [own, canSearch] = await Promise.all([mcp.tools(signal), asksForDocs && docs.available()])
      const byName = new Map(own.map((tool) => [toolName(tool.definition), tool]))
      const fromClient = clientTools.filter((tool) => {
        const name = toolName(tool)
        // A provider refuses a list in which a name occurs twice, and calls by that name are carried out here.
        return name === SEARCH_DOCS ? canSearch : name === null || !byName.has(name)
      })
      return {
        tools: [...own.map(({ definition }) => definition), ...fromClient],
        // Also where it is not offered: a model that calls it nevertheless is told why it cannot have it.
        find: (name) => (name === SEARCH_DOCS ? docs.tool : (byName.get(name) ?? null))
      }
    }
  }
}
