import { nameOf } from '../commands/named.js'
import type { Row } from '../src/storage/storage.js'
import type { JsonText } from './record.js'

/** A record as administrators manage it: `{id, name, deletionLocked}`. */
export function managed(row: Row & { readonly deletionLocked: boolean }): JsonText {
  return JSON.stringify({ id: row.id, name: nameOf(row), deletionLocked: row.deletionLocked })
}
