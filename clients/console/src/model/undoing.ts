import type { Schemas } from '@collections-hub/client'

/** What an undo comes to, list by list. */
type Lists = Pick<Schemas['Undo'], 'returned' | 'reverted' | 'removed' | 'kept'>

/** The records that one thing becomes of, and why it does of those that stay. */
interface UndoGroup {
  readonly title: string
  readonly records: readonly (Lists['returned'][number] & { readonly reason?: string })[]
}

const TITLES = {
  returned: ['Comes back', 'Came back'],
  reverted: ['Becomes what it was', 'Became what it was'],
  removed: ['Goes, since it was made', 'Went, since it was made'],
  kept: ['Stays as it is', 'Stayed as it was']
} as const

/** What an undo comes to, in the order in which people read it; what is empty is left out. */
export function groupsOf(lists: Lists, isDone: boolean): readonly UndoGroup[] {
  return (['returned', 'reverted', 'removed', 'kept'] as const)
    .map((name) => ({ title: TITLES[name][isDone ? 1 : 0], records: lists[name] }))
    .filter(({ records }) => records.length > 0)
}

/** How many records an undo changes. */
export const takenOf = ({ returned, reverted, removed }: Lists): number =>
  returned.length + reverted.length + removed.length

/** True where an undo would change nothing. */
export const isEmpty = (lists: Lists): boolean => takenOf(lists) === 0
