import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id, marker, name, text } from '../../../commands/content.js'
import { requireCollection } from '../../../commands/context.js'
import { accessibleItem } from '../../../commands/item/decide.js'
import { documentsTable } from '../../../projections/documents.js'
import { itemRecord, listDocuments } from '../../../queries/items.js'
import { listing } from '../lists.js'
import { noContent, placedRecord } from '../reply.js'
import { routes } from '../route.js'
import { asOf, moment } from './history.js'
import { collectionParams, destination, idParams, ids, index, reference } from './input.js'

const creation = z.object({ name, content: text, marker: marker.optional(), folderId: reference })
const replacement = creation.extend({ collectionId: id })
const order = z.object({ folderId: destination, orderedDocumentIds: ids })
const move = z.object({ folderId: destination, index })

/** Documents of a collection (section 4, Collection documents). */
export function documentRoutes(app: FastifyInstance): void {
  const route = routes(app)
  const path = '/collections/:collectionId/documents'

  route('GET', path, { params: collectionParams, access: 'user' }, async ({ params, caller, hub }) => {
    requireCollection(caller, params.collectionId)
    return listing(hub.ledger.view, listDocuments(params.collectionId))
  })

  route('POST', path, { params: collectionParams, body: creation, takes: 'content', access: 'user' }, async (call) => {
    const { folderId, ...content } = call.body
    const command = { type: 'CreateDocument', id: randomUUID(), ...call.params, folderId, content } as const
    const made = await call.changePlaced(command, documentsTable)
    return placedRecord(itemRecord(made.row, made.place), made)
  })

  route(
    'PUT',
    `${path}/reorder`,
    { params: collectionParams, body: order, takes: 'content', access: 'user' },
    async (call) => {
      const { folderId, orderedDocumentIds: orderedIds } = call.body
      await call.run({ type: 'ReorderDocuments', ...call.params, folderId, orderedIds })
      return noContent
    }
  )

  route('GET', '/documents/:id', { params: idParams, query: moment, access: 'user' }, async (call) => {
    const { params, caller, hub } = call
    const row = await accessibleItem('document', params.id, caller, hub.ledger.view)
    return asOf(call, 'document', row)
  })

  route(
    'PUT',
    '/documents/:id',
    { params: idParams, body: replacement, takes: 'content', access: 'user' },
    async (call) => {
      const { collectionId, folderId, ...content } = call.body
      const { ifRevision } = call
      const command = {
        type: 'UpdateDocument',
        id: call.params.id,
        collectionId,
        folderId,
        content,
        ifRevision
      } as const
      const made = await call.changePlaced(command, documentsTable)
      return placedRecord(itemRecord(made.row, made.place), made)
    }
  )

  route(
    'PUT',
    '/documents/:id/move',
    { params: idParams, body: move, access: 'user' },
    async ({ params, body, ifRevision, run }) => {
      await run({ type: 'MoveDocument', id: params.id, ...body, ifRevision })
      return noContent
    }
  )

  route('DELETE', '/documents/:id', { params: idParams, access: 'user' }, async ({ params, ifRevision, run }) => {
    await run({ type: 'DeleteDocument', id: params.id, ifRevision })
    return noContent
  })
}
