import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CorsConfig } from '../config/types.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for pages of the hub itself, which pages of other origins never read, whatever the configuration says. */
    isSameOrigin?: true
  }
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const TAKEN = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Mcp-Protocol-Version',
  'Mcp-Session-Id',
  'User-Agent',
  'X-Api-Key',
  'X-Harbor-Tenant',
  'X-Request-Id'
]
/** What the libraries of OpenAI and Anthropic say of themselves: more with each version of them. */
const OF_LIBRARIES = /^(anthropic|openai|x-stainless)-[a-z-]{1,40}$/
const SHOWN = [
  'Allow',
  'Content-Disposition',
  'ETag',
  'Mcp-Session-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Next-Cursor',
  'X-Request-Id'
].join(', ')

/**
 * What lets web pages of the configured origins read an answer, and answers what their browsers ask before a request. It sets
 * headers of the bare response, so that answers which leave the framework carry them too. Not by @fastify/cors: that adds a
 * route which states no size of body, and its hook would come behind the refusals of an overloaded hub.
 */
export function originGate(cors: CorsConfig | undefined): (request: FastifyRequest, reply: FastifyReply) => void {
  if (!cors) return () => {}
  const isAny = cors.origins.includes('*')
  const origins = new Set(cors.origins)
  return ({ method, headers, routeOptions }, { raw }) => {
    if (routeOptions.config?.isSameOrigin) return
    const { origin } = headers
    if (!isAny) raw.setHeader('vary', 'Origin')
    if (origin === undefined || !(isAny || origins.has(origin))) return
    raw.setHeader('access-control-allow-origin', isAny ? '*' : origin)
    if (cors.credentials) raw.setHeader('access-control-allow-credentials', 'true')
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) {
      raw.setHeader('access-control-expose-headers', SHOWN)
      return
    }
    raw.setHeader('access-control-allow-methods', METHODS)
    const asked = headers['access-control-request-headers']?.split(',') ?? []
    const more = asked.map((name) => name.trim()).filter((name) => OF_LIBRARIES.test(name))
    raw.setHeader('access-control-allow-headers', [...TAKEN, ...more].join(', '))
    raw.setHeader('access-control-max-age', String(cors.maxAgeSeconds))
  }
}
