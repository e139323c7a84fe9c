import { documentBody } from '../../projections/documents.js'
import type { NewEvent } from '../../src/log/event.js'
import type { Context } from '../context.js'
import {
  createItem,
  deleteItem,
  type ItemCommand,
  type ItemWording,
  moveItem,
  reorderItems,
  updateItem
} from '../item/decide.js'
import { type DocumentContent, emitDocument } from './events.js'

export type DocumentCommand = ItemCommand<'Document', DocumentContent>

const words: ItemWording<DocumentContent> = {
  kind: 'document',
  body: documentBody,
  created: (id, data) => emitDocument(id, 'DocumentCreated', data),
  updated: (id, data) => emitDocument(id, 'DocumentUpdated', data),
  moved: (id, data) => emitDocument(id, 'DocumentMoved', data),
  deleted: (id, data) => emitDocument(id, 'DocumentDeleted', data)
}

/** Decides on collection documents (section 4, Collection documents). */
export async function decideDocument(command: DocumentCommand, context: Context): Promise<readonly NewEvent[]> {
  switch (command.type) {
    case 'CreateDocument':
      return createItem(words, command, context)
    case 'UpdateDocument':
      return updateItem(words, command, context)
    case 'DeleteDocument':
      return deleteItem(words, command, context)
    case 'MoveDocument':
      return moveItem(words, command, context)
    case 'ReorderDocuments':
      return reorderItems(words, command, context)
  }
}
