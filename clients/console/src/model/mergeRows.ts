import { isSame } from './forms.js'

interface Row {
  readonly key: string
}

/** Which of two sides holds. */
export type Side = 'mine' | 'theirs'

/** A row that both sides have changed, each in another way. A side that has removed it is undefined. */
export interface RowConflict<R> {
  readonly key: string
  readonly base: R | undefined
  readonly mine: R | undefined
  readonly theirs: R | undefined
}

export interface MergedRows<R> {
  readonly rows: readonly R[]
  /** The keys of the rows that they alone have changed. */
  readonly taken: readonly string[]
  readonly conflicts: readonly RowConflict<R>[]
}

/**
 * Merges what two sides made of a list, row by row; of a row that both have changed the side that `choose` says. Null where rows
 * cannot be told apart by their keys, or both sides have put them into another order: then the list is one thing.
 */
export function mergeRows<R extends Row>(
  base: readonly R[],
  mine: readonly R[],
  theirs: readonly R[],
  choose: (key: string) => Side
): MergedRows<R> | null {
  const [was, here, there] = [byKey(base), byKey(mine), byKey(theirs)]
  if (!was || !here || !there) return null
  const order = orderOf(base, mine, theirs)
  if (!order) return null
  const [rows, taken, conflicts]: [R[], string[], RowConflict<R>[]] = [[], [], []]
  for (const key of order) {
    const [a, b, c] = [was.get(key), here.get(key), there.get(key)]
    let row = b
    if (isSame(a, b) && !isSame(b, c)) {
      row = c
      taken.push(key)
    } else if (!isSame(a, c) && !isSame(b, c)) {
      row = choose(key) === 'mine' ? b : c
      conflicts.push({ key, base: a, mine: b, theirs: c })
    }
    if (row) rows.push(row)
  }
  return { rows, taken, conflicts }
}

function byKey<R extends Row>(rows: readonly R[]): ReadonlyMap<string, R> | null {
  const found = new Map(rows.map((row) => [row.key, row]))
  return found.size === rows.length ? found : null
}

/** All keys of both sides, in the order of the side that has changed it; null where each has another one. */
function orderOf(base: readonly Row[], mine: readonly Row[], theirs: readonly Row[]): readonly string[] | null {
  const isMineMoved = !isSame(common(mine, base), common(base, mine))
  const isTheirsMoved = !isSame(common(theirs, base), common(base, theirs))
  if (isMineMoved && isTheirsMoved && !isSame(common(mine, theirs), common(theirs, mine))) return null
  const [first, second] = isTheirsMoved && !isMineMoved ? [theirs, mine] : [mine, theirs]
  const followers = new Map<string | null, string[]>()
  const known = new Set(first.map(({ key }) => key))
  let before: string | null = null
  for (const { key } of second) {
    if (known.has(key)) before = key
    else if (followers.has(before)) followers.get(before)?.push(key)
    else followers.set(before, [key])
  }
  const behind = (key: string | null) => followers.get(key) ?? []
  return [...behind(null), ...first.flatMap(({ key }) => [key, ...behind(key)])]
}

/** The keys of `rows` that `others` have too. */
function common(rows: readonly Row[], others: readonly Row[]): readonly string[] {
  const known = new Set(others.map(({ key }) => key))
  return rows.map(({ key }) => key).filter((key) => known.has(key))
}
