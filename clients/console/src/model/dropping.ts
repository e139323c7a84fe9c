import { endOf, fits, type Position, positionOf } from './moving.js'
import type { Member, Outline } from './outline.js'

/** The line of the tree that something is held over, and how far down in it: 0 at its upper edge, 1 at its lower one. */
export interface Under {
  /** Of a member, or of the collection itself. */
  readonly id: string
  readonly isOpen: boolean
  readonly part: number
}

/** What dropping would do, and what of the tree shows that: a line beside a row, or a folder that is lit up. */
export interface Drop {
  readonly to: Position
  readonly mark: { readonly id: string; readonly kind: 'before' | 'after' | 'into' }
}

/** So much of a folder's line, at either edge, is beside the folder and not in it. */
const EDGE = 0.3

/** What dropping a member of a collection over a line does; null where it cannot go there. */
export function dropOver(outline: Outline, collectionId: string, id: string, under: Under): Drop | null {
  const member = outline.members.get(id)
  if (!member) return null
  const over = outline.members.get(under.id)
  const drop = over ? overMember(outline, collectionId, member, over, under) : into(outline, collectionId, member, null)
  return drop && fits(outline, id, drop.to.parentId) && under.id !== id ? drop : null
}

function overMember(
  outline: Outline,
  collectionId: string,
  member: Member,
  over: Member,
  { isOpen, part }: Under
): Drop | null {
  const place = positionOf(outline, over.id)
  if (!place) return null
  if (over.kind === 'folder') {
    const isBeside = member.kind === 'folder' && (part < EDGE || (part > 1 - EDGE && !isOpen))
    if (isBeside) return beside(outline, member, over, place, part < EDGE)
    if (member.kind !== 'folder' || part <= 1 - EDGE) return into(outline, collectionId, member, over.id)
    return { to: { parentId: over.id, index: 0 }, mark: { id: over.id, kind: 'into' } }
  }
  // Folders stand above everything else of their folder.
  if (member.kind === 'folder') return into(outline, collectionId, member, place.parentId)
  return beside(outline, member, over, place, part < 0.5)
}

function beside(outline: Outline, member: Member, over: Member, place: Position, isBefore: boolean): Drop {
  const own = positionOf(outline, member.id)
  // Whoever stands above in the same sequence leaves a gap there.
  const gap = own && own.parentId === place.parentId && own.index < place.index ? 1 : 0
  const index = place.index - gap + (isBefore ? 0 : 1)
  return { to: { ...place, index }, mark: { id: over.id, kind: isBefore ? 'before' : 'after' } }
}

function into(outline: Outline, collectionId: string, member: Member, parentId: string | null): Drop {
  return { to: endOf(outline, parentId, member), mark: { id: parentId ?? collectionId, kind: 'into' } }
}
