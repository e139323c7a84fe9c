import { createHash } from 'node:crypto'
import type { ColumnKind, Value } from '../storage.js'

/** A value as Firestore's interface speaks of it. */
export type FirestoreValue =
  | { readonly stringValue: string }
  | { readonly integerValue: string }
  | { readonly booleanValue: boolean }
  | { readonly nullValue: 'NULL_VALUE' }
  | { readonly bytesValue: Uint8Array }
  | { readonly arrayValue: { readonly values: FirestoreValue[] } }
  | { readonly mapValue: { readonly fields: Record<string, FirestoreValue> } }

export type Fields = Record<string, FirestoreValue>

/** The fields of a document as they came over the network: each is looked at when it is read. */
export type RawFields = Readonly<Record<string, unknown>>

/** Firestore indexes no more of a text than this, and refuses to search for a longer one. */
const INDEXED_BYTES_MAX = 1500
const INDEXED_HEAD_BYTES = 1400

/** A value on its way into a field. */
export function encode(value: Value): FirestoreValue {
  switch (typeof value) {
    // A half of a surrogate pair is no text in UTF-8: it becomes what UTF-8 has instead of it, as in every database.
    case 'string':
      return { stringValue: value.toWellFormed() }
    case 'number':
      return { integerValue: String(value) }
    case 'boolean':
      return { booleanValue: value }
    default:
      return { nullValue: 'NULL_VALUE' }
  }
}

/** A list of texts on its way into a field. */
export function encodeTexts(texts: readonly string[]): FirestoreValue {
  return { arrayValue: { values: texts.map(encode) } }
}

/** A value on its way out of a field, checked against the kind that its column has. */
export function decode(kind: ColumnKind, field: unknown): Value {
  if (kind === 'flag') return memberOf(field, 'booleanValue') === true
  if (kind === 'integer' || kind === 'integer?') return integerOf(field)
  return textOf(field)
}

/** The text in a field; null where there is none. */
export function textOf(field: unknown): string | null {
  const text = memberOf(field, 'stringValue')
  return typeof text === 'string' ? text : null
}

/** The integer in a field; null where there is none. */
export function integerOf(field: unknown): number | null {
  const integer = memberOf(field, 'integerValue')
  return integer === undefined || integer === null ? null : Number(integer)
}

/** The bytes in a field; none where there are none. */
export function bytesOf(field: unknown): Uint8Array {
  const bytes = memberOf(field, 'bytesValue')
  return bytes instanceof Uint8Array ? bytes : new Uint8Array()
}

/** The texts in a field that lists them. */
export function textsOf(field: unknown): readonly string[] {
  const values = memberOf(memberOf(field, 'arrayValue'), 'values')
  return Array.isArray(values) ? values.flatMap((value) => textOf(value) ?? []) : []
}

/** The fields of the map in a field; none where there is no map. */
export function mapOf(field: unknown): RawFields {
  const fields = memberOf(memberOf(field, 'mapValue'), 'fields')
  return isObject(fields) ? fields : {}
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
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

/** About how many bytes a value takes in a request. */
export function sizeOf(value: FirestoreValue): number {
  if ('stringValue' in value) return Buffer.byteLength(value.stringValue) + 8
  if ('bytesValue' in value) return value.bytesValue.length + 8
  if ('arrayValue' in value) return value.arrayValue.values.reduce((sum, one) => sum + sizeOf(one), 8)
  if ('mapValue' in value) return fieldsSize(value.mapValue.fields) + 8
  return 16
}

/** About how many bytes fields take in a request. */
export function fieldsSize(fields: Fields): number {
  return Object.entries(fields).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + 8 + sizeOf(value), 0)
}
