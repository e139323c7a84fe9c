import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js'
import { afterwards } from '../../support/afterwards.js'

export interface TestServer {
  readonly url: string
  readonly port: number
  /** What has been asked of the server, in order: `POST /mcp initialize`. */
  readonly requests: string[]
  readonly headers: IncomingHttpHeaders[]
  /** The MCP servers behind the sessions that were opened. */
  readonly sessions: McpServer[]
  stop(): Promise<void>
}

export interface TestServerOptions {
  readonly port?: number
  /** Puts its tools on the server of each session. */
  readonly tools?: (server: McpServer) => void
  /** Answers with plain JSON instead of an event stream. */
  readonly json?: boolean
}

/** A tool server on streamable HTTP, with sessions. */
export function streamableServer({ port, tools, json = false }: TestServerOptions = {}): Promise<TestServer> {
  const transports = new Map<string, StreamableHTTPServerTransport>()
  return listen(port, (record) => async (request, response) => {
    const body = await bodyOf(request)
    record(request, body)
    const known = transports.get(String(request.headers['mcp-session-id']))
    if (known !== undefined) return known.handleRequest(request, response, body)
    if (methodOf(body) !== 'initialize') return response.writeHead(404).end('{"error":"Session not found"}')
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: json,
      onsessioninitialized: (id) => void transports.set(id, transport)
    })
    await record.session(tools).connect(transport)
    return transport.handleRequest(request, response, body)
  })
}

/** A tool server on the older transport with server-sent events; it refuses streamable HTTP. */
export function sseServer({ port, tools }: TestServerOptions = {}): Promise<TestServer> {
  const transports = new Map<string, SSEServerTransport>()
  return listen(port, (record) => async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (request.method === 'GET') {
      record(request, undefined)
      const transport = new SSEServerTransport('/messages', response)
      transports.set(transport.sessionId, transport)
      return record.session(tools).connect(transport)
    }
    const body = await bodyOf(request)
    record(request, body)
    const transport = transports.get(searchParams.get('sessionId') ?? '')
    if (pathname !== '/messages' || transport === undefined) return response.writeHead(404).end()
    return transport.handlePostMessage(request, response, body)
  })
}

/** A server without sessions that answers each JSON-RPC method with what it is told, right or wrong. */
export function scriptedServer(
  answers: Readonly<Record<string, object>>,
  onGet = (response: ServerResponse) => void response.writeHead(405).end()
): Promise<TestServer> {
  const capabilities = { tools: {} }
  const serverInfo = { name: 'scripted', version: '1.0.0' }
  const initialize = { result: { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities, serverInfo } }
  const script: Readonly<Record<string, object>> = { initialize, ...answers }
  return listen(undefined, (record) => async (request, response) => {
    const body = await bodyOf(request)
    record(request, body)
    if (request.method === 'GET') return onGet(response)
    const answer = script[methodOf(body)]
    if (answer === undefined || typeof body !== 'object' || body === null || !('id' in body))
      return response.writeHead(202).end()
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, ...answer }))
  })
}

/** Any HTTP server, for what no real tool server would do. */
export function plainServer(listener: RequestListener): Promise<TestServer> {
  return listen(undefined, (record) => async (request, response) => {
    record(request, undefined)
    listener(request, response)
  })
}

interface Recorder {
  (request: IncomingMessage, body: unknown): void
  session(tools: TestServerOptions['tools']): McpServer
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>

async function listen(port: number | undefined, handler: (record: Recorder) => Handler): Promise<TestServer> {
  const requests: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const sessions: McpServer[] = []
  const note = (request: IncomingMessage, body: unknown) => {
    const [path] = (request.url ?? '').split('?')
    requests.push([request.method, path, methodOf(body)].filter((part) => part !== '').join(' '))
    headers.push(request.headers)
  }
  const session = (tools: TestServerOptions['tools']) => {
    const capabilities = { tools: { listChanged: true } }
    const server = new McpServer({ name: 'test', version: '1.0.0' }, { capabilities })
    tools?.(server)
    sessions.push(server)
    return server
  }
  const handle = handler(Object.assign(note, { session }))
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await once(server.listen(port ?? 0, '127.0.0.1'), 'listening')
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  afterwards(stop)
  const listening = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${listening}/mcp`,
    port: listening,
    requests,
    headers,
    sessions,
    stop
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? undefined : JSON.parse(text)
}

function methodOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'method' in body ? String(body.method) : ''
}
