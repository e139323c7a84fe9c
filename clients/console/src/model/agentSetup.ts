/** How an agent program wants to be told of a server. */
export type Agent = 'json' | 'vscode' | 'claude' | 'curl'

export const AGENTS: readonly { readonly value: Agent; readonly label: string }[] = [
  { value: 'json', label: 'A configuration file (mcpServers)' },
  { value: 'vscode', label: 'VS Code (.vscode/mcp.json)' },
  { value: 'claude', label: 'Claude Code, as a command' },
  { value: 'curl', label: 'curl, to try it' }
]

const TOKEN = 'YOUR_TOKEN'
const NAME = 'collections-hub'

/** A configuration for an agent program, without a token. */
export function agentSetup(agent: Agent, url: string): string {
  const headers = { Authorization: `Bearer ${TOKEN}` }
  switch (agent) {
    case 'json':
      return JSON.stringify({ mcpServers: { [NAME]: { type: 'http', url, headers } } }, null, 2)
    case 'vscode':
      return JSON.stringify({ servers: { [NAME]: { type: 'http', url, headers } } }, null, 2)
    case 'claude':
      return `claude mcp add --transport http ${NAME} ${url} \\\n  --header "Authorization: Bearer ${TOKEN}"`
    case 'curl':
      return [
        `curl -s ${url} -H 'authorization: Bearer ${TOKEN}' \\`,
        `  -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' \\`,
        `  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`
      ].join('\n')
  }
}
