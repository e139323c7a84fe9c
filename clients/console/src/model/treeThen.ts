import { linesOf, type Member, outlineOf } from './outline.js'

/** A member of a collection at a moment, with all that people have put into it as one text. */
export interface Kept extends Member {
  readonly content: string
}

/** What is different now from what was then. */
export type Mark = 'new' | 'gone' | 'moved' | 'changed'

/** A line of a collection as it was; what is new since stands at the end of the folder that it is in now. */
export interface ThenLine {
  readonly member: Member
  /** From 1. */
  readonly level: number
  readonly marks: readonly Mark[]
}

/** The fields of a record that do not tell what people have put into it, or where it stands. */
const UNTOLD = new Set([
  'id',
  'collectionId',
  'folderId',
  'parentFolderId',
  'sortOrder',
  'createdAt',
  'updatedAt',
  'createdByUserId',
  'updatedByUserId'
])

/** All that people have put into a record, as a text to be compared. */
export const contentOf = (record: object): string =>
  JSON.stringify(record, (field, value: unknown) => (UNTOLD.has(field) ? undefined : value))

/** What a collection held then, from the top or inside a folder, and what of it is different now. */
export function thenLines(then: readonly Kept[], now: readonly Kept[], folderId: string | null = null) {
  const was = new Map(then.map((member) => [member.id, member]))
  const is = new Map(now.map((member) => [member.id, member]))
  const moved = movedIn(then, is)
  const fresh = now.filter(({ id }) => !was.has(id))
  // Behind all that were there then, whatever their place among those of now.
  const placed = fresh.map((member) => ({ ...member, sortOrder: member.sortOrder + then.length + now.length }))
  const all = [...then, ...placed]
  const folders = new Set(all.flatMap(({ kind, id }) => (kind === 'folder' ? [id] : [])))
  return linesOf(outlineOf(all), folders, folderId).map(({ member, level }) => {
    const [before, after] = [was.get(member.id), is.get(member.id)]
    return { member, level, marks: marksOf(before, after, moved) }
  })
}

function marksOf(before: Kept | undefined, after: Kept | undefined, moved: ReadonlySet<string>): readonly Mark[] {
  if (!before) return ['new']
  if (!after) return ['gone']
  const marks: Mark[] = []
  if (before.parentId !== after.parentId || moved.has(before.id)) marks.push('moved')
  if (before.content !== after.content) marks.push('changed')
  return marks
}

/** Those that have changed places among their siblings: as few as can explain the order of now. */
function movedIn(then: readonly Kept[], now: ReadonlyMap<string, Kept>): ReadonlySet<string> {
  const moved = new Set<string>()
  for (const siblings of outlineOf(then).inside.values()) {
    const stayed = siblings.filter(({ id, parentId }) => now.get(id)?.parentId === parentId)
    for (const isFolder of [true, false]) {
      const some = stayed.filter(({ kind }) => (kind === 'folder') === isFolder)
      const kept = rising(some.map(({ id }) => now.get(id)?.sortOrder ?? 0))
      for (const [index, { id }] of some.entries()) if (!kept.has(index)) moved.add(id)
    }
  }
  return moved
}

/** The places of a longest rising part of a list of numbers. */
function rising(numbers: readonly number[]): ReadonlySet<number> {
  // The place of the least number that a rising part of each length ends with.
  const ends: number[] = []
  const before: (number | undefined)[] = []
  for (const [index, number] of numbers.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1
      else high = middle
    }
    before[index] = ends[low - 1]
    ends[low] = index
  }
  const kept = new Set<number>()
  for (let at = ends.at(-1); at !== undefined; at = before[at]) kept.add(at)
  return kept
}

/** The lines that are different, with the folders that lead to them. */
export function differentLines(lines: readonly ThenLine[]): readonly ThenLine[] {
  const kept: ThenLine[] = []
  let wanted = 0
  for (const line of lines.toReversed()) {
    const leadsToOne = line.member.kind === 'folder' && line.level < wanted
    if (line.marks.length === 0 && !leadsToOne) continue
    kept.push(line)
    wanted = line.level
  }
  return kept.reverse()
}

/** How many lines have each mark. */
export function marksCounted(lines: readonly ThenLine[]): Readonly<Record<Mark, number>> {
  const counts = { new: 0, gone: 0, moved: 0, changed: 0 }
  for (const { marks } of lines) for (const mark of marks) counts[mark]++
  return counts
}
