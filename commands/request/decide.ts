import type { NewEvent } from '../../src/log/event.js'
import type { Context } from '../context.js'
import { createItem, deleteItem, type ItemCommand, moveItem, reorderItems, updateItem } from '../item/decide.js'
import { deleteAsAdmin, type Target } from '../kind.js'
import { requestKind } from '../kinds.js'
import type { RequestContent } from './events.js'

export type RequestCommand =
  | ItemCommand<'Request', RequestContent>
  | ({ readonly type: 'DeleteRequestAsAdmin' } & Target)

/** Decides on saved requests (section 4, Saved requests). */
export async function decideRequest(command: RequestCommand, context: Context): Promise<readonly NewEvent[]> {
  switch (command.type) {
    case 'CreateRequest':
      return createItem(requestKind, command, context)
    case 'UpdateRequest':
      return updateItem(requestKind, command, context)
    case 'DeleteRequest':
      return deleteItem(requestKind, command, context)
    case 'DeleteRequestAsAdmin':
      return deleteAsAdmin(requestKind, command, context)
    case 'MoveRequest':
      return moveItem(requestKind, command, context)
    case 'ReorderRequests':
      return reorderItems(requestKind, command, context)
  }
}
