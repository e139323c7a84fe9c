import type { Deciders } from '../../context.js'
import { createItem, deleteItem, type ItemCommand, moveItem, reorderItems, updateItem } from '../item/decide.js'
import { documentKind } from '../kinds.js'
import type { SubmittedDocument } from './fields.js'

export type DocumentCommand = ItemCommand<'Document', SubmittedDocument>

/** Decides on collection documents (section 4, Collection documents). */
export const documentDeciders: Deciders<DocumentCommand> = {
  CreateDocument: createItem(documentKind),
  UpdateDocument: updateItem(documentKind),
  DeleteDocument: deleteItem(documentKind),
  MoveDocument: moveItem(documentKind),
  ReorderDocuments: reorderItems(documentKind)
}
