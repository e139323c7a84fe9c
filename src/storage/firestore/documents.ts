import { createHash } from 'node:crypto'
import { FieldValue, type Firestore, type Timestamp, type Transaction } from '@google-cloud/firestore'
import type { ColumnKind, Value } from '../storage.js'

/** What a field may be given. */
type Field = Value | Uint8Array | readonly string[] | Fields

/** Fields on their way into a document. Where some fields of one change, `undefined` takes a field away. */
export interface Fields {
  readonly [name: string]: Field | undefined
}

/** The fields of a document as they came over the network: each is looked at when it is read. */
export type RawFields = Readonly<Record<string, unknown>>

/** A document as it is stored. */
export interface Document {
  readonly path: string
  readonly fields: RawFields
  readonly updateTime: Timestamp
}

/** One change of one document, which it names by its path. */
export type Write =
  /** A document that must not be there. */
  | { readonly create: string; readonly fields: Fields }
  /** A whole document, whatever is there. */
  | { readonly set: string; readonly fields: Fields }
  /** Some fields of a document that must be there, and where a time is given, as it was written then. */
  | { readonly update: string; readonly fields: Fields; readonly writtenAt?: Timestamp }
  | { readonly remove: string; readonly mustExist?: true }

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

export function isObject(value: unknown): value is RawFields {
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

/** A document in place of the one that was read, or where none was: its fields are the same ones. */
export function replacing(path: string, fields: Fields, over: Pick<Document, 'updateTime'> | undefined): Write {
  return over ? { update: path, fields, writtenAt: over.updateTime } : { create: path, fields }
}

/** Makes these changes part of a transaction. */
export function writeIn(transaction: Transaction, store: Firestore, writes: readonly Write[]): void {
  for (const write of writes) {
    if ('remove' in write) transaction.delete(store.doc(write.remove), write.mustExist ? { exists: true } : {})
    else if ('create' in write) transaction.create(store.doc(write.create), taken(write.fields))
    else if ('set' in write) transaction.set(store.doc(write.set), taken(write.fields))
    else {
      const precondition = write.writtenAt ? { lastUpdateTime: write.writtenAt } : { exists: true }
      transaction.update(store.doc(write.update), taken(write.fields), precondition)
    }
  }
}

function taken(fields: RawFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, takenValue(value)]))
}

function takenValue(value: unknown): unknown {
  if (value === undefined) return FieldValue.delete()
  // A half of a surrogate pair is no text in UTF-8: it becomes what UTF-8 has instead of it, as in every database.
  if (typeof value === 'string') return value.toWellFormed()
  const isMap = isObject(value) && !Array.isArray(value) && !(value instanceof Uint8Array)
  return isMap ? taken(value) : value
}

/** What the name of the database takes in each name of a document. */
const PATH_OF_DATABASE = 64

/** About how many bytes a request to commit these has; rather more than fewer. */
export function requestSize(writes: readonly Write[]): number {
  return writes.reduce((sum, write) => sum + PATH_OF_DATABASE + sizeOf(write), 256)
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 8
  if (value instanceof Uint8Array) return value.length + 8
  if (!isObject(value)) return 16
  // Whoever updates a document names its fields twice.
  return Object.entries(value).reduce((sum, [name, one]) => sum + 2 * name.length + 16 + sizeOf(one), 8)
}
