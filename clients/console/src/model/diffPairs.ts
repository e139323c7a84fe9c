/** What a list of names and values holds: headers, parameters, variables. */
interface Pair {
  readonly key: string
  readonly value: string
  readonly [field: string]: unknown
}

/** One difference between two such lists, by the name of the pair. */
export interface PairChange {
  readonly key: string
  /** The field of the pair that differs; null where the whole pair is new or gone. */
  readonly field: string | null
  readonly from?: unknown
  readonly to?: unknown
}

/** What differs between two lists of pairs. A pair is known by its name and not by its place, so one that moves only moves. */
export interface PairChanges {
  readonly changes: readonly PairChange[]
  /** The names of those that are in both, as they stood and as they stand, where that is another order. */
  readonly order: { readonly from: readonly string[]; readonly to: readonly string[] } | null
}

export const isPairList = (value: unknown): value is readonly Pair[] => Array.isArray(value) && value.every(isPair)

function isPair(value: unknown): value is Pair {
  if (typeof value !== 'object' || value === null) return false
  const { key, value: text } = value as { readonly key?: unknown; readonly value?: unknown }
  return typeof key === 'string' && typeof text === 'string'
}

/** Compares two lists of pairs: of several with one name the first with the first, and so on. */
export function pairsBetween(from: readonly Pair[], to: readonly Pair[]): PairChanges {
  const before = numbered(from)
  const after = numbered(to)
  const changes: PairChange[] = []
  for (const [name, pair] of before) {
    const now = after.get(name)
    if (!now) changes.push({ key: pair.key, field: null, from: pair })
    else changes.push(...fieldsOf(pair, now))
  }
  for (const [name, pair] of after) if (!before.has(name)) changes.push({ key: pair.key, field: null, to: pair })
  const was = [...before.keys()].filter((name) => after.has(name))
  const is = [...after.keys()].filter((name) => before.has(name))
  const isReordered = was.some((name, index) => name !== is[index])
  const named = (names: readonly string[]) => names.map((name) => after.get(name)?.key ?? '')
  return { changes, order: isReordered ? { from: named(was), to: named(is) } : null }
}

/** Each pair by its name and which of that name it is. */
function numbered(pairs: readonly Pair[]): ReadonlyMap<string, Pair> {
  const seen = new Map<string, number>()
  const found = new Map<string, Pair>()
  for (const pair of pairs) {
    const nth = seen.get(pair.key) ?? 0
    seen.set(pair.key, nth + 1)
    found.set(`${nth} ${pair.key}`, pair)
  }
  return found
}

function fieldsOf(from: Pair, to: Pair): readonly PairChange[] {
  const fields = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...fields].flatMap((field) =>
    from[field] === to[field] ? [] : [{ key: to.key, field, from: from[field], to: to[field] }]
  )
}
