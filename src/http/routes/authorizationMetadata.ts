import type { FastifyInstance } from 'fastify'
import { ASKED_SCOPES, PATHS, resourcesOf, rootOf } from '../../authorization/server.js'
import { anything, authorizationOf } from '../authorization/answers.js'
import { openRoutes } from '../openRoute.js'
import { json } from '../reply.js'

const told = { 200: anything }

/** What programs learn of it first (RFC 8414, 9728). */
export function authorizationMetadataRoutes(app: FastifyInstance): void {
  const route = openRoutes(app, 'authorization')
  for (const [path, operation, summary, i] of [
    ['', 'getProtectedResource', 'Tell where programs get tokens', 1],
    ['/mcp', 'getProtectedResourceOfAgents', 'Tell where programs get tokens for /mcp', 0]
  ] as const) {
    route('GET', `/.well-known/oauth-protected-resource${path}`, operation, told, {
      summary,
      about: 'RFC 9728.',
      refuses: [404],
      handle: async ({ request }) => {
        const { base } = authorizationOf(request.hub)
        return json({
          resource: resourcesOf(base)[i],
          authorization_servers: [rootOf(base)],
          scopes_supported: ASKED_SCOPES,
          bearer_methods_supported: ['header']
        })
      }
    })
  }

  route('GET', '/.well-known/oauth-authorization-server', 'getAuthorizationServer', told, {
    summary: 'Tell how programs get tokens',
    about: 'RFC 8414.',
    refuses: [404],
    handle: async ({ request }) => {
      const root = rootOf(authorizationOf(request.hub).base)
      return json({
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
    }
  })
}
