import type { Schemas } from '@collections-hub/client'

/** One field that differs, as the hub tells it: `path` is a JSON Pointer, and a side is absent where the field was not there. */
export type FieldChange = Schemas['FieldChange']

const DEEPEST = 8

/** The change in pieces that are no objects any more. Lists of texts stay whole. */
export function* leavesOf({ path, from, to }: FieldChange, depth = 0): Generator<FieldChange> {
  const [before, after] = [branchOf(from), branchOf(to)]
  const isSplit = (before ?? after) !== null && (before || isNothing(from)) && (after || isNothing(to))
  if (!isSplit || depth > DEEPEST) {
    yield { path, from, to }
    return
  }
  for (const key of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
    yield* leavesOf({ path: pointer(path, key), from: own(before, key), to: own(after, key) }, depth + 1)
  }
}

/** The change field by field, where it is one of the whole record. */
export function byField(change: FieldChange): readonly FieldChange[] {
  const [before, after] = [branchOf(change.from), branchOf(change.to)]
  if (change.path !== '' || (before ?? after) === null) return [change]
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return fields.map((field) => ({ path: pointer('', field), from: own(before, field), to: own(after, field) }))
}

const pointer = (path: string, key: string) => `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** What differs between two records; null stands for one that is not there. */
export function changesBetween(from: object | null, to: object | null): readonly FieldChange[] {
  const isOther = (change: FieldChange) => JSON.stringify(change.from) !== JSON.stringify(change.to)
  return [...leavesOf({ path: '', from, to })].filter(isOther)
}

/** Something that has fields, or items that do. */
function branchOf(value: unknown): object | null {
  return typeof value === 'object' && value !== null && !isTextList(value) ? value : null
}

/** Whether it is a list of nothing but texts, numbers and the like. */
export const isTextList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object')

const isNothing = (value: unknown) => value === undefined || value === null

/** The names that a path leads through. */
export const stepsOf = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The value of a field; undefined where the record has none, also where every object inherits one of that name. */
export const own = (record: object | null | undefined, key: string): unknown =>
  record && Object.hasOwn(record, key) ? Reflect.get(record, key) : undefined

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
  /** Whether either is a variable that is not to be shared. */
  readonly isUnshared: boolean
  readonly from?: unknown
  readonly to?: unknown
}

export const isPairList = (value: unknown): value is readonly Pair[] => Array.isArray(value) && value.every(isPair)

function isPair(value: unknown): value is Pair {
  if (typeof value !== 'object' || value === null) return false
  const { key, value: text } = value as { readonly key?: unknown; readonly value?: unknown }
  return typeof key === 'string' && typeof text === 'string'
}

/**
 * Compares two lists of pairs: of several with one name the first with the first, and so on. A pair is known by its name and not by its
 * place, so one that moves only moves; where those that are in both have another order, that is told by their names.
 */
export function pairsBetween(from: readonly Pair[], to: readonly Pair[]) {
  const before = numbered(from)
  const after = numbered(to)
  const changes: PairChange[] = []
  for (const [name, pair] of before) {
    const now = after.get(name)
    if (!now) changes.push({ key: pair.key, field: null, isUnshared: isUnshared(pair), from: pair })
    else changes.push(...fieldsOf(pair, now))
  }
  for (const [name, pair] of after)
    if (!before.has(name)) changes.push({ key: pair.key, field: null, isUnshared: isUnshared(pair), to: pair })
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

const isUnshared = ({ share }: Pair): boolean => share === false

function fieldsOf(from: Pair, to: Pair): readonly PairChange[] {
  const either = isUnshared(from) || isUnshared(to)
  const fields = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...fields].flatMap((field) =>
    from[field] === to[field] ? [] : [{ key: to.key, field, isUnshared: either, from: from[field], to: to[field] }]
  )
}
