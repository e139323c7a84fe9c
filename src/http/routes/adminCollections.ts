import type { FastifyInstance } from 'fastify'
import { existingCollection } from '../../../commands/collection/decide.js'
import { collectionsTable } from '../../../projections/collections.js'
import { listManagedCollections } from '../../../queries/collections.js'
import { listFolders } from '../../../queries/folders.js'
import { listDocuments, listRequests } from '../../../queries/items.js'
import { managed } from '../../../queries/managed.js'
import { listing } from '../lists.js'
import { noContent, record } from '../reply.js'
import { routes } from '../route.js'
import { collectionParams, idParams, lock } from './input.js'

/** Collections for administrators: list, lock, delete, and look inside (section 4, Administration). */
export function adminCollectionRoutes(app: FastifyInstance): void {
  const route = routes(app)

  route('GET', '/admin/collections', { access: 'admin' }, ({ hub }) => listing(hub.ledger.view, listManagedCollections))

  route('PUT', '/admin/collections/:id', { params: idParams, body: lock, access: 'admin' }, async (call) => {
    const { params, body, ifRevision } = call
    const row = await call.change({ type: 'LockCollection', ...params, ...body, ifRevision }, collectionsTable)
    return record(managed(row), row)
  })

  route(
    'DELETE',
    '/admin/collections/:id',
    { params: idParams, access: 'admin' },
    async ({ params, ifRevision, run }) => {
      await run({ type: 'DeleteCollectionAsAdmin', ...params, ifRevision })
      return noContent
    }
  )

  for (const [kind, list] of [
    ['folders', listFolders],
    ['requests', listRequests],
    ['documents', listDocuments]
  ] as const) {
    const path = `/admin/collections/:collectionId/${kind}`
    route('GET', path, { params: collectionParams, access: 'admin' }, async ({ params, hub }) => {
      await existingCollection(params.collectionId, hub.ledger.view)
      return listing(hub.ledger.view, list(params.collectionId))
    })
  }
}
