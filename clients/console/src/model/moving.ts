import { foldersAbove, type Member, type Outline, outlineOf } from './outline.js'

/**
 * Where a member is to stand: in a folder, or at the root for null, behind so many of its siblings. Folders have a sequence of
 * their own, requests and documents share one; the member itself does not count.
 */
export interface Position {
  readonly parentId: string | null
  readonly index: number
}

/** What stands in one sequence with a member of this kind, but for the member itself. */
export function siblingsOf(outline: Outline, parentId: string | null, member: Member): readonly Member[] {
  const isFolder = member.kind === 'folder'
  return (outline.inside.get(parentId) ?? []).filter(
    ({ kind, id }) => (kind === 'folder') === isFolder && id !== member.id
  )
}

/** Where a member stands. */
export function positionOf(outline: Outline, id: string): Position | null {
  const member = outline.members.get(id)
  if (!member) return null
  const parentId = containerOf(outline, member)
  const all = (outline.inside.get(parentId) ?? []).filter(
    ({ kind }) => (kind === 'folder') === (member.kind === 'folder')
  )
  return { parentId, index: all.findIndex((one) => one.id === id) }
}

/** The folder that a member is shown in: one whose folder is not there stands at the root. */
function containerOf(outline: Outline, { parentId }: Member): string | null {
  return parentId !== null && outline.members.get(parentId)?.kind === 'folder' ? parentId : null
}

/** Whether a member can go into a folder, or to the root for null: no folder goes into itself, or into one that is in it. */
export function fits(outline: Outline, id: string, parentId: string | null): boolean {
  if (parentId === null) return true
  if (parentId === id || outline.members.get(parentId)?.kind !== 'folder') return false
  return !foldersAbove(outline, parentId).some((folder) => folder.id === id)
}

/** Behind everything of its sequence in a folder. */
function endOf(outline: Outline, parentId: string | null, member: Member): Position {
  return { parentId, index: siblingsOf(outline, parentId, member).length }
}

/** The outline with a member at another position; as it was where the member or the folder is gone. */
export function moved(outline: Outline, id: string, { parentId, index }: Position): Outline {
  const member = outline.members.get(id)
  if (!member || !fits(outline, id, parentId)) return outline
  const sequence = siblingsOf(outline, parentId, member).toSpliced(index, 0, { ...member, parentId })
  const places = new Map(sequence.map((one, place) => [one.id, { ...one, sortOrder: place }]))
  return outlineOf([...outline.members.values()].map((one) => places.get(one.id) ?? one))
}

/** A step by keyboard: among its siblings, into the folder above, or out of the one that it is in. */
export type Step = 'up' | 'down' | 'in' | 'out'

/** Where a step leads; null where it leads nowhere. */
export function stepFrom(outline: Outline, id: string, step: Step): Position | null {
  const [member, here] = [outline.members.get(id), positionOf(outline, id)]
  if (!member || !here) return null
  const { parentId, index } = here
  if (step === 'up') return index > 0 ? { parentId, index: index - 1 } : null
  if (step === 'down')
    return index < siblingsOf(outline, parentId, member).length ? { parentId, index: index + 1 } : null
  if (step === 'in') {
    const siblings = outline.inside.get(parentId) ?? []
    const above = siblings.slice(
      0,
      siblings.findIndex((one) => one.id === id)
    )
    const folder = above.findLast(({ kind }) => kind === 'folder')
    return folder ? endOf(outline, folder.id, member) : null
  }
  const folder = parentId === null ? null : positionOf(outline, parentId)
  if (!folder) return null
  return { parentId: folder.parentId, index: member.kind === 'folder' ? folder.index + 1 : 0 }
}

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
