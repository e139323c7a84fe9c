import { collectionBody, collectionsTable } from '../../projections/collections.js'
import { errors } from '../../src/errors.js'
import type { NewEvent } from '../../src/log/event.js'
import type { ReadStore, Row } from '../../src/storage/storage.js'
import { noAuth } from '../content.js'
import {
  type Context,
  type ExpectedRevisions,
  requireAdmin,
  requireCollection,
  requireRevision,
  requireUser
} from '../context.js'
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
  | { readonly type: 'LockCollection'; readonly id: string; readonly deletionLocked: boolean }
  /** An administrator's deletion: neither lock nor authorship holds it back. */
  | { readonly type: 'DeleteCollectionAsAdmin'; readonly id: string }

/** Decides on one collection (sections 4 and 5 of the interface). */
export async function decideCollection(command: CollectionCommand, context: Context): Promise<readonly NewEvent[]> {
  const { caller, read } = context
  const { id } = command
  switch (command.type) {
    case 'CreateCollection': {
      requireUser(caller)
      if (!caller.collectionAccess.includes('*')) throw errors.forbidden()
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
      if (row.deletionLocked) throw errors.deletionLocked('collection')
      if (row.createdBy !== caller.userId) throw errors.forbidden()
      requireRevision(row, command.ifRevision)
      return [emitCollection(id, 'CollectionDeleted', {})]
    }
    case 'LockCollection': {
      requireAdmin(caller)
      const row = await existingCollection(id, read)
      if (row.deletionLocked === command.deletionLocked) return []
      return [
        emitCollection(id, command.deletionLocked ? 'CollectionDeletionLocked' : 'CollectionDeletionUnlocked', {})
      ]
    }
    case 'DeleteCollectionAsAdmin': {
      requireAdmin(caller)
      await existingCollection(id, read)
      return [emitCollection(id, 'CollectionDeleted', {})]
    }
  }
}

/** The row of a collection, or 404. */
export async function existingCollection(id: string, read: ReadStore): Promise<Row<typeof collectionsTable.columns>> {
  const row = await read.get(collectionsTable, id)
  if (!row) throw errors.notFound('Collection')
  return row
}

function fresh(name: string, marker: string | null): CollectionContent {
  return { name, variables: [], headers: [], auth: noAuth, preRequestScript: '', postRequestScript: '', marker }
}
