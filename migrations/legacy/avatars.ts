import { AVATAR_COLORS, type Avatar, sentInitials } from '../../commands/people/avatar/avatar.js'
import { type SentImage, storedImage } from '../../src/records/images/sent.js'
import type { LegacyRecord } from './read.js'
import type { LegacySource } from './source.js'

/** Puts the bytes of an image where images are. Called before the event that names it is taken. */
export type PutImage = (image: SentImage) => Promise<void>

type WithAvatar = LegacyRecord<'users'> | LegacyRecord<'tenants'>

/** What an account or the hub has chosen for itself there; null for nothing. Its image is put where images are. */
export async function avatarTaken(
  source: LegacySource,
  table: 'users' | 'tenants',
  record: WithAvatar,
  putImage: PutImage
): Promise<Avatar | null> {
  const initials = sentInitials.safeParse(record.avatarInitials).data ?? null
  if (initials === null && record.avatarInitials !== null) source.leaveOut(table, 'initials that are not letters')
  const color = AVATAR_COLORS.find((one) => one === record.avatarColor) ?? null
  if (color === null && record.avatarColor !== null) source.leaveOut(table, 'colours that clients do not know')
  const image = imageIn(source, table, record)
  if (image) await putImage(image)
  if (initials === null && color === null && !image) return null
  const changedAt = record.avatarImageUpdatedAt ?? record.updatedAt ?? record.createdAt
  return { initials, color, image: image && { ...image.ref, changedAt } }
}

function imageIn(source: LegacySource, table: 'users' | 'tenants', record: WithAvatar): SentImage | null {
  const bytes = bytesIn(record.avatarImage)
  if (bytes === null) {
    if (record.avatarImageKey !== null) source.leaveOut(table, 'images whose bytes are in a bucket')
    return null
  }
  const image = storedImage(bytes, record.avatarImageMime ?? '')
  if (!image) source.leaveOut(table, 'images that cannot be shown here')
  return image
}

/** The bytes of an image, which a database without any for them keeps as base64, or as a data URL. */
function bytesIn(value: unknown): Buffer | null {
  if (value instanceof Uint8Array) return value.length === 0 ? null : Buffer.from(value)
  if (typeof value !== 'string' || value === '') return null
  return Buffer.from(value.slice(value.startsWith('data:') ? value.indexOf(',') + 1 : 0), 'base64')
}
