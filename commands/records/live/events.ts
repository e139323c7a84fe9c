import { z } from 'zod'
import { empty, removal, wholeLockable } from '../../content.js'
import { begin, emitter, event } from '../../event.js'
import { storedOf } from '../fields.js'
import { livePageFields, liveServerFields } from './fields.js'

/** The deletions that are undone when a record is back. */
const deletions = { deletionPositions: z.array(z.number()) }

export const liveServerContent = storedOf(liveServerFields)
export const livePageContent = storedOf(livePageFields)

export const liveServerEvents = {
  LiveServerCreated: begin(liveServerContent),
  LiveServerUpdated: event(liveServerContent),
  LiveServerDeletionLocked: event(empty),
  LiveServerDeletionUnlocked: event(empty),
  LiveServerDeleted: event(removal),
  LiveServerRestored: event(wholeLockable(liveServerContent).extend(deletions))
}
export const emitLiveServer = emitter('liveServer', liveServerEvents)

export const livePageEvents = {
  LivePageCreated: begin(livePageContent),
  LivePageUpdated: event(livePageContent),
  LivePageDeletionLocked: event(empty),
  LivePageDeletionUnlocked: event(empty),
  LivePageDeleted: event(removal),
  LivePageRestored: event(wholeLockable(livePageContent).extend(deletions))
}
export const emitLivePage = emitter('livePage', livePageEvents)
