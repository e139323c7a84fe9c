import type { FastifyInstance } from 'fastify'
import { errors } from '../../errors.js'
import type { HubProvider } from '../../live.js'
import { readInvite } from '../join/invite.js'
import { joinPage, pageHeaders } from '../join/page.js'
import { json } from '../reply.js'
import { routes } from '../route.js'

/** `GET /auth/session`. */
export function sessionRoutes(app: FastifyInstance): void {
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

/** Where the desktop's plugin page looks (section 4, Plugin sources). */
export function pluginRoutes(app: FastifyInstance): void {
  routes(app)('GET', '/plugins/sources', { access: 'any' }, async ({ hub }) => {
    const { catalogs, trusted } = hub.config.plugins
    return json({ catalogs, trusted })
  })
}

/** `POST /admin/config/reload`: reads the configuration file again (section 1, Runtime configuration file). */
export function reloadRoutes(app: FastifyInstance, live: HubProvider): void {
  routes(app)('POST', '/admin/config/reload', { access: 'admin', takesKey: false }, async ({ origin }) => {
    const report = await live.reload(origin)
    if (report.fatalError !== undefined) throw errors.configurationUnusable(report.fatalError, report)
    return json(report)
  })
}

/** `GET /join`, the page behind an invite link. Like the liveness probe it depends on nothing but the configuration. */
export function joinRoutes(app: FastifyInstance): void {
  app.get('/join', { config: { takes: 'small' } }, async ({ url, hub }, reply) => {
    const { scheme } = hub.config.client
    const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
    return reply.headers(pageHeaders).send(joinPage(readInvite(query), { scheme, now: new Date() }))
  })
}
