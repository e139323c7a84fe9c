import { requestBody, requestsTable } from '../../projections/requests.js'
import { errors } from '../../src/errors.js'
import type { NewEvent } from '../../src/log/event.js'
import { type Context, type ExpectedRevisions, requireAdmin, requireRevision } from '../context.js'
import {
  createItem,
  deleteItem,
  type ItemCommand,
  type ItemWording,
  moveItem,
  removalOf,
  reorderItems,
  updateItem
} from '../item/decide.js'
import { emitRequest, type RequestContent } from './events.js'

export type RequestCommand =
  | ItemCommand<'Request', RequestContent>
  | { readonly type: 'DeleteRequestAsAdmin'; readonly id: string; readonly ifRevision?: ExpectedRevisions }

const words: ItemWording<RequestContent> = {
  kind: 'request',
  body: requestBody,
  created: (id, data) => emitRequest(id, 'RequestCreated', data),
  updated: (id, data) => emitRequest(id, 'RequestUpdated', data),
  moved: (id, data) => emitRequest(id, 'RequestMoved', data),
  deleted: (id, data) => emitRequest(id, 'RequestDeleted', data)
}

/** Decides on saved requests (section 4, Saved requests). */
export async function decideRequest(command: RequestCommand, context: Context): Promise<readonly NewEvent[]> {
  switch (command.type) {
    case 'CreateRequest':
      return createItem(words, command, context)
    case 'UpdateRequest':
      return updateItem(words, command, context)
    case 'DeleteRequest':
      return deleteItem(words, command, context)
    case 'DeleteRequestAsAdmin':
      return deleteAsAdmin(command, context)
    case 'MoveRequest':
      return moveItem(words, command, context)
    case 'ReorderRequests':
      return reorderItems(words, command, context)
  }
}

async function deleteAsAdmin(
  { id, ifRevision }: { readonly id: string; readonly ifRevision?: ExpectedRevisions },
  { caller, read }: Context
): Promise<readonly NewEvent[]> {
  requireAdmin(caller)
  const row = await read.get(requestsTable, id)
  if (!row) throw errors.notFound('Request')
  requireRevision(row, ifRevision)
  return [words.deleted(id, removalOf(row))]
}
