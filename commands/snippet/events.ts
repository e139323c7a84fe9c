import { z } from 'zod'
import { empty, removal, restored, wholeLockable } from '../content.js'
import { begin, emitter, event } from '../event.js'

export const SCOPES = ['pre-request', 'post-request', 'any'] as const

export const snippetContent = z.object({
  name: z.string(),
  code: z.string(),
  scope: z.enum(SCOPES),
  sortOrder: z.number()
})
export type SnippetContent = z.infer<typeof snippetContent>

export const snippetEvents = {
  SnippetCreated: begin(snippetContent),
  SnippetUpdated: event(snippetContent),
  SnippetDeletionLocked: event(empty),
  SnippetDeletionUnlocked: event(empty),
  SnippetDeleted: event(removal),
  SnippetRestored: restored(wholeLockable(snippetContent))
}
export const emitSnippet = emitter('snippet', snippetEvents)
