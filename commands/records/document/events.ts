import { itemCreated, itemPosition, itemRemoval, itemUpdated, restored, wholeItem } from '../../content.js'
import { emitter, event } from '../../event.js'
import { storedOf } from '../fields.js'
import { documentFields } from './fields.js'

export const documentContent = storedOf(documentFields)

export const documentEvents = {
  DocumentCreated: itemCreated(documentContent),
  DocumentUpdated: itemUpdated(documentContent),
  DocumentMoved: event(itemPosition),
  DocumentDeleted: event(itemRemoval),
  DocumentRestored: restored(wholeItem(documentContent))
}
export const emitDocument = emitter('document', documentEvents)
