import { z } from 'zod'
import { contents, empty, removal, restored, wholeLockable } from '../../content.js'
import { begin, type EventsOf, emitter, event } from '../../event.js'
import { storedOf } from '../fields.js'
import { collectionFields } from './fields.js'

export const collectionContent = storedOf(collectionFields)

const orders = z.array(z.object({ id: z.string(), sortOrder: z.number() }))

export const collectionEvents = {
  CollectionCreated: begin(collectionContent),
  CollectionUpdated: event(collectionContent),
  CollectionDeletionLocked: event(empty),
  CollectionDeletionUnlocked: event(empty),
  /** The collection is gone, and with it all that it held: every folder, request and document. */
  CollectionDeleted: event(removal.extend(contents)),
  CollectionRestored: restored(wholeLockable(collectionContent)),
  /** New orders of folders below one parent; only those that changed. */
  FoldersReordered: event(z.object({ parentFolderId: z.string().nullable(), folders: orders })),
  /** New orders of the items of one container, some of which may have come from another; only those that changed. */
  ItemsReordered: event(z.object({ folderId: z.string().nullable(), requests: orders, documents: orders }))
}
export type CollectionEvent = EventsOf<typeof collectionEvents>
export const emitCollection = emitter('collection', collectionEvents)
