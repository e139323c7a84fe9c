import { type Field, isSame, type KeyValue, type Part, type Variable } from './forms.js'
import { mergeRows, type Side } from './mergeRows.js'

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
export interface Sides {
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
