import type { FastifyInstance } from 'fastify'
import { sentOf } from '../../../commands/records/fields.js'
import { livePageKind, liveServerKind } from '../../../commands/records/kinds.js'
import { livePageFields, liveServerFields } from '../../../commands/records/live/fields.js'
import { lockableRoutes, managedRoutes } from './lockables.js'

const sentLiveServer = sentOf(liveServerFields)
const sentLivePage = sentOf(livePageFields)

/** Live servers and live pages, for clients and for administrators. */
export function liveRoutes(app: FastifyInstance): void {
  lockableRoutes(app, liveServerKind, {
    creation: sentLiveServer,
    replacement: sentLiveServer,
    create: (content, id) => ({ type: 'CreateLiveServer', id, content }),
    update: (content, target) => ({ type: 'UpdateLiveServer', ...target, content }),
    remove: (target) => ({ type: 'DeleteLiveServer', ...target })
  })
  managedRoutes(app, liveServerKind, {
    lock: (command) => ({ type: 'LockLiveServer', ...command }),
    remove: (target) => ({ type: 'DeleteLiveServerAsAdmin', ...target })
  })
  lockableRoutes(app, livePageKind, {
    creation: sentLivePage,
    replacement: sentLivePage,
    create: (content, id) => ({ type: 'CreateLivePage', id, content }),
    update: (content, target) => ({ type: 'UpdateLivePage', ...target, content }),
    remove: (target) => ({ type: 'DeleteLivePage', ...target })
  })
  managedRoutes(app, livePageKind, {
    lock: (command) => ({ type: 'LockLivePage', ...command }),
    remove: (target) => ({ type: 'DeleteLivePageAsAdmin', ...target })
  })
}
