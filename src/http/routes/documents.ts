import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id, reference } from '../../../commands/content.js'
import { documentFields } from '../../../commands/records/document/fields.js'
import { newOf, sentOf } from '../../../commands/records/fields.js'
import { documentKind } from '../../../commands/records/kinds.js'
import { destination, ids } from './input.js'
import { itemRoutes } from './items.js'

/** Documents of a collection (section 4, Collection documents). */
export function documentRoutes(app: FastifyInstance): void {
  itemRoutes(app, documentKind, {
    creation: newOf(documentFields).extend({ folderId: reference }),
    replacement: sentOf(documentFields).extend({ folderId: reference, collectionId: id }),
    order: z.object({ folderId: destination, orderedDocumentIds: ids }),
    create: ({ folderId, ...content }, made) => ({ type: 'CreateDocument', ...made, folderId, content }),
    update: ({ collectionId, folderId, ...content }, target) => ({
      type: 'UpdateDocument',
      ...{ ...target, collectionId, folderId, content }
    }),
    move: (command) => ({ type: 'MoveDocument', ...command }),
    reorder: ({ folderId, orderedDocumentIds: orderedIds }, collectionId) => ({
      type: 'ReorderDocuments',
      ...{ collectionId, folderId, orderedIds }
    }),
    remove: (target) => ({ type: 'DeleteDocument', ...target })
  })
}
