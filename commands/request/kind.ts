import { requestBody, requestsTable } from '../../projections/requests.js'
import { type ItemKind, itemKind } from '../item/kind.js'
import { emitRequest, type RequestContent, requestContent } from './events.js'

export const requestKind: ItemKind<'Request', RequestContent> = itemKind({
  emit: emitRequest,
  label: 'Request',
  plural: 'requests',
  table: requestsTable,
  content: requestContent,
  body: requestBody,
  update: (command) => ({ type: 'UpdateRequest', ...command })
})
