import { z } from 'zod'
import { boundedText, LIMITS } from '../src/limits.js'
import { begin, event, renaming } from './event.js'

/** Shapes that several aggregates and their events share (section 2 of the interface). */

const NAME_TOO_LONG = `Name must be at most ${LIMITS.name.max} characters long.`

/** False for what a text column cannot hold. */
export const storable = (text: string) => !text.includes('\0') && text.isWellFormed()
/** The refusal of such a text, behind the name of its field. */
export const NOT_STORABLE = 'It must not contain NUL or broken characters.'

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
  .min(1, 'Must not be empty')
  .regex(/^[\x21-\x7e]+$/, 'Ids are printable ASCII without spaces.')

/** A reference that may be missing: null and missing mean none. */
export const reference = id.nullish().transform((value) => value ?? null)

export const text = boundedText(LIMITS.text)

/** Parts of records, made of texts of one kind. */
const parts = (text: z.ZodString) => ({
  variable: z.object({
    key: text.describe('The name by which requests and scripts refer to it.'),
    value: text.describe('The value now. It may be a secret.'),
    defaultValue: text.describe('The value where `value` is empty.'),
    share: z
      .boolean()
      .describe(
        'Whether the value is meant for others: agents are shown no other, and clients mask it. People can read it either way.'
      ),
    enabled: z.boolean().default(true).describe('False for one that is kept and not used.')
  }),
  keyValue: z.object({
    key: text.describe('The name of the header or parameter.'),
    value: text.describe('Its value, which may refer to variables.'),
    enabled: z.boolean().describe('False for one that is kept and not sent.')
  }),
  auth: z.object({
    type: z.enum(['none', 'basic', 'bearer']).describe('Which of the two is sent: `basic`, `bearer`, or `none`.'),
    basic: z
      .object({
        username: text.describe('The user name; empty for none.'),
        password: text.describe('The password; empty for none.')
      })
      .describe('What is sent where `type` is `basic`. It is kept where it is not.'),
    bearer: z
      .object({ token: text.describe('The token, without `Bearer`; empty for none.') })
      .describe('What is sent where `type` is `bearer`. It is kept where it is not.')
  })
})

/** As events and rows have them: what was written once can always be read. */
export const { variable, keyValue, auth } = parts(z.string())

/** Variables, pairs and auth blocks as clients send them: with bounds on every text. */
export const sent = parts(text)

export const noAuth: z.infer<typeof auth> = {
  type: 'none',
  basic: { username: '', password: '' },
  bearer: { token: '' }
}

/** The schema, described as another one of the same thing is. */
export function alike<S extends z.ZodType>(schema: S, { description = '' }: Pick<z.ZodType, 'description'>): S {
  return schema.describe(description)
}

/** A colour marker: trimmed text; null or blank means none. */
export const marker = boundedText(LIMITS.label)
  .nullable()
  .transform((value) => value?.trim() || null)

export const empty = z.object({})

/** What replies tell of that, by the names of its fields. */
export const ATTRIBUTION = ['createdAt', 'updatedAt', 'createdByUserId', 'updatedByUserId'] as const

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

/** Where an item stands: in a folder of a collection, or at its root. */
export const itemPosition = z.object({
  collectionId: z.string(),
  folderId: z.string().nullable(),
  sortOrder: z.number()
})
export type ItemPosition = z.infer<typeof itemPosition>

/** A new item. */
export const itemCreated = <C extends z.ZodType>(content: C) => begin(z.object({ ...itemPosition.shape, content }))

/** The content of an item, and the collection that it was in before where that is another: `leaves` in version 1. */
export function itemUpdated<C extends z.ZodType>(content: C) {
  const previous = { previousCollectionId: z.string().optional() }
  return event(z.object({ ...itemPosition.shape, ...previous, content }), renaming({ leaves: 'previousCollectionId' }))
}

/** A whole item, as an event brings it. */
export const wholeItem = <C extends z.ZodType>(content: C) => z.object({ ...itemPosition.shape, content, origin })
