import { AVATAR_COLORS, avatarIn } from '../commands/people/avatar/avatar.js'
import { usersTable } from '../commands/people/user/table.js'
import { HUB_ID } from '../commands/tenants/hub/events.js'
import { hubsTable } from '../commands/tenants/hub/table.js'
import type { ReadStore, Row } from '../src/storage/storage.js'
import type { UserRow } from './callers.js'

/** What clients show for an account or the hub. */
export interface ShownAvatar {
  readonly initials: string
  readonly color: string
  /** Where its image is; absent where there is none. */
  readonly imageUrl?: string
}

/** An image that somebody shows: where its bytes are, and what they are. */
export interface ShownImage {
  readonly sha256: string
  readonly mediaType: string
}

type WithAvatar = Pick<UserRow, 'id' | 'name' | 'avatar'>

/** What stands for an account; what it has not chosen is the same whenever its id and name are. */
export function avatarOf({ id, name, avatar }: WithAvatar): ShownAvatar {
  return shown(id, name, { avatar }, `/auth/users/${id}/avatar`)
}

/** What stands for those of these accounts that are there, by id. */
export async function avatarsOf(
  read: Pick<ReadStore, 'getAll'>,
  ids: readonly string[]
): Promise<ReadonlyMap<string, ShownAvatar>> {
  const rows = await read.getAll(usersTable, [...new Set(ids)], { body: false })
  return new Map(rows.map((row) => [row.id, avatarOf(row)]))
}

/** The same as accounts are shown, beside their own fields. */
export function avatarFields(row: WithAvatar) {
  const { initials, color, imageUrl } = avatarOf(row)
  return {
    avatarInitials: initials,
    avatarColor: color,
    ...(imageUrl !== undefined && { avatarImageUrl: imageUrl })
  }
}

/** The hub, or the tenant of it whose log this is, with its avatar: as every client sees it. */
export async function hubRecord(
  read: Pick<ReadStore, 'get'>,
  { id, name }: { readonly id: string; readonly name: string }
) {
  const row = (await read.get(hubsTable, HUB_ID)) ?? { avatar: null }
  return { name, ...shown(id, name, row, '/auth/hub/avatar') }
}

/** The image of an account; null where there is no such account, or no image. */
export async function imageOfUser(read: Pick<ReadStore, 'get'>, id: string): Promise<ShownImage | null> {
  const row = await read.get(usersTable, id)
  return row && avatarIn(row).image
}

/** The image of the hub; null where there is none. */
export async function imageOfHub(read: Pick<ReadStore, 'get'>): Promise<ShownImage | null> {
  const row = await read.get(hubsTable, HUB_ID)
  return row && avatarIn(row).image
}

/** True where somebody shows the image with this sha256. */
export async function isImageShown(read: Pick<ReadStore, 'list'>, sha256: string): Promise<boolean> {
  const first = { limit: 1, body: false }
  const rows: readonly (readonly Row[])[] = await Promise.all([
    read.list(usersTable, 'byImage', [sha256], first),
    read.list(hubsTable, 'byImage', [sha256], first)
  ])
  return rows.some((some) => some.length > 0)
}

function shown(id: string, name: string, row: { readonly avatar: string | null }, path: string): ShownAvatar {
  const { initials, color, image } = avatarIn(row)
  return {
    initials: initials ?? initialsOf(name),
    color: color ?? colorOf(id),
    ...(image && { imageUrl: `${path}?v=${Date.parse(image.changedAt)}` })
  }
}

/** One or two letters, as they may be chosen, or `?` for a name without any. */
function initialsOf(name: string): string {
  const words = name
    .normalize('NFC')
    .split(/\s+/)
    .map((word) => word.replace(/\P{L}/gu, ''))
    .filter(Boolean)
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? '')].slice(0, 2)
  return [...letters.join('').toUpperCase()].slice(0, 2).join('') || '?'
}

function colorOf(id: string): string {
  let hash = 0
  for (let i = 0; i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) >>> 0
  return AVATAR_COLORS[hash % AVATAR_COLORS.length] ?? AVATAR_COLORS[0]
}
