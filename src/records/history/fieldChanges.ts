import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'

/** One field that differs between two states of a record; a side is absent where the field was not there. `path` is a JSON Pointer (RFC 6901). */
export const fieldChange = z.object({
  path: z.string().describe('Where the field is, as a JSON Pointer.'),
  from: z.unknown().optional().describe('What it was before; missing where it was not there. Long texts are cut.'),
  to: z.unknown().optional().describe('What it was afterwards; missing where it was not there. Long texts are cut.')
})
export type FieldChange = Readonly<z.infer<typeof fieldChange>>

/** What differs, as far as it is listed, and how many changes more there are. */
export interface Changes {
  readonly changes: readonly FieldChange[]
  readonly more: number
}

const TEXT_MAX = 1000

/** The text, which is cut short where it has more than 1,000 characters and then tells how many there are. */
export function shortened(text: string): string {
  return text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX).toWellFormed()}… (${text.length} characters)`
}

/**
 * The fields that differ between two JSON values, in the order that they have there, the first `max` of them. By hand: rfc6902
 * compares lists in quadratic time (400 items in 2.7 s), and microdiff does not see a new field that is named `toString`.
 */
export function changesBetween(from: unknown, to: unknown, max = Number.POSITIVE_INFINITY): Changes {
  const changes: FieldChange[] = []
  let more = 0
  // Keys are put together to a path only where something differs: deep values are gone through in linear time.
  const keys: string[] = []
  const compare = (from: unknown, to: unknown): void => {
    if (Object.is(from, to)) return
    if (isContainer(from) && isContainer(to) && Array.isArray(from) === Array.isArray(to)) {
      for (const key of keysOf(from, to)) {
        keys.push(key)
        compare(own(from, key), own(to, key))
        keys.pop()
      }
    } else if (changes.length < max) {
      const path = keys.map((key) => `/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`).join('')
      changes.push({ path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) })
    } else {
      more++
    }
  }
  compare(from, to)
  return { changes, more }
}

/** The change with something else on each side that it has. */
export function withSides({ path, ...sides }: FieldChange, side: (value: unknown) => unknown): FieldChange {
  return { path, ...Object.fromEntries(Object.entries(sides).map(([name, value]) => [name, side(value)])) }
}

/** The names of the fields that differ between two records. */
export function fieldsBetween(from: object, to: object): readonly string[] {
  return [...keysOf(from, to)].filter((key) => !isDeepStrictEqual(own(from, key), own(to, key)))
}

function keysOf(from: object, to: object): Iterable<string> {
  return new Set([...Object.keys(from), ...Object.keys(to)])
}

/** The value of a field; undefined where the record has none, also where every object inherits one of that name. */
function own(record: object, key: string): unknown {
  return Object.hasOwn(record, key) ? Reflect.get(record, key) : undefined
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
