import { z } from 'zod'
import { boundedText, LIMITS } from '../src/limits.js'

/** Shapes that several aggregates and their events share (section 2 of the interface). */

const NAME_TOO_LONG = `Name must be at most ${LIMITS.name.max} characters long.`

/** False for what a text column cannot hold. */
export const storable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** A name: trimmed, 1 to 500 characters, in composed form, without what a text column cannot hold. */
export const name = boundedText(LIMITS.rawName, 'Name must be a string.', NAME_TOO_LONG)
  .transform((text) => text.normalize('NFC').trim())
  .pipe(
    z
      .string()
      .min(1, 'Name must not be empty.')
      .max(LIMITS.name.max, NAME_TOO_LONG)
      .refine(storable, 'Name must not contain NUL or broken characters.')
  )

/** An id of a resource: as clients send it in paths and bodies. */
export const id = boundedText(LIMITS.id)
  .min(1)
  .regex(/^[\x21-\x7e]+$/, 'Ids are printable ASCII without spaces.')

export const text = boundedText(LIMITS.text)

/** Parts of records, made of texts of one kind. */
const parts = (text: z.ZodString) => ({
  variable: z.object({
    key: text,
    value: text,
    defaultValue: text,
    share: z.boolean(),
    enabled: z.boolean().default(true)
  }),
  keyValue: z.object({ key: text, value: text, enabled: z.boolean() }),
  auth: z.object({
    type: z.enum(['none', 'basic', 'bearer']),
    basic: z.object({ username: text, password: text }),
    bearer: z.object({ token: text })
  })
})

/** As events and rows have them: what was written once can always be read. */
export const { variable, keyValue, auth } = parts(z.string())

/** The same as clients send them. */
export const sent = parts(text)

export const noAuth: z.infer<typeof auth> = {
  type: 'none',
  basic: { username: '', password: '' },
  bearer: { token: '' }
}

/** A colour marker: trimmed text; null or blank means none. */
export const marker = boundedText(LIMITS.label)
  .nullable()
  .transform((value) => value?.trim() || null)

export const empty = z.object({})

/** When and by whom a record was made and last changed, where that is not told by the event that makes it. */
export const origin = z.object({
  createdAt: z.string(),
  updatedAt: z.string(),
  createdBy: z.string().nullable(),
  updatedBy: z.string().nullable()
})
export type Origin = z.infer<typeof origin>

/** A whole record with a lock, as an event brings it. */
export const wholeLockable = <C extends z.ZodType>(content: C) =>
  z.object({ content, deletionLocked: z.boolean(), origin })
