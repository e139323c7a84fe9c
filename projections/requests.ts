import { versionOf } from '../commands/records/fields.js'
import { requestFields } from '../commands/records/request/fields.js'
import { item, orderedTable } from './item.js'

/** Saved requests, in an order that they share with the documents of their container. */
export const requestsTable = orderedTable('requests')

export const requests = item('Request', requestsTable, versionOf(requestFields), 'requests')
