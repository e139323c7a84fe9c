import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id, marker, name, sent, text } from '../../../commands/content.js'
import { requireCollection } from '../../../commands/context.js'
import { accessibleItem } from '../../../commands/item/decide.js'
import { BODY_TYPES, METHODS, PROTOCOLS } from '../../../commands/request/events.js'
import { requestsTable } from '../../../projections/requests.js'
import { itemRecord, listRequests } from '../../../queries/items.js'
import { listOf } from '../../limits.js'
import { listing } from '../lists.js'
import { noContent, placedRecord } from '../reply.js'
import { routes } from '../route.js'
import { asOf, moment } from './history.js'
import { collectionParams, destination, idParams, ids, index, reference } from './input.js'

const content = z.object({
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
  marker: marker.optional()
})
const creation = content.extend({ folderId: reference })
const replacement = creation.extend({ collectionId: id })
const order = z.object({ folderId: destination, orderedRequestIds: ids })
const move = z.object({ folderId: destination, index })

/** Saved requests (section 4, Saved requests). */
export function requestRoutes(app: FastifyInstance): void {
  const route = routes(app)
  const path = '/collections/:collectionId/requests'

  route('GET', path, { params: collectionParams, access: 'user' }, async ({ params, caller, hub }) => {
    requireCollection(caller, params.collectionId)
    return listing(hub.ledger.view, listRequests(params.collectionId))
  })

  route('POST', path, { params: collectionParams, body: creation, takes: 'content', access: 'user' }, async (call) => {
    const { folderId, ...content } = call.body
    const command = { type: 'CreateRequest', id: randomUUID(), ...call.params, folderId, content } as const
    const made = await call.changePlaced(command, requestsTable)
    return placedRecord(itemRecord(made.row, made.place), made)
  })

  route(
    'PUT',
    `${path}/reorder`,
    { params: collectionParams, body: order, takes: 'content', access: 'user' },
    async (call) => {
      const { folderId, orderedRequestIds: orderedIds } = call.body
      await call.run({ type: 'ReorderRequests', ...call.params, folderId, orderedIds })
      return noContent
    }
  )

  route('GET', '/requests/:id', { params: idParams, query: moment, access: 'user' }, async (call) => {
    const { params, caller, hub } = call
    const row = await accessibleItem('request', params.id, caller, hub.ledger.view)
    return asOf(call, 'request', row)
  })

  route(
    'PUT',
    '/requests/:id',
    { params: idParams, body: replacement, takes: 'content', access: 'user' },
    async (call) => {
      const { collectionId, folderId, ...content } = call.body
      const { ifRevision } = call
      const command = {
        type: 'UpdateRequest',
        id: call.params.id,
        collectionId,
        folderId,
        content,
        ifRevision
      } as const
      const made = await call.changePlaced(command, requestsTable)
      return placedRecord(itemRecord(made.row, made.place), made)
    }
  )

  route(
    'PUT',
    '/requests/:id/move',
    { params: idParams, body: move, access: 'user' },
    async ({ params, body, ifRevision, run }) => {
      await run({ type: 'MoveRequest', id: params.id, ...body, ifRevision })
      return noContent
    }
  )

  route('DELETE', '/requests/:id', { params: idParams, access: 'user' }, async ({ params, ifRevision, run }) => {
    await run({ type: 'DeleteRequest', id: params.id, ifRevision })
    return noContent
  })
}
