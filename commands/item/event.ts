import { z } from 'zod'
import { origin } from '../content.js'
import { renaming } from '../event.js'

/** Where an item stands: in a folder of a collection, or at its root. */
export const place = z.object({
  collectionId: z.string(),
  folderId: z.string().nullable(),
  sortOrder: z.number()
})
/** The collection that an item was in before, where an update takes it to another. */
export const departure = { previousCollectionId: z.string().optional() }
/** Version 1 of an update said `leaves`. */
export const departureFromVersion1 = renaming({ leaves: 'previousCollectionId' })

export type Place = z.infer<typeof place>

/** A whole item, as an event brings it. */
export const wholeItem = <C extends z.ZodType>(content: C) => z.object({ ...place.shape, content, origin })
