import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id, marker, name, text } from '../../../commands/content.js'
import { documentKind } from '../../../commands/kinds.js'
import { destination, ids, reference } from './input.js'
import { itemRoutes } from './items.js'

const creation = z.object({ name, content: text, marker: marker.optional(), folderId: reference })

/** Documents of a collection (section 4, Collection documents). */
export function documentRoutes(app: FastifyInstance): void {
  itemRoutes(app, documentKind, {
    creation,
    replacement: creation.extend({ collectionId: id }),
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
