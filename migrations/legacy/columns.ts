import { z } from 'zod'

/**
 * What columns of an older hub's tables hold. Lists and objects are JSON in text there (plain values in Firestore), booleans may
 * be 0 and 1, and columns that came later may be missing or null.
 */

export const id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\x21-\x7e]+$/)
export const maybeId = id.nullish().transform((value) => value ?? null)
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
export const maybeText = z
  .string()
  .nullish()
  .transform((value) => value || null)
/** Not every database can hold what another one could in a name. */
export const name = z.string().transform((value) => value.replaceAll('\0', '').toWellFormed())
export const flag = z
  .union([z.boolean(), z.number()])
  .nullish()
  .transform((value) => value === true || value === 1)
export const count = z.coerce.number().int().catch(0)
export const time = z.coerce.date().transform((value) => value.toISOString())
export const maybeTime = time.nullish().transform((value) => value ?? null)

/** What follows from other columns here, and is not read. */
export const derived = z.unknown().optional()

export const parsed = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value, context) => {
    if (typeof value !== 'string') return value ?? undefined
    try {
      return value.trim() === '' ? undefined : JSON.parse(value)
    } catch {
      context.addIssue('is not JSON')
      return z.NEVER
    }
  }, schema)

export const access = parsed(z.array(z.string()).default([]))

/** Columns that every table has, and those of whatever somebody makes and changes. */
export const own = { id, createdAt: time, tenantId: z.string().nullish() }
export const attributed = { ...own, updatedAt: maybeTime, createdByUserId: maybeId, updatedByUserId: maybeId }

/** What stands for an account or a tenant. The image is bytes, or the key of an object in a bucket. */
export const avatarColumns = {
  avatarInitials: maybeText,
  avatarColor: maybeText,
  avatarImage: z.unknown().optional(),
  avatarImageMime: maybeText,
  avatarImageUpdatedAt: maybeTime,
  avatarImageKey: maybeText
}
