import { createHash } from 'node:crypto'
import type { ColumnKind, Value } from '../storage.js'

/** What a field may be given. */
type Field = Value | Uint8Array | readonly string[] | Fields

/** Fields on their way into a document. Where some fields of one change, `undefined` takes a field away. */
export interface Fields {
  readonly [name: string]: Field | undefined
}

/** The fields of a document as they came over the network: each is looked at when it is read. */
export type RawFields = Readonly<Record<string, unknown>>

/** Firestore indexes no more of a text than this, and refuses to search for a longer one. */
const INDEXED_BYTES_MAX = 1500
const INDEXED_HEAD_BYTES = 1400

/** A value on its way out of a field, checked against the kind that its column has. */
export function decode(kind: ColumnKind, field: unknown): Value {
  if (kind === 'flag') return field === true
  if (kind === 'integer' || kind === 'integer?') return integerOf(field)
  return textOf(field)
}

/** The text in a field; null where there is none. */
export function textOf(field: unknown): string | null {
  return typeof field === 'string' ? field : null
}

/** The number in a field; null where there is none. */
export function integerOf(field: unknown): number | null {
  return typeof field === 'number' ? field : null
}

/** The bytes in a field; none where there are none. */
export function bytesOf(field: unknown): Uint8Array {
  return field instanceof Uint8Array ? field : new Uint8Array()
}

/** The texts in a field that lists them. */
export function textsOf(field: unknown): readonly string[] {
  return Array.isArray(field) ? field.filter((one) => typeof one === 'string') : []
}

/** The fields of the map in a field; none where there is no map. */
export function mapOf(field: unknown): RawFields {
  return isObject(field) ? field : {}
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/**
 * The text that stands for another in an index: itself, or where it is longer than an index holds, its beginning with a
 * digest of the whole. Equal texts stay equal, different ones different, and all but the longest keep their order.
 */
export function indexable(value: Value): Value {
  if (typeof value !== 'string' || Buffer.byteLength(value) <= INDEXED_BYTES_MAX) return value
  const head = Buffer.from(value)
    .subarray(0, INDEXED_HEAD_BYTES)
    .toString()
    .replace(/\ufffd+$/, '')
  return `${head}\u{10ffff}${createHash('sha256').update(value).digest('hex')}`
}

/** About how many bytes fields take in a request. */
export function fieldsSize(fields: Fields): number {
  return Object.entries(fields).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + 8 + sizeOf(value), 0)
}

function sizeOf(value: Field | undefined): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 8
  if (value instanceof Uint8Array) return value.length + 8
  if (isList(value)) return value.reduce((sum, one) => sum + sizeOf(one), 8)
  return isObject(value) ? fieldsSize(value as Fields) + 8 : 16
}

function isList(value: Field | undefined): value is readonly string[] {
  return Array.isArray(value)
}
