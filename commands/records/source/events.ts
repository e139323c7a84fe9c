import { z } from 'zod'
import { emitter, event } from '../../event.js'

const ids = z.array(z.string())
const counts = z.object({ created: z.number(), updated: z.number(), deleted: z.number() })

export const sourceEvents = {
  /**
   * A file of another tool was imported into a collection, or brought environments alone: how much came of it, and which records
   * there are of this source now. Its stream is that of the source in the collection. `kept` are records that somebody else's
   * version of was left in place.
   * What happened to each record, the events before it of the same command tell.
   */
  SourceImported: event(
    z.object({
      /** Null for a file of environments alone. */
      collectionId: z.string().nullable(),
      name: z.string(),
      format: z.string(),
      counts,
      /** How many things the hub has no place for. */
      notes: z.number(),
      folders: ids,
      requests: ids,
      documents: ids,
      kept: ids,
      /** Those that the file has beside the collection: they are in none. */
      environments: ids.default([])
    })
  )
}
export type SourceImported = z.infer<typeof sourceEvents.SourceImported.data>
export const emitSource = emitter('source', sourceEvents)
