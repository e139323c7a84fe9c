import { documentFields } from '../commands/records/document/fields.js'
import { versionOf } from '../commands/records/fields.js'
import { item, orderedTable } from './item.js'

/** Collection documents, in an order that they share with the saved requests of their container. */
export const documentsTable = orderedTable('documents')

export const documents = item('Document', documentsTable, versionOf(documentFields), 'documents')
