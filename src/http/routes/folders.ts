import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { marker, name } from '../../../commands/content.js'
import { requireCollection } from '../../../commands/context.js'
import { folderKind } from '../../../commands/folder/kind.js'
import { accessibleMember } from '../../../commands/kind.js'
import type { PlacedRow } from '../../../projections/record.js'
import { listMembers } from '../../../queries/records.js'
import { listing } from '../lists.js'
import { paging } from '../paging.js'
import { noContent, placedRecord } from '../reply.js'
import { routes } from '../route.js'
import { asOf, moment } from './history.js'
import { collectionParams, destination, idParams, ids, index, reference } from './input.js'

const creation = z.object({ name, parentFolderId: reference, marker: marker.optional() })
const content = z.object({ name, marker: marker.optional() })
const order = z.object({ orderedFolderIds: ids, parentFolderId: destination.optional() })
/** `sortOrder` is what clients call the place among the new siblings here. */
const move = z.object({ parentFolderId: destination, sortOrder: index.optional() })

/** Folders of a collection (section 4, Folders), and the move that clients ask for. */
export function folderRoutes(app: FastifyInstance): void {
  const route = routes(app)
  const path = '/collections/:collectionId/folders'
  const shown = (made: PlacedRow) => placedRecord(folderKind.record(made.row, made.place), made)

  route('GET', path, { params: collectionParams, query: paging, access: 'user' }, async (call) => {
    const { params, caller, hub, query } = call
    requireCollection(caller, params.collectionId)
    return listing(hub.ledger.view, listMembers(folderKind, params.collectionId), query)
  })

  route('POST', path, { params: collectionParams, body: creation, access: 'user' }, async (call) => {
    const command = { type: 'CreateFolder', id: randomUUID(), ...call.params, ...call.body } as const
    const made = await call.changePlaced(command, folderKind.table)
    return shown(made)
  })

  route(
    'PUT',
    `${path}/reorder`,
    { params: collectionParams, body: order, takes: 'content', access: 'user' },
    async (call) => {
      const { orderedFolderIds, parentFolderId } = call.body
      await call.run({ type: 'ReorderFolders', ...call.params, orderedFolderIds, parentFolderId })
      return noContent
    }
  )

  route('GET', '/folders/:id', { params: idParams, query: moment, access: 'user' }, async (call) => {
    const { params, caller, hub } = call
    const row = await accessibleMember(folderKind, params.id, caller, hub.ledger.view)
    return asOf(call, 'folder', row)
  })

  route('PATCH', '/folders/:id', { params: idParams, body: content, access: 'user' }, async (call) => {
    const { params, body, ifRevision, changePlaced } = call
    const made = await changePlaced({ type: 'UpdateFolder', id: params.id, ...body, ifRevision }, folderKind.table)
    return shown(made)
  })

  route('PUT', '/folders/:id/move', { params: idParams, body: move, access: 'user' }, async (call) => {
    const { parentFolderId, sortOrder } = call.body
    const { ifRevision } = call
    const command = { type: 'MoveFolder', id: call.params.id, parentFolderId, index: sortOrder, ifRevision } as const
    const made = await call.changePlaced(command, folderKind.table)
    return shown(made)
  })

  route('DELETE', '/folders/:id', { params: idParams, access: 'user' }, async ({ params, ifRevision, run }) => {
    await run({ type: 'DeleteFolder', id: params.id, ifRevision })
    return noContent
  })
}
