import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { alike, reference } from '../../../commands/content.js'
import { documentFields } from '../../../commands/records/document/fields.js'
import { newOf, sentOf } from '../../../commands/records/fields.js'
import { folderFields } from '../../../commands/records/folder/fields.js'
import { folderKind } from '../../../commands/records/folder/kind.js'
import { documentKind, requestKind } from '../../../commands/records/kinds.js'
import { requestFields } from '../../../commands/records/request/fields.js'
import { records } from '../answers.js'
import { placedRecord } from '../reply.js'
import { collectionParams, routes } from '../route.js'
import { destination, ids, index } from './input.js'
import { itemRoutes, memberRoutes } from './items.js'
import { deleteAsAdminRoute } from './lockables.js'

const creation = newOf(folderFields).extend({ parentFolderId: alike(reference, destination) })
const content = sentOf(folderFields)
const order = z.object({
  orderedFolderIds: ids.describe('The ids of the folders, in the new order.'),
  parentFolderId: alike(destination.optional(), destination)
})
/** `sortOrder` is what clients call the place among the new siblings here. */
const move = z.object({ parentFolderId: destination, sortOrder: alike(index.optional(), index) })

/** Folders of a collection (section 4, Folders), and the move that clients ask for. */
export function folderRoutes(app: FastifyInstance): void {
  memberRoutes(
    app,
    folderKind,
    {
      creation,
      order,
      create: (body, made) => ({ type: 'CreateFolder', ...made, ...body }),
      reorder: ({ orderedFolderIds, parentFolderId }, collectionId) => ({
        type: 'ReorderFolders',
        ...{ collectionId, orderedFolderIds, parentFolderId }
      }),
      remove: (target) => ({ type: 'DeleteFolder', ...target })
    },
    { order: 'below one parent', deletion: 'with all inside it' }
  )
  const route = routes(app, 'folders')

  route('PATCH', '/folders/:id', 'updateFolder', records.folder, {
    summary: 'Rename a folder',
    about: 'Whoever may see the collection may change it. A body that changes nothing makes no version.',
    takesIfMatch: true,
    isTagged: true,
    body: content,
    handle: async ({ params, body, ifRevision, changePlaced }) =>
      placedRecord(
        folderKind,
        await changePlaced({ type: 'UpdateFolder', id: params.id, ...body, ifRevision }, folderKind.table)
      )
  })

  route('PUT', '/folders/:id/move', 'moveFolder', records.folder, {
    summary: 'Move a folder to a place below another parent, or the same',
    about:
      'It takes along all that is in it. Without a place it stands behind the last one. 400 for a place inside itself.',
    takesIfMatch: true,
    isTagged: true,
    body: move,
    handle: async ({ params, body, ifRevision, changePlaced }) => {
      const { parentFolderId, sortOrder: index } = body
      const command = { type: 'MoveFolder', id: params.id, parentFolderId, index, ifRevision } as const
      return placedRecord(folderKind, await changePlaced(command, folderKind.table))
    }
  })
}

const inFolder = { folderId: alike(reference, destination) }
const stands = { ...inFolder, collectionId: collectionParams.shape.collectionId }
const orderedIds = ids.describe('The ids, in the new order.')

/** Saved requests (section 4, Saved requests), and their deletion by administrators. */
export function requestRoutes(app: FastifyInstance): void {
  itemRoutes(app, requestKind, {
    creation: newOf(requestFields).extend(inFolder),
    replacement: sentOf(requestFields).extend(stands),
    order: z.object({ folderId: destination, orderedRequestIds: orderedIds }),
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

/** Documents of a collection (section 4, Collection documents). */
export function documentRoutes(app: FastifyInstance): void {
  itemRoutes(app, documentKind, {
    creation: newOf(documentFields).extend(inFolder),
    replacement: sentOf(documentFields).extend(stands),
    order: z.object({ folderId: destination, orderedDocumentIds: orderedIds }),
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
