import { z } from 'zod'

/** Where an item stands: in a folder of a collection, or at its root. */
export const place = z.object({
  collectionId: z.string(),
  folderId: z.string().nullable(),
  sortOrder: z.number()
})
/** The collection that an item leaves for another. */
export const departure = { leaves: z.string().optional() }

export type Place = z.infer<typeof place>
