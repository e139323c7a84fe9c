import type { MemberKind } from './records.js'

/** A member of a collection as the tree shows it. */
export interface Member {
  readonly kind: MemberKind
  readonly id: string
  readonly name: string
  /** The folder that it is in; null at the root. */
  readonly parentId: string | null
  /** Its place among its siblings: folders have a sequence of their own, requests and documents share one. */
  readonly sortOrder: number
  /** Of a request. */
  readonly method?: string
}

/** The members of a collection by the folder that they are in, each list in its order: folders first. */
export interface Outline {
  readonly members: ReadonlyMap<string, Member>
  readonly inside: ReadonlyMap<string | null, readonly Member[]>
}

/** Puts the members of a collection in order. A member whose folder is not there stands at the root. */
export function outlineOf(list: readonly Member[]): Outline {
  const members = new Map(list.map((member) => [member.id, member]))
  const inside = new Map<string | null, Member[]>()
  for (const member of list) {
    const isAtRoot = member.parentId === null || members.get(member.parentId)?.kind !== 'folder'
    const parentId = isAtRoot ? null : member.parentId
    const siblings = inside.get(parentId)
    if (siblings) siblings.push(member)
    else inside.set(parentId, [member])
  }
  for (const siblings of inside.values()) siblings.sort(byPlace)
  return { members, inside }
}

function byPlace(a: Member, b: Member): number {
  const [first, second] = [a.kind === 'folder', b.kind === 'folder']
  if (first !== second) return first ? -1 : 1
  return a.sortOrder - b.sortOrder || (a.id < b.id ? -1 : 1)
}

/** The folders that a member is in, the outermost first. */
export function foldersAbove(outline: Outline, id: string): readonly Member[] {
  const above: Member[] = []
  let next = outline.members.get(id)?.parentId ?? null
  // A folder that were inside itself would never end.
  while (next !== null && above.length < outline.members.size) {
    const folder = outline.members.get(next)
    if (!folder) break
    above.unshift(folder)
    next = folder.parentId
  }
  return above
}

/** A line of the tree: what can be seen with these folders open. */
interface Line {
  readonly member: Member
  /** From 1. */
  readonly level: number
  readonly isOpen: boolean
  /** The place among its siblings, from 1, and how many there are. */
  readonly place: number
  readonly siblings: number
}

/** The lines of a collection, from the top, with the folders in `open` unfolded. */
export function linesOf(outline: Outline, open: ReadonlySet<string>, parentId: string | null = null, level = 1) {
  const lines: Line[] = []
  const siblings = outline.inside.get(parentId) ?? []
  for (const [index, member] of siblings.entries()) {
    const isOpen = member.kind === 'folder' && open.has(member.id)
    lines.push({ member, level, isOpen, place: index + 1, siblings: siblings.length })
    if (isOpen) for (const line of linesOf(outline, open, member.id, level + 1)) lines.push(line)
  }
  return lines
}

/** All members in a folder, or for null in the collection, at any depth. */
export function heldIn(outline: Outline, folderId: string | null): readonly Member[] {
  const held: Member[] = []
  const waiting = [...(outline.inside.get(folderId) ?? [])]
  for (let member = waiting.pop(); member; member = waiting.pop()) {
    held.push(member)
    if (member.kind === 'folder') waiting.push(...(outline.inside.get(member.id) ?? []))
  }
  return held
}

/** How many of them there are of each kind. */
export function heldBy(outline: Outline, folderId: string | null): Readonly<Record<MemberKind, number>> {
  const counts = { folder: 0, request: 0, document: 0 }
  for (const { kind } of heldIn(outline, folderId)) counts[kind]++
  return counts
}
