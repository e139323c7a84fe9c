import { z } from 'zod'
import { event, renaming } from './event.js'

/** What the event of a deletion tells beyond the fact: what the record was called, and what went with it; and its return. */

const ids = z.array(z.string()).default([])

/** A record that stood on its own. */
export const removal = z.object({ name: z.string().default('') })

/** An item of a collection. */
export const itemRemoval = removal.extend({ collectionId: z.string().nullable().default(null) })

/** Something that held other things. */
export const contents = { folders: ids, requests: ids, documents: ids }

/** A deleted record is back, under its own id and as it was, and with it the deletions at these positions are undone. */
export function restored<S extends z.core.$ZodShape>(record: z.ZodObject<S>) {
  return event(record.extend({ deletionPositions: z.array(z.number()) }), renaming({ undoes: 'deletionPositions' }))
}
