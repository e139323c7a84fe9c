import type { collectionsTable } from '../../projections/collections.js'
import { errors } from '../../src/errors.js'
import type { ReadStore, Row } from '../../src/storage/storage.js'
import { noAuth } from '../content.js'
import { type Deciders, requireRevision } from '../context.js'
import { accessible, changeable, deleteAsAdmin, existing, type Target } from '../kind.js'
import { collectionKind } from '../kinds.js'
import { type Lock, markerOf, requireUnlocked, requireWildcard, setLock } from '../lockable.js'
import { type CollectionContent, emitCollection } from './events.js'

type Changes = Omit<CollectionContent, 'marker'> & { readonly marker?: string | null | undefined }

export type CollectionCommand =
  | {
      readonly type: 'CreateCollection'
      readonly id: string
      readonly name: string
      readonly marker?: string | null | undefined
    }
  | ({ readonly type: 'UpdateCollection'; readonly content: Changes } & Target)
  | ({ readonly type: 'DeleteCollection' } & Target)
  | ({ readonly type: 'LockCollection' } & Lock)
  | ({ readonly type: 'DeleteCollectionAsAdmin' } & Target)

/** Decides on one collection (sections 4 and 5 of the interface). */
export const collectionDeciders: Deciders<CollectionCommand> = {
  CreateCollection({ id, name, marker = null }, { caller }) {
    requireWildcard(caller, collectionKind)
    return [emitCollection(id, 'CollectionCreated', fresh(name, marker))]
  },
  async UpdateCollection(command, context) {
    const row = await changeable(collectionKind, command, context)
    const { marker = markerOf(row), ...rest } = command.content
    const content = { ...rest, marker }
    return collectionKind.holds(row, content) ? [] : [emitCollection(row.id, 'CollectionUpdated', content)]
  },
  async DeleteCollection({ id, ifRevision }, { caller, read }) {
    const row = await accessible(collectionKind, id, caller, read)
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

function fresh(name: string, marker: string | null): CollectionContent {
  return { name, variables: [], headers: [], auth: noAuth, preRequestScript: '', postRequestScript: '', marker }
}
