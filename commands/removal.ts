import { z } from 'zod'

/** What the event of a deletion tells beyond the fact: what the thing was called, and what went with it. */

const ids = z.array(z.string()).default([])

/** A record that stood on its own. */
export const removal = z.object({ name: z.string().default('') })

/** An item of a collection. */
export const itemRemoval = removal.extend({ collectionId: z.string().nullable().default(null) })

/** Something that held other things. */
export const contents = { folders: ids, requests: ids, documents: ids }
