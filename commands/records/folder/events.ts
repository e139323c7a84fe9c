import { z } from 'zod'
import { contents, itemRemoval, origin, restored } from '../../content.js'
import { begin, type EventsOf, emitter, event } from '../../event.js'
import { storedOf } from '../fields.js'
import { folderFields } from './fields.js'

/** What of a folder is in the body of its row. */
export const folderBody = storedOf(folderFields)

export const folderContent = z.object({
  collectionId: z.string(),
  parentFolderId: z.string().nullable(),
  sortOrder: z.number(),
  ...folderBody.shape
})
export type FolderContent = z.infer<typeof folderContent>

/** A whole folder, as an event brings it. */
export const wholeFolder = folderContent.extend({ origin })

export const folderEvents = {
  FolderCreated: begin(folderContent),
  FolderUpdated: event(z.object({ collectionId: z.string().nullable().default(null), ...folderBody.shape })),
  FolderMoved: event(
    z.object({ collectionId: z.string(), parentFolderId: z.string().nullable(), sortOrder: z.number() })
  ),
  /**
   * The folder and the requests and documents in it are gone. The folders inside it have events of
   * their own, which come before; `folders` names them all in the event of the outermost.
   */
  FolderDeleted: event(itemRemoval.extend(contents)),
  FolderRestored: restored(wholeFolder)
}
export type FolderEvent = EventsOf<typeof folderEvents>
export const emitFolder = emitter('folder', folderEvents)
