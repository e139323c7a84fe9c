import { z } from 'zod'
import { begin, type EventsOf, emitter, event } from '../event.js'
import { departure, departureFromVersion1, place, wholeItem } from '../item/event.js'
import { itemRemoval, restored } from '../removal.js'

export const documentContent = z.object({
  name: z.string(),
  content: z.string(),
  marker: z.string().nullable()
})
export type DocumentContent = z.infer<typeof documentContent>

export const documentEvents = {
  DocumentCreated: begin(z.object({ ...place.shape, content: documentContent })),
  DocumentUpdated: event(z.object({ ...place.shape, ...departure, content: documentContent }), departureFromVersion1),
  DocumentMoved: event(place),
  DocumentDeleted: event(itemRemoval),
  DocumentRestored: restored(wholeItem(documentContent))
}
export type DocumentEvent = EventsOf<typeof documentEvents>
export const emitDocument = emitter('document', documentEvents)
