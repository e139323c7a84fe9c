import { z } from 'zod'
import {
  itemPosition,
  itemRemoval,
  previousCollection,
  previousCollectionFromVersion1,
  restored,
  wholeItem
} from '../content.js'
import { begin, emitter, event } from '../event.js'

export const documentContent = z.object({
  name: z.string(),
  content: z.string(),
  marker: z.string().nullable()
})
export type DocumentContent = z.infer<typeof documentContent>

/** What stays as it is where a client leaves it out, and what it is at first. */
export const keptOfDocument = z.object({ marker: z.string().nullable().default(null) })

export const documentEvents = {
  DocumentCreated: begin(z.object({ ...itemPosition.shape, content: documentContent })),
  DocumentUpdated: event(
    z.object({ ...itemPosition.shape, ...previousCollection, content: documentContent }),
    previousCollectionFromVersion1
  ),
  DocumentMoved: event(itemPosition),
  DocumentDeleted: event(itemRemoval),
  DocumentRestored: restored(wholeItem(documentContent))
}
export const emitDocument = emitter('document', documentEvents)
