import { empty, removal, restored, wholeLockable } from '../../content.js'
import { begin, emitter, event } from '../../event.js'
import { storedOf } from '../fields.js'
import { environmentFields } from './fields.js'

export const environmentContent = storedOf(environmentFields)

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
