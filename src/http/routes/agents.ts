import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type Agent, toolsFor } from '../../agents/call.js'
import { serverModule } from '../../agents/load.js'
import { type AgentClient, clientOf, sessionId } from '../../agents/session.js'
import type { HubConfig } from '../../config/types.js'
import { errors } from '../../errors.js'
import { freeObject, LIMITS } from '../../limits.js'
import { LOOPBACK_NAMES } from '../../net/serverUrl.js'
import { refusal } from '../answers.js'
import { knownRefusal } from '../errors.js'
import { parse } from '../parse.js'
import { json, type Reply } from '../reply.js'
import { type RouteCall, routes } from '../route.js'

const PATH = '/mcp'
const SESSION = 'mcp-session-id'

const message = freeObject('One JSON-RPC message is expected.')
const jsonrpc = z.literal('2.0').describe('The version of JSON-RPC.')
/** What the protocol has for a message that is none of it, or of no session. */
const protocolRefusal = z.object({
  jsonrpc,
  error: z
    .object({
      code: z.int().describe('The code of the failure, as JSON-RPC has them.'),
      message: z.string().describe('Why, as a text.')
    })
    .describe('What is wrong.'),
  id: z.null().describe('Null: it answers no request.')
})
type McpCall = RouteCall<unknown, z.infer<typeof message>>

/** The hub as an MCP server (streamable HTTP): a message in, a message out, and nothing kept in between. */
export function agentRoutes(app: FastifyInstance): void {
  const route = routes(app, 'agents')
  const messages = {
    200: z.looseObject({ jsonrpc }),
    202: null,
    400: z.union([protocolRefusal, refusal]),
    404: z.union([protocolRefusal, refusal])
  }
  route('POST', PATH, 'sendMcpMessage', messages, {
    summary: 'Send a message of the Model Context Protocol',
    about:
      'The streamable HTTP transport: one JSON-RPC message in, one out. `initialize` answers with `Mcp-Session-Id`, which later messages bring; nothing is kept in between. Agents read what the token may see, and write where `agentWrites` of the token is true. 404 where `agents.enabled` is off.',
    body: message,
    takes: 'content',
    takesKey: false,
    handle: async (call) => {
      requireServed(call)
      const { body, token, request, reply } = call
      requireBody(call)
      const isFirst = body.method === 'initialize'
      const client = isFirst ? NOBODY : sessionClient(request.headers[SESSION], token.hash)
      if ('refused' in client) return client.refused
      const { answerMessage } = await serverModule()
      const version = String(request.headers['mcp-protocol-version'] ?? '')
      const { status, body: answer, introduced } = await answerMessage(agentOf(app, call, client), body, version)
      if (isFirst && introduced) reply.header(SESSION, sessionId(introduced, token.hash))
      return answer === '' ? { status, body: null } : json(answer, status)
    }
  })

  const never = {}
  for (const [method, operation, summary, why] of [
    [
      'GET',
      'openMcpStream',
      'Ask for a stream of notifications, which there is not',
      'the hub sends nothing of itself'
    ],
    ['DELETE', 'endMcpSession', 'End a session, of which there is none', 'no session is kept']
  ] as const) {
    route(method, PATH, operation, never, {
      summary,
      about: `The protocol knows it and this hub does not: it is always refused, with 405, since ${why}.`,
      refuses: [404, 405],
      handle: async (call) => {
        requireServed(call)
        throw errors.agentsOnlyPost()
      }
    })
  }
}

/** A client that has not said who it is: it can only say so. */
const NOBODY: AgentClient = { name: '', version: '' }

function requireServed({ hub: { config }, request }: Pick<McpCall, 'hub' | 'request'>): void {
  if (!config.agents.enabled) throw errors.agentsOff()
  const { origin } = request.headers
  if (origin !== undefined && !isTaken(origin, config.server)) throw errors.originRefused()
}

/**
 * True for pages of this machine, of the hub's public address and of the origins that may read its answers. A page of any other origin
 * has no business here, whatever address its name leads to (DNS rebinding).
 */
function isTaken(origin: string, { publicUrl, cors }: Pick<HubConfig['server'], 'publicUrl' | 'cors'>): boolean {
  if (cors?.origins.some((one) => one === '*' || one === origin)) return true
  if (!URL.canParse(origin)) return false
  const { hostname, origin: own } = new URL(origin)
  return LOOPBACK_NAMES.has(hostname) || (publicUrl !== undefined && new URL(publicUrl).origin === own)
}

const calling = z.object({ method: z.literal('tools/call'), params: z.object({ name: z.string() }) })

/** Of requests only one that brings content may be large. What is no request is refused for that. */
function requireBody({ body, token, request: { bodyBytes = 0 } }: McpCall): void {
  if (bodyBytes <= LIMITS.body.max || typeof body.method !== 'string') return
  const called = calling.safeParse(body).data?.params.name
  const mayBeLarge = called !== undefined && toolsFor(token).some(({ name, writes }) => writes && name === called)
  if (!mayBeLarge) throw errors.bodyTooLarge(LIMITS.body.max)
}

/** The client of the session that a request is of, or the answer where it is of none. */
function sessionClient(
  id: string | string[] | undefined,
  tokenHash: string
): AgentClient | { readonly refused: Reply } {
  if (typeof id !== 'string') return { refused: protocolError(400, `Send ${SESSION}, as initialize has answered it.`) }
  return clientOf(id, tokenHash) ?? { refused: protocolError(404, 'Session not found. Initialize again.') }
}

function protocolError(status: number, text: string): Reply {
  return json({ jsonrpc: '2.0', error: { code: -32_000, message: text }, id: null }, status)
}

function agentOf(app: FastifyInstance, call: McpCall, client: AgentClient): Agent {
  const { hub, caller, token, origin, request } = call
  return {
    ...{ ledger: hub.ledger, caller, token, client, origin, parse },
    isEncrypted: hub.config.collaboration.e2ee,
    refusal(error) {
      const known = knownRefusal(error)
      if (known !== error && !app.outages.takes(error)) request.log.error({ err: error }, 'a call of an agent failed')
      return known ?? errors.failed()
    }
  }
}
