import { z } from 'zod'
import { type EventsOf, event, renaming } from '../event.js'
import { importEvents } from '../import/events.js'

/** What was deleted is back, and with it the deletions at these positions are undone. */
function restored<S extends z.core.$ZodShape>(record: z.ZodObject<S>) {
  return event(record.extend({ deletionPositions: z.array(z.number()) }), renaming({ undoes: 'deletionPositions' }))
}

/** Deleted records that are back, each under its own id and as it was. Their streams go on. */
export const undeleteEvents = {
  CollectionRestored: restored(importEvents.CollectionImported.data),
  EnvironmentRestored: restored(importEvents.EnvironmentImported.data),
  SnippetRestored: restored(importEvents.SnippetImported.data),
  FolderRestored: restored(importEvents.FolderImported.data),
  RequestRestored: restored(importEvents.RequestImported.data),
  DocumentRestored: restored(importEvents.DocumentImported.data)
}
export type UndeleteEvent = EventsOf<typeof undeleteEvents>
