import type { FastifyInstance } from 'fastify'
import { environmentFields } from '../../../commands/records/environment/fields.js'
import { keptOf, newOf, sentOf } from '../../../commands/records/fields.js'
import { environmentKind } from '../../../commands/records/kinds.js'
import { lockableRoutes, managedRoutes } from './lockables.js'

/** Environments, for clients and for administrators (section 4, Environments and Administration). */
export function environmentRoutes(app: FastifyInstance): void {
  lockableRoutes(app, environmentKind, {
    creation: newOf({ name: environmentFields.name, ...keptOf(environmentFields) }),
    replacement: sentOf(environmentFields),
    create: (body, id) => ({ type: 'CreateEnvironment', id, ...body }),
    update: (content, target) => ({ type: 'UpdateEnvironment', ...target, content }),
    remove: (target) => ({ type: 'DeleteEnvironment', ...target })
  })
  managedRoutes(app, environmentKind, {
    lock: (command) => ({ type: 'LockEnvironment', ...command }),
    remove: (target) => ({ type: 'DeleteEnvironmentAsAdmin', ...target })
  })
}
