import { documentFields } from '../commands/records/document/fields.js'
import { documentsTable } from '../commands/records/document/table.js'
import { versionOf } from '../commands/records/fields.js'
import { item } from './item.js'

export const documents = item('Document', documentsTable, versionOf(documentFields), 'documents')
