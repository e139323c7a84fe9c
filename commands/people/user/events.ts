import { z } from 'zod'
import { empty } from '../../content.js'
import { begin, type EventsOf, emitter, event, type Upcast } from '../../event.js'
import { avatar } from '../avatar/avatar.js'

const ids = z.array(z.string())
/** An access list for each kind of record that stands on its own: ids, or the wildcard alone. */
const accessLists = z.object({
  collectionAccess: ids,
  environmentAccess: ids,
  snippetAccess: ids,
  liveServerAccess: ids,
  livePageAccess: ids
})
export type AccessList = keyof typeof accessLists.shape
// The keys of the shape are those of its type.
export const ACCESS_LISTS = Object.keys(accessLists.shape) as readonly AccessList[]

/** Something that is alike for each access list. */
export function eachAccessList<T>(value: T): Record<AccessList, T> {
  // Every list has its entry.
  return Object.fromEntries(ACCESS_LISTS.map((list) => [list, value])) as Record<AccessList, T>
}

/** An account without its times: what an administrator decides about it. */
export const account = z.object({
  name: z.string(),
  role: z.enum(['user', 'admin']),
  ...accessLists.shape,
  llmAccess: z.boolean(),
  llmModels: z.array(z.string()),
  llmMonthlyTokenLimit: z.number().nullable()
})
export type Account = z.infer<typeof account>

/** What an account may use that may use nothing. */
export const noAccess = {
  ...eachAccessList<string[]>([]),
  llmAccess: false,
  llmModels: [],
  llmMonthlyTokenLimit: null
}

/** Version 1 of an account knew no live servers and live pages. */
export const accountFromVersion1: Upcast = (data) => ({
  liveServerAccess: [],
  livePageAccess: [],
  ...z.looseObject({}).parse(data)
})

export const userEvents = {
  UserCreated: begin(account, accountFromVersion1),
  UserUpdated: event(account, accountFromVersion1),
  /** The whole of it, as it is from then on. */
  AvatarChanged: event(avatar),
  UserDeleted: event(empty)
}
export type UserEvent = EventsOf<typeof userEvents>
export const emitUser = emitter('user', userEvents)
