import { z } from 'zod'
import { type EventsOf, event } from '../event.js'
import { importEvents } from '../import/events.js'

/** The positions of the deletions that are undone with it. */
const undoes = { undoes: z.array(z.number()) }

/** Deleted records that are back, each under its own id and as it was. Their streams go on. */
export const undeleteEvents = {
  CollectionRestored: event(importEvents.CollectionImported.data.extend(undoes)),
  EnvironmentRestored: event(importEvents.EnvironmentImported.data.extend(undoes)),
  SnippetRestored: event(importEvents.SnippetImported.data.extend(undoes)),
  FolderRestored: event(importEvents.FolderImported.data.extend(undoes)),
  RequestRestored: event(importEvents.RequestImported.data.extend(undoes)),
  DocumentRestored: event(importEvents.DocumentImported.data.extend(undoes))
}
export type UndeleteEvent = EventsOf<typeof undeleteEvents>
