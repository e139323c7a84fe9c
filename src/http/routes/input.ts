import { z } from 'zod'
import { id } from '../../../commands/content.js'
import { listOf } from '../../limits.js'

/** Parts of requests that several routes share. */

export const idParams = z.object({ id })
/** What routes of one record take, and what those take that change it. */
export const byId = { params: idParams } as const
export const changedById = { ...byId, takesIfMatch: true } as const
export const collectionParams = z.object({ collectionId: id })

/** Where a move puts something: the key must be there, though null means the root. */
export const destination = id.nullable()

/** A zero-based place in a list. */
export const index = z.int().min(0)

export const ids = listOf(id)

/** What an administrator may change about a lockable record. */
export const lock = z.object({ deletionLocked: z.boolean() })
