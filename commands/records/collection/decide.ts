import { errors } from '../../../src/errors.js'
import type { ReadStore, Row } from '../../../src/storage/storage.js'
import { noAuth } from '../../content.js'
import { type Deciders, requireRevision } from '../../context.js'
import type { OptionalOf } from '../fields.js'
import { alterable, changeable, deleteAsAdmin, existing, type Target } from '../kind.js'
import { collectionKind } from '../kinds.js'
import { type Lock, requireUnlocked, requireWildcard, setLock } from '../lockable.js'
import { emitCollection } from './events.js'
import type { collectionFields, SubmittedCollection } from './fields.js'
import type { collectionsTable } from './table.js'

export type CollectionCommand =
  | ({ readonly type: 'CreateCollection'; readonly id: string; readonly name: string } & OptionalOf<
      typeof collectionFields
    >)
  | ({ readonly type: 'UpdateCollection'; readonly content: SubmittedCollection } & Target)
  | ({ readonly type: 'DeleteCollection' } & Target)
  | ({ readonly type: 'LockCollection' } & Lock)
  | ({ readonly type: 'DeleteCollectionAsAdmin' } & Target)

/** What a new collection holds beside its name. */
const EMPTY = { variables: [], headers: [], auth: noAuth, preRequestScript: '', postRequestScript: '' }

/** Decides on one collection (sections 4 and 5 of the interface). */
export const collectionDeciders: Deciders<CollectionCommand> = {
  CreateCollection({ type: _, id, ...given }, { caller }) {
    requireWildcard(caller, collectionKind)
    return [emitCollection(id, 'CollectionCreated', collectionKind.whole({ ...EMPTY, ...given }, null))]
  },
  async UpdateCollection(command, context) {
    const row = await changeable(collectionKind, command, context)
    const content = collectionKind.whole(command.content, row)
    return collectionKind.holds(row, content) ? [] : [emitCollection(row.id, 'CollectionUpdated', content)]
  },
  async DeleteCollection({ id, ifRevision }, { caller, read }) {
    const row = await alterable(collectionKind, id, caller, read)
    requireUnlocked(collectionKind, row)
    if (row.createdBy !== caller.userId) throw errors.forbidden()
    requireRevision(row, ifRevision)
    return collectionKind.removal(row, read)
  },
  LockCollection: setLock(collectionKind),
  DeleteCollectionAsAdmin: deleteAsAdmin(collectionKind)
}

/** The row of a collection, or 404. */
export function existingCollection(id: string, read: ReadStore): Promise<Row<typeof collectionsTable.columns>> {
  return existing(collectionKind, id, read)
}
