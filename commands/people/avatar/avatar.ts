import { z } from 'zod'
import { boundedText, LIMITS } from '../../../src/limits.js'

/** The colours that clients know. */
export const AVATAR_COLORS = [
  'sky-600',
  'violet-600',
  'emerald-600',
  'amber-600',
  'rose-600',
  'cyan-600',
  'indigo-600',
  'teal-600'
] as const

/** An image as the log names it: its bytes are beside the log, under their sha256. */
const image = z.object({ sha256: z.string(), mediaType: z.string(), bytes: z.number() })
export type ImageRef = z.infer<typeof image>

/** What stands for an account or the hub. What nobody has chosen is null: initials and colour then follow from name and id. */
export const avatar = z.object({
  initials: z.string().nullable(),
  color: z.string().nullable(),
  image: image.extend({ changedAt: z.string() }).nullable()
})
export type Avatar = z.infer<typeof avatar>

const nothingChosen: Avatar = { initials: null, color: null, image: null }

/** What somebody wants of an avatar; what is left out stays, and null takes the image away. */
export interface AvatarChanges {
  readonly initials?: string | undefined
  readonly color?: string | undefined
  readonly image?: ImageRef | null | undefined
}

const INITIALS_MAX = 2
const WRONG_COUNT = 'Avatar initials must be one or two letters.'

/** Initials as they are sent: one or two letters of any script, which are kept in upper case. */
export const sentInitials = boundedText(LIMITS.label, 'Avatar initials must be a string.', WRONG_COUNT)
  .transform((text) => [...text.normalize('NFC').trim()])
  .pipe(
    z
      .array(z.string())
      .min(1, { error: WRONG_COUNT, abort: true })
      .max(INITIALS_MAX, { error: WRONG_COUNT, abort: true })
      .refine(
        (letters) => letters.every((letter) => /^\p{L}$/u.test(letter)),
        'Avatar initials must contain letters only.'
      )
  )
  // Upper case can be longer: of ß it is SS.
  .transform((letters) => [...letters.join('').toUpperCase()].slice(0, INITIALS_MAX).join(''))

export const sentColor = z.enum(AVATAR_COLORS, {
  error: `Avatar colors are ${AVATAR_COLORS.join(', ')}.`
})

/** The avatar in a row: what was chosen of it. */
export function avatarIn(row: { readonly avatar: string | null }): Avatar {
  return row.avatar === null ? nothingChosen : avatar.parse(JSON.parse(row.avatar))
}

/** An avatar as the columns of a row: the sha256 of its image by itself, so that rows are found by it. */
export function avatarColumns(avatar: Avatar): { readonly avatar: string; readonly image: string | null } {
  return { avatar: JSON.stringify(avatar), image: avatar.image?.sha256 ?? null }
}

/** The avatar with these changes at a moment; null where nothing would change. An image that is sent again stays as it was. */
export function changedAvatar(before: Avatar, changes: AvatarChanges, now: string): Avatar | null {
  const { initials = before.initials, color = before.color, image } = changes
  const after = { initials, color, image: image === undefined ? before.image : imageAfter(before, image, now) }
  const isSame = initials === before.initials && color === before.color && after.image === before.image
  return isSame ? null : after
}

function imageAfter({ image: before }: Avatar, image: ImageRef | null, now: string): Avatar['image'] {
  if (image === null) return null
  const isSame = before?.sha256 === image.sha256 && before.mediaType === image.mediaType
  return isSame ? before : { ...image, changedAt: now }
}
