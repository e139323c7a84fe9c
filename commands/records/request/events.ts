import { itemCreated, itemPosition, itemRemoval, itemUpdated, restored, wholeItem } from '../../content.js'
import { emitter, event } from '../../event.js'
import { storedOf } from '../fields.js'
import { requestFields } from './fields.js'

export const requestContent = storedOf(requestFields)

export const requestEvents = {
  RequestCreated: itemCreated(requestContent),
  RequestUpdated: itemUpdated(requestContent),
  RequestMoved: event(itemPosition),
  RequestDeleted: event(itemRemoval),
  RequestRestored: restored(wholeItem(requestContent))
}
export const emitRequest = emitter('request', requestEvents)
