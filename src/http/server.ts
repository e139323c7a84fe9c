import { randomUUID } from 'node:crypto'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Hub } from '../hub.js'
import { answerErrors, answerUnroutable } from './errors.js'
import { adminCollectionRoutes } from './routes/adminCollections.js'
import { adminEntityRoutes } from './routes/adminEntities.js'
import { adminUserRoutes } from './routes/adminUsers.js'
import { collectionRoutes } from './routes/collections.js'
import { documentRoutes } from './routes/documents.js'
import { environmentRoutes } from './routes/environments.js'
import { folderRoutes } from './routes/folders.js'
import { invitationRoutes } from './routes/invitations.js'
import { pluginRoutes } from './routes/plugins.js'
import { requestRoutes } from './routes/requests.js'
import { runResultRoutes } from './routes/runResults.js'
import { sessionRoutes } from './routes/session.js'
import { snippetRoutes } from './routes/snippets.js'

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,64}$/

/** The HTTP server of a hub, ready to listen. `hub` answers with the hub as it is when a request comes in. */
export function createServer(hub: () => Hub, logger: FastifyBaseLogger): FastifyInstance {
  const { bodyLimitBytes, trustedProxies } = hub().config.server
  const app = fastify({
    bodyLimit: bodyLimitBytes,
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    frameworkErrors: answerUnroutable,
    routerOptions: { maxParamLength: 200 },
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
    },
    forceCloseConnections: 'idle'
  })
  app.addHook('onResponse', async (request, reply) => logRequest(request, reply))
  answerErrors(app)
  for (const add of [
    sessionRoutes,
    collectionRoutes,
    folderRoutes,
    requestRoutes,
    documentRoutes,
    environmentRoutes,
    snippetRoutes,
    runResultRoutes,
    pluginRoutes,
    adminUserRoutes,
    adminCollectionRoutes,
    adminEntityRoutes,
    invitationRoutes
  ]) {
    add(app, hub)
  }
  return app
}
