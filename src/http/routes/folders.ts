import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { marker, name } from '../../../commands/content.js'
import { requireCollection } from '../../../commands/context.js'
import { folderKind } from '../../../commands/folder/kind.js'
import { accessibleMember } from '../../../commands/kind.js'
import type { PlacedRow } from '../../../projections/record.js'
import { listMembers } from '../../../queries/records.js'
import { listAnswer, records } from '../answers.js'
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
  const route = routes(app, 'folders')
  const one = { answers: { 200: records.folder }, isTagged: true } as const
  const path = '/collections/:collectionId/folders'
  const shown = (made: PlacedRow) => placedRecord(folderKind.record(made.row, made.place), made)

  const list = {
    operation: 'listFolders',
    summary: 'List the folders of a collection',
    answers: { 200: listAnswer('folders', records.folder) },
    isTagged: true,
    params: collectionParams,
    query: paging,
    access: 'user'
  } as const
  route('GET', path, list, async ({ params, caller, hub, query }) => {
    requireCollection(caller, params.collectionId)
    return listing(hub.ledger.view, listMembers(folderKind, params.collectionId), query)
  })

  const making = {
    operation: 'createFolder',
    summary: 'Make a folder',
    ...one,
    params: collectionParams,
    body: creation,
    access: 'user'
  } as const
  route('POST', path, making, async (call) => {
    const command = { type: 'CreateFolder', id: randomUUID(), ...call.params, ...call.body } as const
    const made = await call.changePlaced(command, folderKind.table)
    return shown(made)
  })

  const ordering = {
    operation: 'reorderFolders',
    summary: 'Put the folders below one parent in this order',
    answers: { 204: null },
    params: collectionParams,
    body: order,
    takes: 'content',
    access: 'user'
  } as const
  route('PUT', `${path}/reorder`, ordering, async (call) => {
    const { orderedFolderIds, parentFolderId } = call.body
    await call.run({ type: 'ReorderFolders', ...call.params, orderedFolderIds, parentFolderId })
    return noContent
  })

  const getting = {
    operation: 'getFolder',
    summary: 'Get a folder, as it is or as it was',
    ...one,
    params: idParams,
    query: moment,
    access: 'user'
  } as const
  route('GET', '/folders/:id', getting, async (call) => {
    const { params, caller, hub } = call
    const row = await accessibleMember(folderKind, params.id, caller, hub.ledger.view)
    return asOf(call, 'folder', row)
  })

  const update = {
    operation: 'updateFolder',
    summary: 'Rename a folder',
    takesIfMatch: true,
    ...one,
    params: idParams,
    body: content,
    access: 'user'
  } as const
  route('PATCH', '/folders/:id', update, async (call) => {
    const { params, body, ifRevision, changePlaced } = call
    const made = await changePlaced({ type: 'UpdateFolder', id: params.id, ...body, ifRevision }, folderKind.table)
    return shown(made)
  })

  const moving = {
    operation: 'moveFolder',
    summary: 'Move a folder to a place below another parent, or the same',
    takesIfMatch: true,
    ...one,
    params: idParams,
    body: move,
    access: 'user'
  } as const
  route('PUT', '/folders/:id/move', moving, async (call) => {
    const { parentFolderId, sortOrder } = call.body
    const { ifRevision } = call
    const command = { type: 'MoveFolder', id: call.params.id, parentFolderId, index: sortOrder, ifRevision } as const
    const made = await call.changePlaced(command, folderKind.table)
    return shown(made)
  })

  const deletion = {
    operation: 'deleteFolder',
    summary: 'Delete a folder with all inside it',
    answers: { 204: null },
    takesIfMatch: true,
    params: idParams,
    access: 'user'
  } as const
  route('DELETE', '/folders/:id', deletion, async ({ params, ifRevision, run }) => {
    await run({ type: 'DeleteFolder', id: params.id, ifRevision })
    return noContent
  })
}
