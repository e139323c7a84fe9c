import type { FastifyInstance } from 'fastify'
import { json } from '../reply.js'
import { routes } from '../route.js'

/** Where the desktop's plugin page looks (section 4, Plugin sources). */
export function pluginRoutes(app: FastifyInstance): void {
  routes(app)('GET', '/plugins/sources', { access: 'any' }, async ({ hub }) => {
    const { catalogs, trusted } = hub.config.plugins
    return json({ catalogs, trusted })
  })
}
