import type { FastifyInstance } from 'fastify'
import { VERSION } from '../../version.js'
import { json } from '../reply.js'
import { routes } from '../route.js'

/** The path of what always answers. */
export const HEALTH = '/health'

/** `GET /health`, which depends on nothing, and `GET /auth/session`. */
export function sessionRoutes(app: FastifyInstance): void {
  app.get(HEALTH, { config: { takes: 'small' } }, async () => ({ status: 'ok', version: VERSION }))

  const route = routes(app)

  route('GET', '/auth/session', { access: 'any' }, async ({ caller, token }) => {
    const isUser = caller.role === 'user'
    return json({
      user: { id: caller.userId, name: caller.name, role: caller.role },
      token: { id: token.id, prefix: token.prefix },
      capabilities: { dataApi: isUser, managementApi: !isUser, llm: isUser && caller.llmAccess }
    })
  })
}
