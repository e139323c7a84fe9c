import type { Schemas } from '@collections-hub/client'
import { count } from './numbers.js'
import { stepOf, wordFor } from './records.js'

/** One thing that happened in a collection; what happened by one command has the same `commandId`. */
export type Happening = Schemas['Activity']['events'][number]

/** A moment at which a collection became another. */
export interface Moment {
  /** The place in the log of the last thing that happened then. */
  readonly position: number
  readonly at: string
  readonly who: string
  readonly what: string
}

const VERBS: Readonly<Record<string, string>> = {
  Created: 'created',
  Imported: 'imported',
  Restored: 'brought back',
  Updated: 'changed',
  Moved: 'moved',
  Deleted: 'deleted',
  DeletionLocked: 'locked',
  DeletionUnlocked: 'unlocked'
}
const OF_ALL: Readonly<Record<string, string>> = {
  ItemsReordered: 'changed an order',
  FoldersReordered: 'changed the order of folders',
  SourceImported: 'imported a file'
}

/** So long after it was made a record is put to its place at most, as a copy is behind what it is of. */
const PLACED_WITHIN_MS = 2000

/** The making of a record as of when it was at its place, where it was put there at once; null for anything else. */
function placed(moved: Happening, made: Happening): Happening | null {
  const isAtOnce = Date.parse(moved.at) - Date.parse(made.at) <= PLACED_WITHIN_MS
  const isSame = moved.id === made.id && moved.actor.name === made.actor.name && isAtOnce
  const isPlacing = stepOf(moved.kind, moved.type) === 'Moved' && stepOf(made.kind, made.type) === 'Created'
  return isSame && isPlacing ? { ...made, position: moved.position, at: moved.at } : null
}

/** The moments of these happenings, which are given newest first; what happened by one command is one moment. */
export function momentsOf(happenings: readonly Happening[]): readonly Moment[] {
  const groups: Happening[][] = []
  for (const one of happenings) {
    const group = groups.at(-1)
    const [last] = group ?? []
    const made = last && group?.length === 1 ? placed(last, one) : null
    if (made) groups.splice(-1, 1, [made])
    else if (group && last?.commandId === one.commandId) group.push(one)
    else groups.push([one])
  }
  return groups.flatMap((group) => {
    const [last] = group
    if (!last) return []
    return [{ position: last.position, at: last.at, who: last.actor.name ?? 'Somebody', what: whatOf(group) }]
  })
}

function whatOf(group: readonly Happening[]): string {
  const [last, ...others] = group
  if (!last) return ''
  const whole = group.find(({ type }) => type === 'SourceImported')
  if (whole) return OF_ALL.SourceImported ?? ''
  if (others.length === 0) return one(last)
  const verbs = new Set(group.map(verbOf))
  const [verb] = verbs
  return `${verbs.size === 1 ? verb : 'changed'} ${count(group.length)} things`
}

function one(happening: Happening): string {
  const { type, kind, name } = happening
  return OF_ALL[type] ?? `${verbOf(happening)} ${name === null ? `a ${wordFor(kind)}` : `“${name}”`}`
}

function verbOf({ type, kind }: Happening): string {
  return VERBS[stepOf(kind, type) ?? ''] ?? 'changed'
}

/** What an address calls one of these moments: its time or, where others have the same, its place in the log. */
export function addressOf(moments: readonly Moment[], index: number): string {
  const moment = moments[index]
  const isShared = [moments[index - 1], moments[index + 1]].some((other) => other?.at === moment?.at)
  return moment ? (isShared ? String(moment.position) : moment.at) : ''
}

/** Which of these moments, newest first, was the last at a place in the log or a time; none where all came later. */
export function momentAt(moments: readonly Moment[], at: string): number {
  if (/^\d+$/.test(at)) return moments.findIndex(({ position }) => position <= Number(at))
  const time = Date.parse(at)
  return moments.findIndex((moment) => Date.parse(moment.at) <= time)
}
