import { itemPositionOf } from '../../../commands/records/kind.js'
import { isMember, type RestorableKind } from '../../../commands/records/kinds.js'
import type { Row } from '../../storage/storage.js'

/** What access is given to as a whole, and which part of it: a member belongs to its collection. */
export function placeOf(kind: RestorableKind, row: Row): { readonly area: string; readonly scope: string } {
  if (isMember(kind)) return { area: 'collection', scope: scopeOf('collection', itemPositionOf(row).collectionId) }
  return { area: kind, scope: scopeOf(kind, row.id) }
}

/** The scope of a record that stands on its own, and of all that it holds. */
export function scopeOf(kind: string, id: string): string {
  return `${kind}-${id}`
}
