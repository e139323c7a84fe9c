/** One field that differs, as the hub tells it: `path` is a JSON Pointer, and a side is absent where the field was not there. */
export interface FieldChange {
  readonly path: string
  readonly from?: unknown
  readonly to?: unknown
}

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
