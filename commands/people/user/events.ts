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

export const ROLES = ['user', 'admin', 'accountAdmin', 'auditor'] as const
export type Role = (typeof ROLES)[number]

/** The roles that every client knows: some read no answer with another one in it. */
export const TOLD_ROLES = ['user', 'admin'] as const satisfies readonly Role[]

/** The one of them that stands for a role where it is told: `user` for all but `admin`. What somebody may do goes by the role itself. */
export function toldRole(role: Role): (typeof TOLD_ROLES)[number] {
  return role === 'admin' ? role : 'user'
}

/** A role as answers tell it: as every client knows it, and exactly. */
export const toldRoles = (exactRole: Role) => ({ role: toldRole(exactRole), exactRole })

/** An account without its times: what an administrator decides about it. */
export const account = z.object({
  name: z.string().describe('What the account is called.'),
  role: z
    .enum(ROLES)
    .describe(
      'What it is for: `user` works with records, `admin` manages the hub, `accountAdmin` accounts of users alone, and `auditor` reads the audit and nothing else.'
    ),
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

/** One group that an account is a member of. */
export const membership = z.object({
  id: z.string().describe('The id of the group.'),
  by: z
    .enum(['administrator', 'directory', 'rule'])
    .describe('Who has made it a member: an administrator, a directory that keeps the group, or a rule of a sign-in.'),
  rule: z
    .string()
    .nullable()
    .describe('The rule: the id of the provider, a colon and the value of the claim; null where it was none.')
})
export type Membership = Readonly<z.infer<typeof membership>>

/** What a directory says of somebody, beside what they are called here. */
export const directoryDetails = z.object({
  externalId: z.string().nullable().describe('What the directory knows them by.'),
  displayName: z.string().nullable(),
  givenName: z.string().nullable(),
  familyName: z.string().nullable(),
  email: z.string().nullable()
})
export type DirectoryDetails = Readonly<z.infer<typeof directoryDetails>>

/** Why an account is disabled. */
export const DISABLED_BY = ['administrator', 'directory'] as const

export const userEvents = {
  UserCreated: begin(account, accountFromVersion1),
  /** It is that of a machine, which nobody signs in as. */
  UserMarkedAsService: event(empty),
  UserUpdated: event(account, accountFromVersion1),
  /** The whole of it, as it is from then on. */
  AvatarChanged: event(avatar),
  /** All of them, as they are from then on: an administrator has given them, or a manager of a record. */
  GrantsChanged: event(z.object({ grants: z.array(grant) })),
  /** All of them, as they are from then on. */
  MembershipsChanged: event(z.object({ groups: z.array(membership) })),
  /** A directory keeps it. The whole of what it says, as it is from then on. */
  UserProvisioned: event(directoryDetails),
  /** Nothing is let in as it any more: no token and no session, until it is enabled. */
  UserDisabled: event(z.object({ by: z.enum(DISABLED_BY) })),
  UserEnabled: event(empty),
  UserDeleted: event(empty)
}
export type UserEvent = EventsOf<typeof userEvents>
export const emitUser = emitter('user', userEvents)
