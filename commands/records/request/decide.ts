import type { Deciders } from '../../context.js'
import { createItem, deleteItem, type ItemCommand, moveItem, reorderItems, updateItem } from '../item/decide.js'
import { deleteAsAdmin, type Target } from '../kind.js'
import { requestKind } from '../kinds.js'
import type { SubmittedRequest } from './fields.js'

export type RequestCommand =
  | ItemCommand<'Request', SubmittedRequest>
  | ({ readonly type: 'DeleteRequestAsAdmin' } & Target)

/** Decides on saved requests (section 4, Saved requests). */
export const requestDeciders: Deciders<RequestCommand> = {
  CreateRequest: createItem(requestKind),
  UpdateRequest: updateItem(requestKind),
  DeleteRequest: deleteItem(requestKind),
  DeleteRequestAsAdmin: deleteAsAdmin(requestKind),
  MoveRequest: moveItem(requestKind),
  ReorderRequests: reorderItems(requestKind)
}
