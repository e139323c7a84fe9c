import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id, marker, name, sent } from '../../../commands/content.js'
import { environmentKind } from '../../../commands/kinds.js'
import { listOf } from '../../limits.js'
import { lockableRoutes, managedRoutes } from './lockables.js'

const optional = { marker: marker.optional(), parentUuid: id.nullish() }

/** Environments, for clients and for administrators (section 4, Environments and Administration). */
export function environmentRoutes(app: FastifyInstance): void {
  lockableRoutes(app, environmentKind, {
    creation: z.object({ name, ...optional }),
    replacement: z.object({ name, variables: listOf(sent.variable), ...optional }),
    create: (body, id) => ({ type: 'CreateEnvironment', id, ...body }),
    update: (content, target) => ({ type: 'UpdateEnvironment', ...target, content }),
    remove: (target) => ({ type: 'DeleteEnvironment', ...target })
  })
  managedRoutes(app, environmentKind, {
    lock: (command) => ({ type: 'LockEnvironment', ...command }),
    remove: (target) => ({ type: 'DeleteEnvironmentAsAdmin', ...target })
  })
}
