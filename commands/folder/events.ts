import { z } from 'zod'
import { empty } from '../content.js'
import { begin, type EventsOf, emitter, event } from '../event.js'

export const folderContent = z.object({
  collectionId: z.string(),
  parentFolderId: z.string().nullable(),
  sortOrder: z.number(),
  name: z.string(),
  marker: z.string().nullable()
})
export type FolderContent = z.infer<typeof folderContent>

export const folderEvents = {
  FolderCreated: begin(folderContent),
  FolderUpdated: event(z.object({ name: z.string(), marker: z.string().nullable() })),
  FolderMoved: event(
    z.object({ collectionId: z.string(), parentFolderId: z.string().nullable(), sortOrder: z.number() })
  ),
  /** The folder and the items in it are gone; folders inside it have events of their own. */
  FolderDeleted: event(empty)
}
export type FolderEvent = EventsOf<typeof folderEvents>
export const emitFolder = emitter('folder', folderEvents)
