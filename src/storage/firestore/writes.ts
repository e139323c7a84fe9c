import { FieldValue, type Firestore, type Timestamp, type Transaction } from '@google-cloud/firestore'
import { type Fields, fieldsSize, isObject } from './values.js'

/** One change of one document, which it names by its path. */
export type Write =
  /** A document that must not be there. */
  | { readonly create: string; readonly fields: Fields }
  /** A whole document, whatever is there. */
  | { readonly set: string; readonly fields: Fields }
  /** Some fields of a document that must be there, and where a time is given, as it was written then. */
  | { readonly update: string; readonly fields: Fields; readonly writtenAt?: Timestamp }
  | { readonly remove: string; readonly only?: { readonly exists: true } | { readonly lastUpdateTime: Timestamp } }

/** A document in place of the one that was read, or where none was: its fields are the same ones. */
export function replacing(path: string, fields: Fields, over: { readonly updateTime: Timestamp } | undefined): Write {
  return over ? { update: path, fields, writtenAt: over.updateTime } : { create: path, fields }
}

/** Makes these changes part of a transaction. */
export function writeIn(transaction: Transaction, store: Firestore, writes: readonly Write[]): void {
  for (const write of writes) {
    if ('remove' in write) transaction.delete(store.doc(write.remove), write.only ?? {})
    else if ('create' in write) transaction.create(store.doc(write.create), taken(write.fields))
    else if ('set' in write) transaction.set(store.doc(write.set), taken(write.fields))
    else {
      const precondition = write.writtenAt ? { lastUpdateTime: write.writtenAt } : { exists: true }
      transaction.update(store.doc(write.update), taken(write.fields), precondition)
    }
  }
}

function taken(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, takenValue(value)]))
}

function takenValue(value: Fields[string]): unknown {
  if (value === undefined) return FieldValue.delete()
  // A half of a surrogate pair is no text in UTF-8: it becomes what UTF-8 has instead of it, as in every database.
  if (typeof value === 'string') return value.toWellFormed()
  const isMap = isObject(value) && !Array.isArray(value) && !(value instanceof Uint8Array)
  return isMap ? taken(value as Fields) : value
}

/** About how many bytes a request to commit these has; rather more than fewer. */
export function requestSize(writes: readonly Write[]): number {
  return writes.reduce((sum, write) => sum + writeSize(write), 256)
}

function writeSize(write: Write): number {
  if ('remove' in write) return Buffer.byteLength(write.remove) + 64
  const path = 'create' in write ? write.create : 'set' in write ? write.set : write.update
  // An update names its fields twice.
  const mask = 'update' in write ? Object.keys(write.fields).reduce((sum, field) => sum + field.length + 8, 0) : 0
  return PATH_OF_DATABASE + Buffer.byteLength(path) + fieldsSize(write.fields) + mask + 64
}

/** What the name of the database takes in each name of a document. */
const PATH_OF_DATABASE = 64
