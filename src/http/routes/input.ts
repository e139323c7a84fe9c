import { z } from 'zod'
import { id } from '../../../commands/content.js'

/** Parts of requests that several routes share. */

export const idParams = z.object({ id })
export const collectionParams = z.object({ collectionId: id })

/** A reference that may be missing: null and missing mean none. */
export const reference = id.nullish().transform((value) => value ?? null)

/** Where a move puts something: the key must be there, though null means the root. */
export const destination = id.nullable()

/** A zero-based place in a list. */
export const index = z.int().min(0)

/** A list whose first wrong entry decides: a million wrong ones cost no more than one. */
export function listOf<S extends z.ZodType>(entry: S) {
  return z.array(z.unknown()).transform((values, context) => {
    const entries: z.output<S>[] = []
    for (const [i, value] of values.entries()) {
      const result = entry.safeParse(value)
      if (!result.success) {
        for (const issue of result.error.issues) context.addIssue({ ...issue, path: [i, ...issue.path] })
        return z.NEVER
      }
      entries.push(result.data)
    }
    return entries
  })
}

export const ids = listOf(id)

const DEPTH_MAX = 100

/** A JSON object of any shape, as deep as what passes through it later may be. */
export const freeform = z
  .record(z.string(), z.unknown())
  .refine((value) => nestsAtMost(value, DEPTH_MAX), `JSON may be nested at most ${DEPTH_MAX} levels deep.`)

function nestsAtMost(value: unknown, depth: number): boolean {
  let level = [value]
  for (let at = 0; level.length > 0; at++) {
    if (at > depth) return false
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return true
}

/** What an administrator may change about a lockable record. */
export const lock = z.object({ deletionLocked: z.boolean() })
