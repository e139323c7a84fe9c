import { z } from 'zod'
import { empty } from '../content.js'
import { begin, type EventsOf, emitter, event } from '../event.js'
import { place } from '../item/event.js'

export const documentContent = z.object({
  name: z.string(),
  content: z.string(),
  marker: z.string().nullable()
})
export type DocumentContent = z.infer<typeof documentContent>

export const documentEvents = {
  DocumentCreated: begin(z.object({ ...place.shape, content: documentContent })),
  DocumentUpdated: event(z.object({ ...place.shape, content: documentContent })),
  DocumentMoved: event(place),
  DocumentDeleted: event(empty)
}
export type DocumentEvent = EventsOf<typeof documentEvents>
export const emitDocument = emitter('document', documentEvents)
