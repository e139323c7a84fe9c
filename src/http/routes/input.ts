import { z } from 'zod'
import { id } from '../../../commands/content.js'
import { listOf } from '../../limits.js'
import { numberInUrl } from '../paging.js'

/** Parts of requests that several routes share. */

/** Where a move puts something: the key must be there, though null means the root. */
export const destination = id.nullable().describe('The id of the folder; null for the root of the collection.')

/** Yes or no in a query. */
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true')

/** How many records a page has at most, where a query says so or says nothing. */
export const pageSize = (most: number, usual: number) => numberInUrl.min(1).max(most).default(usual)

/** Whether something is only told, and not done. Strict: who misspells it has not meant it done. */
export const preview = z.strictObject({
  preview: flag.default(false).describe('`true` to be told what would happen, and change nothing.')
})

/** A zero-based place in a list. */
export const index = z
  .int()
  .min(0)
  .describe('The place among the new siblings, from 0; behind the last where it is larger.')

export const ids = listOf(id)

/** What an administrator may change about a lockable record. */
export const lock = z.object({
  deletionLocked: z.boolean().describe('True locks it against deletion, false unlocks it.')
})
