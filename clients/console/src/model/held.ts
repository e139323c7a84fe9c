import type { Outline } from './outline.js'
import type { MemberKind } from './records.js'

/** How many members of each kind are in a folder, or for null in the collection, at any depth. */
export function heldBy(outline: Outline, folderId: string | null): Readonly<Record<MemberKind, number>> {
  const counts = { folder: 0, request: 0, document: 0 }
  const waiting = [...(outline.inside.get(folderId) ?? [])]
  for (let member = waiting.pop(); member; member = waiting.pop()) {
    counts[member.kind]++
    if (member.kind === 'folder') waiting.push(...(outline.inside.get(member.id) ?? []))
  }
  return counts
}
