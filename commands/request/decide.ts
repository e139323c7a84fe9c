import { z } from 'zod'
import { foldersTable } from '../../projections/folders.js'
import { requestBody, requestsTable } from '../../projections/requests.js'
import { errors } from '../../src/errors.js'
import type { NewEvent } from '../../src/log/event.js'
import type { ReadStore, Row } from '../../src/storage/storage.js'
import { existingCollection } from '../collection/decide.js'
import { emitCollection } from '../collection/events.js'
import {
  type Caller,
  type Context,
  type ExpectedRevisions,
  requireCollection,
  requireRevision,
  requireUser
} from '../context.js'
import { orderAfter, orderAll, orderAt } from '../order.js'
import { emitRequest, type RequestContent } from './events.js'

type Content = Omit<RequestContent, 'marker'> & { readonly marker?: string | null | undefined }

export type RequestCommand =
  | {
      readonly type: 'CreateRequest'
      readonly id: string
      readonly collectionId: string
      readonly folderId: string | null
      readonly content: Content
    }
  | {
      readonly type: 'UpdateRequest'
      readonly id: string
      readonly collectionId: string
      readonly folderId: string | null
      readonly content: Content
      readonly ifRevision?: ExpectedRevisions
    }
  | { readonly type: 'DeleteRequest'; readonly id: string; readonly ifRevision?: ExpectedRevisions }
  | { readonly type: 'MoveRequest'; readonly id: string; readonly folderId: string | null; readonly index: number }
  | {
      readonly type: 'ReorderRequests'
      readonly collectionId: string
      readonly folderId: string | null
      readonly orderedRequestIds: readonly string[]
    }

type RequestRow = Row<typeof requestsTable.columns>

/** Decides on saved requests. Everyone with access to the collection may change them; only the creator deletes. */
export async function decideRequest(command: RequestCommand, context: Context): Promise<readonly NewEvent[]> {
  const { caller, read } = context
  switch (command.type) {
    case 'CreateRequest': {
      const { id, collectionId, folderId } = command
      requireCollection(caller, collectionId)
      await existingCollection(collectionId, read)
      await requireFolder(collectionId, folderId, read)
      const sortOrder = await endOf(folderId ?? collectionId, read)
      const content = { ...command.content, marker: command.content.marker ?? null }
      return [emitRequest(id, 'RequestCreated', { collectionId, folderId, sortOrder, content })]
    }
    case 'UpdateRequest':
      return update(command, caller, read)
    case 'DeleteRequest': {
      const row = await accessibleRequest(command.id, caller, read)
      if (row.createdBy !== caller.userId) throw errors.forbidden()
      requireRevision(row, command.ifRevision)
      return [emitRequest(command.id, 'RequestDeleted', {})]
    }
    case 'MoveRequest':
      return move(command, await accessibleRequest(command.id, caller, read), read)
    case 'ReorderRequests':
      requireCollection(caller, command.collectionId)
      await existingCollection(command.collectionId, read)
      await requireFolder(command.collectionId, command.folderId, read)
      return reorder(command, read)
  }
}

type UpdateRequest = Extract<RequestCommand, { type: 'UpdateRequest' }>

async function update(command: UpdateRequest, caller: Caller, read: ReadStore): Promise<readonly NewEvent[]> {
  const { id, collectionId, folderId } = command
  requireCollection(caller, collectionId)
  const row = await accessibleRequest(id, caller, read)
  if (collectionId !== row.collectionId) await existingCollection(collectionId, read)
  const container = folderId ?? collectionId
  const stays = container === row.container
  if (!stays) await requireFolder(collectionId, folderId, read)
  requireRevision(row, command.ifRevision)
  const { marker = markerOf(row) } = command.content
  const content = { ...command.content, marker }
  if (stays && JSON.stringify(requestBody(id, content)) === row.body) return []
  const sortOrder = stays ? row.sortOrder : await endOf(container, read)
  return [emitRequest(id, 'RequestUpdated', { collectionId, folderId, sortOrder, content })]
}

type MoveRequest = Extract<RequestCommand, { type: 'MoveRequest' }>

async function move(command: MoveRequest, row: RequestRow, read: ReadStore): Promise<readonly NewEvent[]> {
  const { id, folderId, index } = command
  const { collectionId } = row
  const container = folderId ?? collectionId
  const stays = container === row.container
  if (!stays) await requireFolder(collectionId, folderId, read)
  const items = await itemsOf(container, read)
  const at = items.findIndex((item) => item.id === id)
  if (stays && at === Math.min(index, items.length - 1)) return []
  const { own, respaced } = orderAt(
    items.filter((item) => item.id !== id),
    index
  )
  const moved = emitRequest(id, 'RequestMoved', { collectionId, folderId, sortOrder: own })
  if (respaced.length === 0) return [moved]
  return [emitCollection(collectionId, 'ItemsReordered', { folderId, requests: [...respaced] }), moved]
}

type ReorderRequests = Extract<RequestCommand, { type: 'ReorderRequests' }>

async function reorder(command: ReorderRequests, read: ReadStore): Promise<readonly NewEvent[]> {
  const { collectionId, folderId, orderedRequestIds } = command
  const listed = new Set(orderedRequestIds)
  if (listed.size !== orderedRequestIds.length) throw errors.invalid('orderedRequestIds must not name a request twice.')
  const held = await itemsOf(folderId ?? collectionId, read)
  const here = new Set(held.map(({ id }) => id))
  for (const id of listed) {
    if (here.has(id)) continue
    const row = await read.get(requestsTable, id)
    if (row?.collectionId !== collectionId) throw errors.notFound('Request')
  }
  const sequence = [...orderedRequestIds, ...held.map(({ id }) => id).filter((id) => !listed.has(id))]
  const changed = orderAll(sequence, held)
  if (changed.length === 0) return []
  return [emitCollection(collectionId, 'ItemsReordered', { folderId, requests: [...changed] })]
}

/** A request that the caller may change: 404 where there is none, 403 outside the caller's collections. */
export async function accessibleRequest(id: string, caller: Caller, read: ReadStore): Promise<RequestRow> {
  requireUser(caller)
  if (caller.collectionAccess.length === 0) throw errors.forbidden()
  const row = await read.get(requestsTable, id)
  if (!row) throw errors.notFound('Request')
  requireCollection(caller, row.collectionId)
  return row
}

async function requireFolder(collectionId: string, folderId: string | null, read: ReadStore): Promise<void> {
  if (folderId === null) return
  const folder = await read.get(foldersTable, folderId)
  if (folder?.collectionId !== collectionId) throw errors.notFound('Folder')
}

function itemsOf(container: string, read: ReadStore): Promise<readonly RequestRow[]> {
  return read.list(requestsTable, 'byContainer', [container], { body: false })
}

async function endOf(container: string, read: ReadStore): Promise<number> {
  const [last] = await read.list(requestsTable, 'byContainer', [container], { reverse: true, limit: 1, body: false })
  return orderAfter(last)
}

const bodyMarker = z.object({ marker: z.string().nullable() })

function markerOf(row: RequestRow): string | null {
  return bodyMarker.parse(JSON.parse(row.body)).marker
}
