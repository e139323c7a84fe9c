import { versionOf } from '../commands/records/fields.js'
import { requestFields } from '../commands/records/request/fields.js'
import { requestsTable } from '../commands/records/request/table.js'
import { item } from './item.js'

export const requests = item('Request', requestsTable, versionOf(requestFields), 'requests')
