import { type Field, isSame, type KeyValue, type Part, type Variable } from './forms.js'

/** A field, or one row of a field that is a list. */
export interface Place {
  readonly field: Field
  /** The key of the row. */
  readonly key?: string
}

/** Something that both sides have changed, each in another way. */
export interface Conflict extends Place {
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
}

/** How a conflict was decided: for a side, or for a text that somebody made of both. */
export type Choice = Side | { readonly text: string }

/** A conflict by what it is about. */
export const idOf = ({ field, key }: Place): string => (key === undefined ? field : `${field}/${key}`)

export interface Merged {
  /** Every field: as the side has it that alone has changed it, and where both have, as it was chosen, or mine. */
  readonly form: Part
  /** What they alone have changed. */
  readonly taken: readonly Place[]
  readonly conflicts: readonly Conflict[]
}

/** The same fields, as they were when somebody began to edit, as they made them, and as others have made them since. */
interface Sides {
  readonly base: Part
  readonly mine: Part
  readonly theirs: Part
}

/** Merges what two sides made of the same fields, with what was chosen of that which both have changed. */
export function merge(
  fields: readonly Field[],
  sides: Sides,
  choices: ReadonlyMap<string, Choice> = new Map()
): Merged {
  const parts = fields.map((field) => mergeField(field, sides, choices))
  return {
    form: Object.assign({}, ...parts.map(({ form }) => form)),
    taken: parts.flatMap(({ taken }) => taken),
    conflicts: parts.flatMap(({ conflicts }) => conflicts)
  }
}

function mergeField(field: Field, sides: Sides, choices: ReadonlyMap<string, Choice>): Merged {
  const [base, mine, theirs] = [sides.base[field], sides.mine[field], sides.theirs[field]]
  if (isSame(base, theirs) || isSame(mine, theirs)) return { form: { [field]: mine }, taken: [], conflicts: [] }
  if (isSame(base, mine)) return { form: { [field]: theirs }, taken: [{ field }], conflicts: [] }
  const rows = isList(field) ? mergeList(field, sides, choices) : null
  if (rows) return rows
  const choice = choices.get(field)
  const chosen = typeof choice === 'object' ? choice.text : choice === 'theirs' ? theirs : mine
  return { form: { [field]: chosen }, taken: [], conflicts: [{ field, base, mine, theirs }] }
}

const LISTS = ['params', 'headers', 'variables', 'runCommandEnv'] as const
type List = (typeof LISTS)[number]

/** Whether a field is a list of rows, each with a key. */
export const isList = (field: Field): field is List => LISTS.some((list) => list === field)

function mergeList(field: List, { base, mine, theirs }: Sides, choices: ReadonlyMap<string, Choice>): Merged | null {
  const sideOf = (key: string): Side => (choices.get(idOf({ field, key })) === 'theirs' ? 'theirs' : 'mine')
  const merged = mergeRows<KeyValue | Variable>(base[field] ?? [], mine[field] ?? [], theirs[field] ?? [], sideOf)
  return (
    merged && {
      form: { [field]: merged.rows },
      taken: merged.taken.map((key) => ({ field, key })),
      conflicts: merged.conflicts.map((conflict) => ({ field, ...conflict }))
    }
  )
}

interface Row {
  readonly key: string
}

/** Which of two sides holds. */
type Side = 'mine' | 'theirs'

/**
 * Merges what two sides made of a list, row by row; of a row that both have changed the side that `choose` says. Null where rows
 * cannot be told apart by their keys, or both sides have put them into another order: then the list is one thing.
 */
function mergeRows<R extends Row>(
  base: readonly R[],
  mine: readonly R[],
  theirs: readonly R[],
  choose: (key: string) => Side
) {
  const [was, here, there] = [byKey(base), byKey(mine), byKey(theirs)]
  if (!was || !here || !there) return null
  const order = orderOf(base, mine, theirs)
  if (!order) return null
  // Of a row that a side has removed, that side is undefined.
  const [rows, taken, conflicts]: [R[], string[], Omit<Conflict, 'field'>[]] = [[], [], []]
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
