import type { FastifyRequest } from 'fastify'
import { rootOf } from '../../authorization/server.js'

/** Where an agent program without a token learns how to get one (RFC 9728, section 5.1); null where that is nowhere. */
export function metadataAddress({ hub, routeOptions }: FastifyRequest): string | null {
  const service = hub?.authorization
  if (!service || routeOptions?.url !== '/mcp') return null
  return `${rootOf(service.base)}/.well-known/oauth-protected-resource/mcp`
}
