import type { collectionsTable } from '../../projections/collections.js'
import { errors } from '../../src/errors.js'
import type { NewEvent } from '../../src/log/event.js'
import type { ReadStore, Row } from '../../src/storage/storage.js'
import { noAuth } from '../content.js'
import { type Context, type ExpectedRevisions, requireCollection, requireRevision } from '../context.js'
import { deleteAsAdmin, existing, type Target } from '../kind.js'
import { collectionKind } from '../kinds.js'
import { type Lock, requireUnlocked, requireWildcard, setLock } from '../lockable.js'
import { type CollectionContent, collectionContent, emitCollection } from './events.js'

type Changes = Omit<CollectionContent, 'marker'> & { readonly marker?: string | null | undefined }

export type CollectionCommand =
  | {
      readonly type: 'CreateCollection'
      readonly id: string
      readonly name: string
      readonly marker?: string | null | undefined
    }
  | {
      readonly type: 'UpdateCollection'
      readonly id: string
      readonly content: Changes
      readonly ifRevision?: ExpectedRevisions
    }
  | ({ readonly type: 'DeleteCollection' } & Target)
  | ({ readonly type: 'LockCollection' } & Lock)
  | ({ readonly type: 'DeleteCollectionAsAdmin' } & Target)

/** Decides on one collection (sections 4 and 5 of the interface). */
export async function decideCollection(command: CollectionCommand, context: Context): Promise<readonly NewEvent[]> {
  const { caller, read } = context
  const { id } = command
  switch (command.type) {
    case 'CreateCollection': {
      requireWildcard(caller, collectionKind)
      return [emitCollection(id, 'CollectionCreated', fresh(command.name, command.marker ?? null))]
    }
    case 'UpdateCollection': {
      requireCollection(caller, id)
      const row = await existingCollection(id, read)
      requireRevision(row, command.ifRevision)
      const { marker = collectionContent.shape.marker.parse(JSON.parse(row.body).marker), ...rest } = command.content
      const content = { ...rest, marker }
      return collectionKind.holds(row, content) ? [] : [emitCollection(id, 'CollectionUpdated', content)]
    }
    case 'DeleteCollection': {
      requireCollection(caller, id)
      const row = await existingCollection(id, read)
      requireUnlocked(collectionKind, row)
      if (row.createdBy !== caller.userId) throw errors.forbidden()
      requireRevision(row, command.ifRevision)
      return collectionKind.removal(row, read)
    }
    case 'LockCollection':
      return setLock(collectionKind, command, context)
    case 'DeleteCollectionAsAdmin':
      return deleteAsAdmin(collectionKind, command, context)
  }
}

/** The row of a collection, or 404. */
export function existingCollection(id: string, read: ReadStore): Promise<Row<typeof collectionsTable.columns>> {
  return existing(collectionKind, id, read)
}

function fresh(name: string, marker: string | null): CollectionContent {
  return { name, variables: [], headers: [], auth: noAuth, preRequestScript: '', postRequestScript: '', marker }
}
