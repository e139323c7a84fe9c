import { documentBody, documentsTable } from '../../projections/documents.js'
import { type ItemKind, itemKind } from '../item/kind.js'
import { type DocumentContent, documentContent, emitDocument } from './events.js'

export const documentKind: ItemKind<'Document', DocumentContent> = itemKind({
  emit: emitDocument,
  label: 'Document',
  plural: 'documents',
  table: documentsTable,
  content: documentContent,
  body: documentBody,
  update: (command) => ({ type: 'UpdateDocument', ...command })
})
