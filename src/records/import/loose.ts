import { writtenJson } from '../formats/json.js'

/** Reading what others have written, of which anything may be missing or of another kind. */

export type Fields = Readonly<Record<string, unknown>>

/** An object; an empty one for anything else. */
export function fields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A list; an empty one for anything else. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The objects of a list; an empty one for anything else in it. */
export const objects = (value: unknown): readonly Fields[] => list(value).map(fields)

/** A text: numbers and truth values as they are written, empty for what is missing, and JSON for anything else. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? writtenJson(value) : String(value)
}

/** A number, also where it is written as a text; NaN for anything else. */
export const numberOf = (value: unknown): number => (typeof value === 'object' ? Number.NaN : Number(value))

/** A text that says something; null for anything else. */
export function textOrNull(value: unknown): string | null {
  const found = typeof value === 'object' ? '' : text(value)
  return found === '' ? null : found
}
