/** A value in one JSON text that is another in the other one; null where there is none. */
export interface JsonChange {
  /** The way to it: `items[2].price`. */
  readonly path: string
  readonly from: string | null
  readonly to: string | null
}

/** Longer texts are compared line by line alone. */
const LENGTH_MOST = 256 * 1024
/** So many differences are told at most; texts that differ in more are compared line by line. */
const CHANGES_MOST = 500

/** The text of a value that holds no others: numbers as they were written, since some are too long for a number. */
class Leaf {
  constructor(readonly text: string) {}
}

/**
 * What differs between two texts of JSON but for how they are written: indentation and the order of names are no difference. Null
 * where one of them is no JSON of objects or lists, or where they are too long or too different.
 */
export function jsonDiff(from: string, to: string): readonly JsonChange[] | null {
  const [before, after] = [branchIn(from), branchIn(to)]
  if (!before || !after) return null
  const changes: JsonChange[] = []
  for (const change of between('', before, after)) {
    if (changes.length === CHANGES_MOST) return null
    changes.push(change)
  }
  return changes
}

function branchIn(text: string): object | null {
  if (text.length > LENGTH_MOST || !/^\s*[[{]/.test(text)) return null
  try {
    const value: unknown = JSON.parse(text, asLeaf)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

function asLeaf(this: unknown, _: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value === 'object' && value !== null) return value
  return new Leaf(context?.source ?? JSON.stringify(value))
}

function* between(path: string, from: unknown, to: unknown): Generator<JsonChange> {
  const [before, after] = [childrenOf(from), childrenOf(to)]
  if (before && after && Array.isArray(from) === Array.isArray(to)) {
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const at = Array.isArray(from) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
      yield* between(at, before.get(key), after.get(key))
    }
    return
  }
  const [one, other] = [textOf(from), textOf(to)]
  if (one !== other) yield { path, from: one, to: other }
}

function childrenOf(value: unknown): ReadonlyMap<string, unknown> | null {
  return typeof value === 'object' && value !== null && !(value instanceof Leaf) ? new Map(Object.entries(value)) : null
}

function textOf(value: unknown): string | null {
  if (value === undefined) return null
  if (value instanceof Leaf) return value.text
  const children = [...(childrenOf(value) ?? [])]
  const parts = children.map(([key, one]) =>
    Array.isArray(value) ? textOf(one) : `${JSON.stringify(key)}: ${textOf(one)}`
  )
  return Array.isArray(value) ? `[${parts.join(', ')}]` : `{${parts.join(', ')}}`
}
