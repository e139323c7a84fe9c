import { randomUUID } from 'node:crypto'
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Hub } from '../hub.js'
import { answerErrors } from './errors.js'
import { adminCollectionRoutes } from './routes/adminCollections.js'
import { adminUserRoutes } from './routes/adminUsers.js'
import { collectionRoutes } from './routes/collections.js'
import { folderRoutes } from './routes/folders.js'
import { requestRoutes } from './routes/requests.js'
import { sessionRoutes } from './routes/session.js'

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,64}$/

/** The HTTP server of a hub, ready to listen. `hub` answers with the hub as it is when a request comes in. */
export function createServer(hub: () => Hub, logger: FastifyBaseLogger): FastifyInstance {
  const { bodyLimitBytes } = hub().config.server
  const app = fastify({
    bodyLimit: bodyLimitBytes,
    loggerInstance: logger,
    disableRequestLogging: true,
    routerOptions: { maxParamLength: 200 },
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
    },
    forceCloseConnections: 'idle'
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.debug(
      { method: request.method, url: request.url, address: request.ip, status: reply.statusCode },
      'request'
    )
  })
  answerErrors(app)
  for (const add of [
    sessionRoutes,
    collectionRoutes,
    folderRoutes,
    requestRoutes,
    adminUserRoutes,
    adminCollectionRoutes
  ]) {
    add(app, hub)
  }
  return app
}
