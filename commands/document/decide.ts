import type { NewEvent } from '../../src/log/event.js'
import type { Context } from '../context.js'
import { createItem, deleteItem, type ItemCommand, moveItem, reorderItems, updateItem } from '../item/decide.js'
import { documentKind } from '../kinds.js'
import type { DocumentContent } from './events.js'

export type DocumentCommand = ItemCommand<'Document', DocumentContent>

/** Decides on collection documents (section 4, Collection documents). */
export async function decideDocument(command: DocumentCommand, context: Context): Promise<readonly NewEvent[]> {
  switch (command.type) {
    case 'CreateDocument':
      return createItem(documentKind, command, context)
    case 'UpdateDocument':
      return updateItem(documentKind, command, context)
    case 'DeleteDocument':
      return deleteItem(documentKind, command, context)
    case 'MoveDocument':
      return moveItem(documentKind, command, context)
    case 'ReorderDocuments':
      return reorderItems(documentKind, command, context)
  }
}
