import type { FastifyInstance } from 'fastify'
import type { Entrance } from '../../live.js'
import { json } from '../reply.js'
import { routes } from '../route.js'

/** `POST /admin/config/reload`: reads the configuration file again (section 1, Runtime configuration file). */
export function reloadRoutes(app: FastifyInstance, live: Entrance): void {
  routes(app)('POST', '/admin/config/reload', { access: 'admin', takesKey: false }, async ({ agent }) => {
    const report = await live.reload(agent)
    return json(
      report.fatalError === undefined ? report : { ...report, error: report.fatalError },
      report.fatalError === undefined ? 200 : 400
    )
  })
}
