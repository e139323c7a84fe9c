import { z } from 'zod'
import { alike, empty } from '../../content.js'
import { begin, type EventsOf, emitter, event, type Upcast } from '../../event.js'
import { avatar } from '../avatar/avatar.js'

const access = (of: string) => `The ids of the ${of} that the account may use; \`*\` alone for all, empty for none.`
const ids = (of: string) => z.array(z.string()).describe(access(of))
/** An access list for each kind of record that stands on its own: ids, or the wildcard alone. */
const accessLists = z.object({
  collectionAccess: ids('collections'),
  environmentAccess: ids('environments'),
  snippetAccess: ids('snippets'),
  liveServerAccess: ids('live servers'),
  livePageAccess: ids('live pages')
})
export type AccessList = keyof typeof accessLists.shape
// The keys of the shape are those of its type.
export const ACCESS_LISTS = Object.keys(accessLists.shape) as readonly AccessList[]

/** Something that is alike for each access list. */
export function eachAccessList<T>(value: T): Record<AccessList, T> {
  // Every list has its entry.
  return Object.fromEntries(ACCESS_LISTS.map((list) => [list, value])) as Record<AccessList, T>
}

/** Such a schema for each access list, described as that list is. */
export function eachAccessListOf<S extends z.ZodType>(schema: S): Record<AccessList, S> {
  // Every list has its entry.
  return Object.fromEntries(ACCESS_LISTS.map((list) => [list, alike(schema, accessLists.shape[list])])) as Record<
    AccessList,
    S
  >
}

/** An account without its times: what an administrator decides about it. */
export const account = z.object({
  name: z.string().describe('What the account is called.'),
  role: z.enum(['user', 'admin']).describe('What it is for: `user` works with records, `admin` manages the hub.'),
  ...accessLists.shape,
  llmAccess: z.boolean().describe('Whether it may use models.'),
  llmModels: z.array(z.string()).describe('The ids of the models that it may use; `*` for all, empty for none.'),
  llmMonthlyTokenLimit: z
    .number()
    .nullable()
    .describe('How many tokens it may use in a month (UTC); null for as many as it likes.')
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

/** What somebody may do with one record: look at it, change it, or share it with others as well. */
export const GRANT_ROLES = ['viewer', 'editor', 'manager'] as const
export type GrantRole = (typeof GRANT_ROLES)[number]

/** One record that an account has beside its access lists. */
export const grant = z.object({
  kind: z.string().describe('The kind of the record, which stands on its own.'),
  id: z.string().describe('The id of the record.'),
  role: z.enum(GRANT_ROLES).describe('What the account may do with it: `viewer`, `editor` or `manager`.')
})
export type Grant = Readonly<z.infer<typeof grant>>

export const userEvents = {
  UserCreated: begin(account, accountFromVersion1),
  UserUpdated: event(account, accountFromVersion1),
  /** The whole of it, as it is from then on. */
  AvatarChanged: event(avatar),
  /** All of them, as they are from then on: an administrator has given them, or a manager of a record. */
  GrantsChanged: event(z.object({ grants: z.array(grant) })),
  UserDeleted: event(empty)
}
export type UserEvent = EventsOf<typeof userEvents>
export const emitUser = emitter('user', userEvents)
