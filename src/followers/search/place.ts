import { itemPositionOf } from '../../../commands/records/kind.js'
import { isMember, type RestorableKind } from '../../../commands/records/kinds.js'
import type { Row } from '../../storage/storage.js'

/** Where a record stands. */
export interface IndexedPlace {
  /** What access is given to as a whole, and the part of it that this belongs to. */
  readonly area: string
  readonly scope: string
  /** The id of the folder that it is in; null where it is in none. */
  readonly folderId: string | null
}

/** Where a record stands as its row says: a member belongs to its collection. */
export function placeOf(kind: RestorableKind, row: Row): IndexedPlace {
  if (!isMember(kind)) return { area: kind, scope: scopeOf(kind, row.id), folderId: null }
  const { collectionId, inside } = itemPositionOf(row)
  return { area: 'collection', scope: scopeOf('collection', collectionId), folderId: inside }
}

/** The scope of a record that stands on its own, and of all that it holds. */
export function scopeOf(kind: string, id: string): string {
  return `${kind}-${id}`
}
