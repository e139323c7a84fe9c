import { z } from 'zod'
import { empty, removal, restored, variable, wholeLockable } from '../content.js'
import { begin, emitter, event } from '../event.js'

export const environmentContent = z.object({
  name: z.string(),
  variables: z.array(variable),
  marker: z.string().nullable(),
  parentUuid: z.string().nullable()
})
export type EnvironmentContent = z.infer<typeof environmentContent>

export const environmentEvents = {
  EnvironmentCreated: begin(environmentContent),
  EnvironmentUpdated: event(environmentContent),
  EnvironmentDeletionLocked: event(empty),
  EnvironmentDeletionUnlocked: event(empty),
  /** Environments below this one lose their parent. */
  EnvironmentDeleted: event(removal),
  EnvironmentRestored: restored(wholeLockable(environmentContent))
}
export const emitEnvironment = emitter('environment', environmentEvents)
