import { type HubTool, type HubTools, SEARCH_DOCS, toolName } from './tools.js'

export interface HubToolSources {
  /** Tool servers. */
  readonly mcp: { tools(signal: AbortSignal): Promise<readonly HubTool[]> }
  /** Documentation search. */
  readonly docs: { available(): Promise<boolean>; readonly tool: HubTool }
}

/** The tools of a hub that has tool servers and can search documentation, or could. */
export function createHubTools({ mcp, docs }: HubToolSources): HubTools {
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
