import type { FastifyInstance } from 'fastify'
import { ASKED_SCOPES, PATHS, resourcesOf, rootOf } from '../../authorization/server.js'
import { anything, authorizationOf } from '../authorization/answers.js'
import { sendJson } from '../reply.js'
import { forAnybody } from '../route.js'

/** What programs learn of it first (RFC 8414, 9728). */
export function authorizationMetadataRoutes(app: FastifyInstance): void {
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
    const isWhole = path.endsWith('resource')
    const telling = forAnybody(
      'authorization',
      isWhole ? 'getProtectedResource' : 'getProtectedResourceOfAgents',
      isWhole ? 'Tell where programs get tokens' : 'Tell where programs get tokens for /mcp',
      { 200: anything },
      { refuses: [404], about: 'RFC 9728.' }
    )
    app.get(path, telling, async (request, reply) => {
      const { base } = authorizationOf(request.hub)
      const root = rootOf(base)
      const [agents, whole] = resourcesOf(base)
      return sendJson(request, reply, {
        resource: isWhole ? whole : agents,
        authorization_servers: [root],
        scopes_supported: ASKED_SCOPES,
        bearer_methods_supported: ['header']
      })
    })
  }

  const metadata = forAnybody(
    'authorization',
    'getAuthorizationServer',
    'Tell how programs get tokens',
    { 200: anything },
    { refuses: [404], about: 'RFC 8414.' }
  )
  app.get('/.well-known/oauth-authorization-server', metadata, async (request, reply) => {
    const root = rootOf(authorizationOf(request.hub).base)
    return sendJson(request, reply, {
      issuer: root,
      authorization_endpoint: root + PATHS.authorization,
      token_endpoint: root + PATHS.token,
      registration_endpoint: root + PATHS.registration,
      device_authorization_endpoint: root + PATHS.device_authorization,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
      token_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ASKED_SCOPES,
      authorization_response_iss_parameter_supported: true
    })
  })
}
