import { z } from 'zod'

/** Where an item stands: in a folder of a collection, or at its root. */
export const place = z.object({
  collectionId: z.string(),
  folderId: z.string().nullable(),
  sortOrder: z.number()
})
export type Place = z.infer<typeof place>
