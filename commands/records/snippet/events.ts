import { empty, removal, restored, wholeLockable } from '../../content.js'
import { begin, emitter, event } from '../../event.js'
import { storedOf } from '../fields.js'
import { snippetFields } from './fields.js'

export const snippetContent = storedOf(snippetFields)

export const snippetEvents = {
  SnippetCreated: begin(snippetContent),
  SnippetUpdated: event(snippetContent),
  SnippetDeletionLocked: event(empty),
  SnippetDeletionUnlocked: event(empty),
  SnippetDeleted: event(removal),
  SnippetRestored: restored(wholeLockable(snippetContent))
}
export const emitSnippet = emitter('snippet', snippetEvents)
