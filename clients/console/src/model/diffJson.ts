import { aligned, type Item } from './diffLists.js'
import { type Json, jsonOf } from './json.js'

/** A value in one JSON text that is another in the other one; null where there is none. */
export interface JsonChange {
  /** The way to it: `items[2].price`. Of what is in both it is that in the second text. */
  readonly path: string
  readonly from: string | null
  readonly to: string | null
}

/** Longer texts are compared line by line alone. */
const LENGTH_MOST = 256 * 1024
/** So many differences are told at most; texts that differ in more are compared line by line. */
const CHANGES_MOST = 500

/**
 * What differs between two texts of JSON but for how they are written: indentation and the order of names are no difference, and an
 * item of a list is compared with the one that it was, wherever that stood. References to variables may stand where values do. Null
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

function branchIn(text: string): Json | null {
  return text.length > LENGTH_MOST || !/^\s*[[{]/.test(text) ? null : jsonOf(text)
}

function* between(path: string, from: Json | undefined, to: Json | undefined): Generator<JsonChange> {
  if (from?.is === 'object' && to?.is === 'object') {
    for (const key of new Set([...from.fields.keys(), ...to.fields.keys()]))
      yield* between(path === '' ? key : `${path}.${key}`, from.fields.get(key), to.fields.get(key))
  } else if (from?.is === 'list' && to?.is === 'list') {
    for (const { was, is } of aligned(from.items.map(itemOf), to.items.map(itemOf), CHANGES_MOST)) {
      const [one, other] = [was === undefined ? was : from.items[was], is === undefined ? is : to.items[is]]
      yield* between(`${path}[${is ?? was}]`, one, other)
    }
  } else {
    const [one, other] = [from ? textOf(from) : null, to ? textOf(to) : null]
    if (one !== other) yield { path, from: one, to: other }
  }
}

/** What tells an object from others of its list, the surest first. */
const NAMES = ['id', 'uuid', 'key', 'name'] as const

function itemOf(value: Json): Item {
  if (value.is === 'object') {
    for (const name of NAMES) {
      const known = value.fields.get(name)
      if (known?.is === 'leaf') return { key: `${name} ${known.text}`, isNamed: true }
    }
  }
  return { key: textOf(value, true), isNamed: false }
}

/** The text of a value in one line; `isSorted` where the order of its names is not to count. */
function textOf(value: Json, isSorted = false): string {
  if (value.is === 'leaf') return value.text
  if (value.is === 'list') return `[${value.items.map((one) => textOf(one, isSorted)).join(', ')}]`
  const parts = [...value.fields].map(([name, one]) => `${JSON.stringify(name)}: ${textOf(one, isSorted)}`)
  return `{${(isSorted ? parts.sort() : parts).join(', ')}}`
}
