import { type EventsOf, emitter, event } from '../../event.js'
import { avatar } from '../../people/avatar/avatar.js'

/** The hub as clients know it: by the name of its one tenant. */
export const HUB_ID = '__default__'
export const HUB_NAME = 'Default'

export const hubEvents = { HubAvatarChanged: event(avatar) }
export type HubEvent = EventsOf<typeof hubEvents>
export const emitHub = emitter('hub', hubEvents)
