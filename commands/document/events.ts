import { z } from 'zod'
import { itemCreated, itemPosition, itemRemoval, itemUpdated, restored, wholeItem } from '../content.js'
import { emitter, event } from '../event.js'

export const documentContent = z.object({
  name: z.string(),
  content: z.string(),
  marker: z.string().nullable()
})
export type DocumentContent = z.infer<typeof documentContent>

/** What stays as it is where a client leaves it out, and what it is at first. */
export const keptOfDocument = z.object({ marker: z.string().nullable().default(null) })

export const documentEvents = {
  DocumentCreated: itemCreated(documentContent),
  DocumentUpdated: itemUpdated(documentContent),
  DocumentMoved: event(itemPosition),
  DocumentDeleted: event(itemRemoval),
  DocumentRestored: restored(wholeItem(documentContent))
}
export const emitDocument = emitter('document', documentEvents)
