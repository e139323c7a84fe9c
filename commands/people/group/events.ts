import { z } from 'zod'
import { empty } from '../../content.js'
import { begin, type EventsOf, emitter, event } from '../../event.js'
import { account, grant } from '../user/events.js'

/** What a group is called, and what each of its members may use by it, beside what they may use alone. */
export const group = account.omit({ role: true }).extend({
  name: z.string().describe('What the group is called.'),
  grants: z.array(grant).describe('Roles on single records, beside the access lists.'),
  externalId: z.string().nullable().describe('What a directory that keeps it calls it; null where none does.')
})
export type Group = Readonly<z.infer<typeof group>>

export const groupEvents = {
  GroupCreated: begin(group),
  GroupUpdated: event(group),
  GroupDeleted: event(empty)
}
export type GroupEvent = EventsOf<typeof groupEvents>
export const emitGroup = emitter('group', groupEvents)
