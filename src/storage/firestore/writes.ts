import { type Fields, fieldsSize } from './values.js'
import type { ServerTime } from './wire.js'

type Condition = { readonly exists: boolean } | { readonly updateTime: ServerTime }

/** One change of one document. With `mask` only those fields change; they are gone where `fields` does not have them. */
export type Write =
  | { readonly set: string; readonly fields: Fields; readonly mask?: string[]; readonly only?: Condition }
  | { readonly remove: string; readonly only?: Condition }

/** A write in the words of Firestore's interface. */
export function inWords(write: Write) {
  const condition = write.only && { currentDocument: write.only }
  if ('remove' in write) return { delete: write.remove, ...condition }
  const { set: name, fields, mask } = write
  return { update: { name, fields }, ...(mask && { updateMask: { fieldPaths: mask } }), ...condition }
}

/** About how many bytes a request to commit these has; rather more than fewer. */
export function requestSize(writes: readonly Write[]): number {
  return writes.reduce((sum, write) => sum + writeSize(write), 256)
}

function writeSize(write: Write): number {
  if ('remove' in write) return Buffer.byteLength(write.remove) + 64
  const mask = (write.mask ?? []).reduce((sum, field) => sum + field.length + 8, 0)
  return Buffer.byteLength(write.set) + fieldsSize(write.fields) + mask + 64
}
