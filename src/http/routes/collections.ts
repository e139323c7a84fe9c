import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { existingCollection } from '../../../commands/collection/decide.js'
import { marker, name, sent, text } from '../../../commands/content.js'
import { requireCollection } from '../../../commands/context.js'
import { collectionsTable } from '../../../projections/collections.js'
import { collectionRecord, listCollections } from '../../../queries/collections.js'
import { listOf } from '../../limits.js'
import { listing } from '../lists.js'
import { noContent, record } from '../reply.js'
import { routes } from '../route.js'
import { asOf, moment } from './history.js'
import { idParams } from './input.js'

const creation = z.object({ name, marker: marker.optional() })
const content = z.object({
  name,
  variables: listOf(sent.variable),
  headers: listOf(sent.keyValue),
  auth: sent.auth,
  preRequestScript: text,
  postRequestScript: text,
  marker: marker.optional()
})

/** Collections for clients (section 4, Collections). */
export function collectionRoutes(app: FastifyInstance): void {
  const route = routes(app)

  route('GET', '/collections', { access: 'any' }, ({ hub, caller }) =>
    listing(hub.ledger.view, listCollections(caller.role === 'admin' ? ['*'] : caller.collectionAccess))
  )

  route('POST', '/collections', { body: creation, takes: 'content', access: 'user' }, async ({ body, change }) => {
    const row = await change({ type: 'CreateCollection', id: randomUUID(), ...body }, collectionsTable)
    return record(collectionRecord(row), row)
  })

  route('GET', '/collections/:id', { params: idParams, query: moment, access: 'user' }, async (call) => {
    const { params, caller, hub } = call
    requireCollection(caller, params.id)
    const row = await existingCollection(params.id, hub.ledger.view)
    return asOf(call, 'collection', row)
  })

  route(
    'PUT',
    '/collections/:id',
    { params: idParams, body: content, takes: 'content', access: 'user' },
    async (call) => {
      const { params, body, ifRevision, change } = call
      const command = { type: 'UpdateCollection', id: params.id, content: body, ifRevision } as const
      const row = await change(command, collectionsTable)
      return record(collectionRecord(row), row)
    }
  )

  route('DELETE', '/collections/:id', { params: idParams, access: 'user' }, async ({ params, ifRevision, run }) => {
    await run({ type: 'DeleteCollection', id: params.id, ifRevision })
    return noContent
  })
}
