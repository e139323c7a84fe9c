import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  InitializeRequestSchema,
  isJSONRPCRequest,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type Tool as WireTool
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { errors, HubError } from '../errors.js'
import { remembered } from '../lib/remembered.js'
import { VERSION } from '../lib/version.js'
import { type Agent, callTool, toolNamed, toolsFor } from './call.js'
import { jsonSchemaOf } from './jsonSchema.js'
import { listResources, readResource, TEMPLATES } from './resources.js'
import { type AgentClient, clientNamed } from './session.js'
import type { Tool } from './tool.js'

export interface AgentAnswer {
  readonly status: number
  readonly body: string
  /** Who the client says that it is, where it has introduced itself with this message. */
  readonly introduced: AgentClient | null
}

const INSTRUCTIONS = `This hub keeps a team's API collections: folders of saved HTTP requests, Markdown documents, environments and snippets.
Find ids with search or list_collections, look at what a collection holds with get_collection, and read single records by their ids.
An answer has a bound: where it has a \`next\`, send that as \`cursor\` to go on.`

/** What is sent is JSON alone, so that whoever takes anything else is answered as well. */
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/**
 * Answers one JSON-RPC message. Nothing is kept of it: the server lives as long as the message. `protocol` is the version of the
 * protocol that the client says it speaks; empty where it says none.
 */
export async function answerMessage(agent: Agent, message: unknown, protocol: string): Promise<AgentAnswer> {
  const refused = refusalOf(agent, message)
  if (refused !== null) return { status: 200, body: JSON.stringify(refused), introduced: null }
  const server = serverFor(agent)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const headers = { ...HEADERS, ...(protocol !== '' && { 'mcp-protocol-version': protocol }) }
  await server.connect(transport)
  try {
    const request = new Request('http://hub/mcp', { method: 'POST', headers })
    const response = await transport.handleRequest(request, { parsedBody: message })
    const client = server.getClientVersion()
    return {
      status: response.status,
      body: await response.text(),
      introduced: client ? clientNamed(client) : null
    }
  } finally {
    await server.close()
  }
}

/** What has params of its own. */
const REQUESTS: readonly z.ZodObject[] = [
  InitializeRequestSchema,
  ListToolsRequestSchema,
  CallToolRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListResourcesRequestSchema,
  ReadResourceRequestSchema
]

/** The JSON-RPC error of a request whose params are not as the protocol has them; null for any other message. */
function refusalOf(agent: Agent, message: unknown): object | null {
  if (!isJSONRPCRequest(message)) return null
  const { method, id } = message
  const schema = REQUESTS.find((one) => one.shape.method.safeParse(method).success)
  try {
    if (schema) agent.parse(schema, message, 'body')
    return null
  } catch (error) {
    // The library would tell all that its schemas have to say, as JSON within a text.
    return { jsonrpc: '2.0', id, error: { code: ErrorCode.InvalidParams, message: agent.refusal(error).message } }
  }
}

function serverFor(agent: Agent): Server {
  const server = new Server(
    { name: 'collections-hub', version: VERSION },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: INSTRUCTIONS,
      // Only what a client would be asked for is validated with it, and nothing is asked.
      jsonSchemaValidator: { getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'Not asked' }) }
    }
  )
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
    safely(agent, async () => ({ tools: onOnePage(toolsFor(agent.token).map(wireTool), params?.cursor) }))
  )
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => called(agent, params))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, ({ params }) =>
    safely(agent, async () => ({ resourceTemplates: onOnePage(TEMPLATES, params?.cursor) }))
  )
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    safely(agent, () => listResources(agent, params?.cursor))
  )
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    safely(agent, () => readResource(agent, params.uri))
  )
  return server
}

/** A list that is never longer than a page; refuses to go on behind it. */
function onOnePage<T>(items: readonly T[], cursor: string | undefined): T[] {
  if (cursor !== undefined) throw errors.cursorUnknown()
  return [...items]
}

/** A tool as clients are told of it. Made once. */
const wireTool = remembered(described)

function described({ name, title, description, args, answer, writes, replaces = false }: Tool): WireTool {
  return {
    name,
    title,
    description,
    inputSchema: { ...jsonSchemaOf(args, 'input'), type: 'object' },
    outputSchema: { ...jsonSchemaOf(answer, 'output'), type: 'object' },
    // An update says which revision it is of: sent again, it is refused and changes nothing.
    annotations: {
      readOnlyHint: !writes,
      destructiveHint: replaces,
      idempotentHint: !writes || replaces,
      openWorldHint: false
    }
  }
}

async function called(agent: Agent, { name, arguments: given = {} }: CallParams): Promise<CallToolResult> {
  const tool = toolNamed(name)
  if (!tool) throw new ProtocolError(ErrorCode.InvalidParams, 'There is no such tool: list them with tools/list.')
  try {
    const structured = object.parse(tool.answer.parse(await callTool(agent, tool, given)))
    return { content: [{ type: 'text', text: JSON.stringify(structured) }], structuredContent: structured }
  } catch (error) {
    const { message } = agent.refusal(error)
    return { isError: true, content: [{ type: 'text', text: message }] }
  }
}

const object = z.record(z.string(), z.unknown())

interface CallParams {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

/**
 * A JSON-RPC error with exactly this text. The one of the library begins its text with the code, which clients of the library then
 * tell twice.
 */
class ProtocolError extends Error {
  constructor(
    readonly code: number,
    message: string
  ) {
    super(message)
  }
}

/** As the protocol has it; its library has no name for it. */
const RESOURCE_NOT_FOUND = -32_002

/** The result of some work, or a JSON-RPC error with the text of the refusal. */
async function safely<T>(agent: Agent, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { status, message } = error instanceof HubError ? error : agent.refusal(error)
    const code = status === 404 ? RESOURCE_NOT_FOUND : status < 500 ? ErrorCode.InvalidParams : ErrorCode.InternalError
    throw new ProtocolError(code, message)
  }
}
