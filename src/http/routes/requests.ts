import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id, reference } from '../../../commands/content.js'
import { newOf, sentOf } from '../../../commands/records/fields.js'
import { requestKind } from '../../../commands/records/kinds.js'
import { requestFields } from '../../../commands/records/request/fields.js'
import { destination, ids } from './input.js'
import { itemRoutes } from './items.js'
import { deleteAsAdminRoute } from './lockables.js'

/** Saved requests (section 4, Saved requests), and their deletion by administrators. */
export function requestRoutes(app: FastifyInstance): void {
  itemRoutes(app, requestKind, {
    creation: newOf(requestFields).extend({ folderId: reference }),
    replacement: sentOf(requestFields).extend({ folderId: reference, collectionId: id }),
    order: z.object({ folderId: destination, orderedRequestIds: ids }),
    create: ({ folderId, ...content }, made) => ({ type: 'CreateRequest', ...made, folderId, content }),
    update: ({ collectionId, folderId, ...content }, { id, ifRevision }) => ({
      type: 'UpdateRequest',
      ...{ id, ifRevision, collectionId, folderId, content }
    }),
    move: (command) => ({ type: 'MoveRequest', ...command }),
    reorder: ({ folderId, orderedRequestIds: orderedIds }, collectionId) => ({
      type: 'ReorderRequests',
      ...{ collectionId, folderId, orderedIds }
    }),
    remove: (target) => ({ type: 'DeleteRequest', ...target })
  })
  deleteAsAdminRoute(app, requestKind, (target) => ({ type: 'DeleteRequestAsAdmin', ...target }))
}
