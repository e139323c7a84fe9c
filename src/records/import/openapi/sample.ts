import { type Fields, fields, list, text } from '../loose.js'
import type { References } from './refs.js'

/** A sample is for people: what is deeper, wider or more is left out. */
const DEPTH = 8
const VALUES = 500

const FORMATS = new Map<string, unknown>([
  ['date', '2026-01-31'],
  ['date-time', '2026-01-31T12:00:00Z'],
  ['email', 'someone@example.com'],
  ['uuid', '00000000-0000-4000-8000-000000000000'],
  ['uri', 'https://example.com'],
  ['binary', ''],
  ['byte', '']
])

/** A value that fits a schema: its example, its default, or one made of its parts. Schemas that hold themselves end. */
export function sampleOf(schema: unknown, references: References): unknown {
  let left = VALUES
  const make = (value: unknown, depth: number, within: ReadonlySet<Fields>): unknown => {
    left--
    const found = references.resolve(value)
    const given = givenIn(found)
    if (given !== undefined) return given
    if (depth >= DEPTH || left < 0 || within.has(found)) return null
    const inside = new Set([...within, found])
    const parts = list(found.allOf)
    if (parts.length > 0) {
      const made = [...parts, { ...found, allOf: [] }].map((part) => make(part, depth + 1, inside))
      const objects = made.filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
      return objects.length > 0 ? Object.assign({}, ...objects) : (made[0] ?? null)
    }
    const [choice] = [...list(found.oneOf), ...list(found.anyOf)]
    if (choice !== undefined) return make(choice, depth + 1, inside)
    const type = Array.isArray(found.type) ? text(found.type.find((one) => one !== 'null')) : text(found.type)
    const properties = fields(found.properties)
    if (type === 'object' || Object.keys(properties).length > 0) {
      const shown: [string, unknown][] = []
      for (const [key, one] of Object.entries(properties)) {
        if (left <= 0) break
        if (references.resolve(one).readOnly !== true) shown.push([key, make(one, depth + 1, inside)])
      }
      return Object.fromEntries(shown)
    }
    if (type === 'array') return found.items === undefined ? [] : [make(found.items, depth + 1, inside)]
    if (type === 'integer' || type === 'number') return typeof found.minimum === 'number' ? found.minimum : 0
    if (type === 'boolean') return false
    if (type === 'string') return FORMATS.get(text(found.format)) ?? 'string'
    return null
  }
  return make(schema, 0, new Set())
}

/** The value that a schema names itself; undefined for none. */
export function givenIn(schema: Fields): unknown {
  for (const value of [schema.example, list(schema.examples)[0], schema.default, schema.const, list(schema.enum)[0]])
    if (value !== undefined) return value
  return undefined
}
