import { collectionBody, collectionsTable } from '../../projections/collections.js'
import { documentsTable } from '../../projections/documents.js'
import { foldersTable } from '../../projections/folders.js'
import { requestsTable } from '../../projections/requests.js'
import { errors } from '../../src/errors.js'
import type { NewEvent } from '../../src/log/event.js'
import type { ReadStore, Row, TableSpec } from '../../src/storage/storage.js'
import { noAuth } from '../content.js'
import { type Context, type ExpectedRevisions, requireAdmin, requireCollection, requireRevision } from '../context.js'
import { existing, type Lock, requireUnlocked, requireWildcard, setLock } from '../lockable.js'
import { nameOf } from '../named.js'
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
  | { readonly type: 'DeleteCollection'; readonly id: string; readonly ifRevision?: ExpectedRevisions }
  | ({ readonly type: 'LockCollection' } & Lock)
  /** An administrator's deletion: neither lock nor authorship holds it back. */
  | { readonly type: 'DeleteCollectionAsAdmin'; readonly id: string; readonly ifRevision?: ExpectedRevisions }

/** Decides on one collection (sections 4 and 5 of the interface). */
export async function decideCollection(command: CollectionCommand, context: Context): Promise<readonly NewEvent[]> {
  const { caller, read } = context
  const { id } = command
  switch (command.type) {
    case 'CreateCollection': {
      requireWildcard(caller, 'collection')
      return [emitCollection(id, 'CollectionCreated', fresh(command.name, command.marker ?? null))]
    }
    case 'UpdateCollection': {
      requireCollection(caller, id)
      const row = await existingCollection(id, read)
      requireRevision(row, command.ifRevision)
      const { marker = collectionContent.shape.marker.parse(JSON.parse(row.body).marker), ...rest } = command.content
      const content = { ...rest, marker }
      const unchanged = JSON.stringify(collectionBody(id, content)) === row.body
      return unchanged ? [] : [emitCollection(id, 'CollectionUpdated', content)]
    }
    case 'DeleteCollection': {
      requireCollection(caller, id)
      const row = await existingCollection(id, read)
      requireUnlocked('collection', row)
      if (row.createdBy !== caller.userId) throw errors.forbidden()
      requireRevision(row, command.ifRevision)
      return [await collectionDeletion(row, read)]
    }
    case 'LockCollection':
      return setLock('collection', collectionsTable, command, context, (locked) =>
        emitCollection(id, locked ? 'CollectionDeletionLocked' : 'CollectionDeletionUnlocked', {})
      )
    case 'DeleteCollectionAsAdmin': {
      requireAdmin(caller)
      const row = await existingCollection(id, read)
      requireRevision(row, command.ifRevision)
      return [await collectionDeletion(row, read)]
    }
  }
}

/** The row of a collection, or 404. */
export function existingCollection(id: string, read: ReadStore): Promise<Row<typeof collectionsTable.columns>> {
  return existing('collection', collectionsTable, id, read)
}

/** The deletion of a collection, which tells all that goes with it, so that it can be brought back. */
export async function collectionDeletion(row: Row, read: ReadStore): Promise<NewEvent> {
  const idsOf = async (table: TableSpec) =>
    (await read.list(table, 'byCollection', [row.id], { body: false })).map(({ id }) => id)
  const [folders, requests, documents] = await Promise.all([foldersTable, requestsTable, documentsTable].map(idsOf))
  return emitCollection(row.id, 'CollectionDeleted', {
    name: nameOf(row),
    folders: folders ?? [],
    requests: requests ?? [],
    documents: documents ?? []
  })
}

function fresh(name: string, marker: string | null): CollectionContent {
  return { name, variables: [], headers: [], auth: noAuth, preRequestScript: '', postRequestScript: '', marker }
}
