import { collectionsTable } from '../../projections/collections.js'
import type { RestorableKind } from '../../projections/departures.js'
import { documentsTable } from '../../projections/documents.js'
import { environmentsTable } from '../../projections/environments.js'
import { foldersTable } from '../../projections/folders.js'
import { requestsTable } from '../../projections/requests.js'
import { snippetsTable } from '../../projections/snippets.js'
import { errors } from '../../src/errors.js'
import type { NewEvent } from '../../src/log/event.js'
import type { Columns, ReadStore, Row, TableSpec } from '../../src/storage/storage.js'
import { collectionDeletion } from '../collection/decide.js'
import { emitCollection } from '../collection/events.js'
import { type Context, requireRevision } from '../context.js'
import { emitDocument } from '../document/events.js'
import { emitEnvironment } from '../environment/events.js'
import { folderDeletions } from '../folder/decide.js'
import { emitFolder } from '../folder/events.js'
import { removalOf } from '../item/decide.js'
import { requireFolder } from '../item/place.js'
import { nameOf } from '../named.js'
import { emitRequest } from '../request/events.js'
import { emitSnippet } from '../snippet/events.js'
import type { Restorable } from '../undelete/decide.js'
import { SYSTEM_ID } from '../user/system.js'

/** What a record is to become again: what it was, or with null nothing, since it had not been there. */
export interface Revert {
  readonly kind: RestorableKind
  readonly id: string
  /** The revision that it has now; refused when it has come to another. */
  readonly revision: number
  readonly to: Restorable | null
}

export type RevertCommand = { readonly type: 'RevertRecords'; readonly reverts: readonly Revert[] }

/**
 * Decides on records that are put back to what they were: the system account's command, for taking back what one token did.
 * All of them or none: 412 when one has changed since it was looked at.
 */
export async function decideRevert(
  { reverts }: RevertCommand,
  { caller, read }: Context
): Promise<readonly NewEvent[]> {
  if (caller.userId !== SYSTEM_ID) throw errors.forbidden()
  const events: NewEvent[] = []
  for (const revert of reverts) {
    events.push(...(revert.to === null ? await removal(revert, read) : await change(revert, revert.to, read)))
  }
  return events
}

async function removal({ kind, id, revision }: Revert, read: ReadStore): Promise<readonly NewEvent[]> {
  const expected = [revision]
  switch (kind) {
    case 'collection': {
      const row = await present(collectionsTable, id, expected, read)
      return [await collectionDeletion(row, read)]
    }
    case 'folder':
      return folderDeletions(await present(foldersTable, id, expected, read), read)
    case 'request':
      return [emitRequest(id, 'RequestDeleted', removalOf(await present(requestsTable, id, expected, read)))]
    case 'document':
      return [emitDocument(id, 'DocumentDeleted', removalOf(await present(documentsTable, id, expected, read)))]
    case 'environment': {
      const name = nameOf(await present(environmentsTable, id, expected, read))
      return [emitEnvironment(id, 'EnvironmentDeleted', { name })]
    }
    case 'snippet': {
      const name = nameOf(await present(snippetsTable, id, expected, read))
      return [emitSnippet(id, 'SnippetDeleted', { name })]
    }
  }
}

async function change({ id, revision }: Revert, to: Restorable, read: ReadStore): Promise<readonly NewEvent[]> {
  const expected = [revision]
  switch (to.type) {
    case 'CollectionRestored': {
      const { content, deletionLocked } = to.data
      const row = await present(collectionsTable, id, expected, read)
      const lock = deletionLocked ? 'CollectionDeletionLocked' : 'CollectionDeletionUnlocked'
      const locking = row.deletionLocked === deletionLocked ? [] : [emitCollection(id, lock, {})]
      return [...locking, emitCollection(id, 'CollectionUpdated', content)]
    }
    case 'EnvironmentRestored': {
      const { content, deletionLocked } = to.data
      const row = await present(environmentsTable, id, expected, read)
      const lock = deletionLocked ? 'EnvironmentDeletionLocked' : 'EnvironmentDeletionUnlocked'
      const locking = row.deletionLocked === deletionLocked ? [] : [emitEnvironment(id, lock, {})]
      const parent = content.parentUuid === null ? null : await read.get(environmentsTable, content.parentUuid)
      return [...locking, emitEnvironment(id, 'EnvironmentUpdated', { ...content, parentUuid: parent?.id ?? null })]
    }
    case 'SnippetRestored': {
      const { content, deletionLocked } = to.data
      const row = await present(snippetsTable, id, expected, read)
      const lock = deletionLocked ? 'SnippetDeletionLocked' : 'SnippetDeletionUnlocked'
      const locking = row.deletionLocked === deletionLocked ? [] : [emitSnippet(id, lock, {})]
      return [...locking, emitSnippet(id, 'SnippetUpdated', content)]
    }
    case 'FolderRestored': {
      const { collectionId, parentFolderId, sortOrder, name, marker } = to.data
      await present(foldersTable, id, expected, read)
      await requireThere(collectionId, parentFolderId, read)
      const place = { collectionId, parentFolderId, sortOrder }
      return [emitFolder(id, 'FolderUpdated', { collectionId, name, marker }), emitFolder(id, 'FolderMoved', place)]
    }
    case 'RequestRestored': {
      const { collectionId, folderId, sortOrder, content } = to.data
      const row = await present(requestsTable, id, expected, read)
      await requireThere(collectionId, folderId, read)
      const previous = row.collectionId === collectionId ? {} : { previousCollectionId: row.collectionId }
      return [emitRequest(id, 'RequestUpdated', { collectionId, folderId, sortOrder, content, ...previous })]
    }
    case 'DocumentRestored': {
      const { collectionId, folderId, sortOrder, content } = to.data
      const row = await present(documentsTable, id, expected, read)
      await requireThere(collectionId, folderId, read)
      const previous = row.collectionId === collectionId ? {} : { previousCollectionId: row.collectionId }
      return [emitDocument(id, 'DocumentUpdated', { collectionId, folderId, sortOrder, content, ...previous })]
    }
  }
}

/** Refuses a place that is no more. */
async function requireThere(collectionId: string, folderId: string | null, read: ReadStore): Promise<void> {
  if (!(await read.get(collectionsTable, collectionId))) throw errors.collectionDeleted()
  await requireFolder(collectionId, folderId, read)
}

async function present<C extends Columns>(
  table: TableSpec<C>,
  id: string,
  expected: readonly number[],
  read: ReadStore
): Promise<Row<C>> {
  const row = await read.get(table, id)
  if (!row) throw errors.changed()
  requireRevision(row, expected)
  return row
}
