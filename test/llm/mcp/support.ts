import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { McpServerConfig } from '../../../src/config/types.js'
import type { McpLimits } from '../../../src/llm/mcp/limits.js'
import { McpTools, type McpToolsOptions } from '../../../src/llm/mcp/mcpTools.js'
import { type HubTool, type HubToolResult, type ToolArguments, toolName } from '../../../src/llm/tools.js'
import { afterwards } from '../../support/afterwards.js'
import type { TestServer } from './servers.js'

/** Longer than any test may take: where one is not about waiting, its own limit ends it. */
const PATIENCE_MS = 600_000
const PATIENT = { wait_ms: PATIENCE_MS, connect_ms: PATIENCE_MS, list_ms: PATIENCE_MS, call_ms: PATIENCE_MS }

export const never = new AbortController().signal

/** A clock that stands still until it is told, and knows no chance. */
function manualClock() {
  let now_ms = 0
  return {
    now: () => now_ms,
    random: () => 0,
    advance(by_ms: number) {
      now_ms += by_ms
    }
  }
}

interface Warning {
  readonly details: object
  readonly message: string
}

export interface TestHub {
  readonly tools: McpTools
  readonly clock: ReturnType<typeof manualClock>
  readonly warnings: Warning[]
  readonly infos: Warning[]
}

/** Tool servers with limits that suit a test, a clock that stands still and a log to look at. */
export function hubWith(
  config: readonly McpServerConfig[],
  limits: Partial<McpLimits> = {},
  options: Partial<McpToolsOptions> = {}
): TestHub {
  const clock = manualClock()
  const warnings: Warning[] = []
  const infos: Warning[] = []
  const log = {
    info: (details: object, message: string) => void infos.push({ details, message }),
    warn: (details: object, message: string) => void warnings.push({ details, message })
  }
  const patient = { ...PATIENT, ...limits }
  const hub = { tools: new McpTools(config, { log, clock, limits: patient, ...options }), clock, warnings, infos }
  afterwards(() => hub.tools.close())
  return hub
}

/** A server, and a hub that knows it; both end with the test. */
export async function joined(starting: Promise<TestServer>, limits: Partial<McpLimits> = {}) {
  const server = await starting
  return { server, hub: hubWith([serverAt(server.url)], limits) }
}

/** The entry of a server in the configuration. */
export function serverAt(url: string, headers: McpServerConfig['headers'] = []): McpServerConfig {
  return { name: 'Test server', url, headers }
}

/** The names of what is offered. */
export function namesOf(tools: readonly HubTool[]): readonly (string | null)[] {
  return tools.map(({ definition }) => toolName(definition))
}

/** Calls the offered tool of that name. */
export async function callTool(
  { tools }: TestHub,
  name: string,
  args: ToolArguments = {},
  signal: AbortSignal = never
): Promise<HubToolResult> {
  const tool = (await tools.tools(signal)).find(({ definition }) => toolName(definition) === name)
  if (tool === undefined) throw new Error(`${name} is not offered`)
  return tool.call(args, signal)
}

/** One tool, `echo`, which says what it was given. */
export function echo(server: McpServer): void {
  const inputSchema = { text: z.string() }
  server.registerTool('echo', { description: 'Says it again', inputSchema }, ({ text }) => ({
    content: [{ type: 'text', text }]
  }))
}

/** One tool, `say`, which says this. */
export function saying(text: string): (server: McpServer) => void {
  return (server) => server.registerTool('say', {}, () => ({ content: [{ type: 'text', text }] }))
}

/** Waits for a condition; the time limit of the test is the limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
}
