import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id, marker, name, sent, text } from '../../../commands/content.js'
import { requestKind } from '../../../commands/kinds.js'
import { BODY_TYPES, METHODS, PROTOCOLS } from '../../../commands/request/events.js'
import { listOf } from '../../limits.js'
import { destination, ids, reference } from './input.js'
import { itemRoutes } from './items.js'
import { deleteAsAdminRoute } from './lockables.js'

const creation = z.object({
  name,
  method: z.enum(METHODS),
  url: text,
  headers: listOf(sent.keyValue),
  params: listOf(sent.keyValue),
  auth: sent.auth,
  body: text,
  bodyType: z.enum(BODY_TYPES),
  preRequestScript: text,
  postRequestScript: text,
  comment: text,
  protocol: z.enum(PROTOCOLS).default('http'),
  marker: marker.optional(),
  folderId: reference
})

/** Saved requests (section 4, Saved requests), and their deletion by administrators. */
export function requestRoutes(app: FastifyInstance): void {
  itemRoutes(app, requestKind, {
    creation,
    replacement: creation.extend({ collectionId: id }),
    order: z.object({ folderId: destination, orderedRequestIds: ids }),
    create: ({ folderId, ...content }, made) => ({ type: 'CreateRequest', ...made, folderId, content }),
    update: ({ collectionId, folderId, ...content }, target) => ({
      type: 'UpdateRequest',
      ...{ ...target, collectionId, folderId, content }
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
