import { z } from 'zod'
import { empty } from '../content.js'
import { begin, type EventsOf, emitter, event } from '../event.js'

/** An account without its times: what an administrator decides about it. */
export const account = z.object({
  name: z.string(),
  role: z.enum(['user', 'admin']),
  collectionAccess: z.array(z.string()),
  environmentAccess: z.array(z.string()),
  snippetAccess: z.array(z.string()),
  llmAccess: z.boolean(),
  llmModels: z.array(z.string()),
  llmMonthlyTokenLimit: z.number().nullable()
})
export type Account = z.infer<typeof account>

export const userEvents = {
  UserCreated: begin(account),
  UserUpdated: event(account),
  UserDeleted: event(empty)
}
export type UserEvent = EventsOf<typeof userEvents>
export const emitUser = emitter('user', userEvents)
