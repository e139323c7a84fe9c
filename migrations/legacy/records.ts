import type { Origin } from '../../commands/content.js'
import type { Avatar } from '../../commands/people/avatar/avatar.js'
import { ACCESS_LISTS, eachAccessList } from '../../commands/people/user/events.js'
import { SYSTEM_ID } from '../../commands/people/user/system.js'
import { emitImported } from '../../commands/takeover/events.js'
import type { NewEvent } from '../../src/log/event.js'
import type { LegacyRecord } from './read.js'
import { BOOTSTRAP_ID, BOOTSTRAP_NAME, type People, personOf } from './users.js'

const EVERYTHING = ['*']

interface Attributed {
  readonly createdAt: string
  readonly updatedAt: string | null
  readonly createdByUserId: string | null
  readonly updatedByUserId: string | null
}

/** Times and people of a record; a time that came with a later version of the older hub may be missing. */
export function originOf(
  { createdAt, updatedAt, createdByUserId, updatedByUserId }: Attributed,
  people: People
): Origin {
  const createdBy = personOf(people, createdByUserId)
  return { createdAt, updatedAt: updatedAt ?? createdAt, createdBy, updatedBy: personOf(people, updatedByUserId) }
}

const alone = (list: readonly string[]) => (list.includes('*') ? EVERYTHING : [...list])

/** An account, by its name here and with what stands for it, as the event that begins its stream. */
export function userImported(
  user: Omit<LegacyRecord<'users'>, 'avatarImage'>,
  name: string,
  avatar: Avatar | null,
  people: People
): NewEvent {
  const isAdmin = user.role !== 'user'
  const account = {
    name,
    role: isAdmin ? 'admin' : 'user',
    ...Object.fromEntries(ACCESS_LISTS.map((list) => [list, isAdmin ? [] : alone(user[list])])),
    llmAccess: !isAdmin && user.llmAccess,
    llmModels: isAdmin ? [] : alone(user.llmModels),
    llmMonthlyTokenLimit: isAdmin ? null : user.llmMonthlyTokenLimit
  }
  return emitImported(user.id, 'UserImported', { account, avatar, origin: originOf(user, people) })
}

/** The account that tokens without an owner go to. */
export function bootstrapUser(now: string): NewEvent {
  const account = {
    name: BOOTSTRAP_NAME,
    role: 'user',
    ...eachAccessList(EVERYTHING),
    llmAccess: false,
    llmModels: [],
    llmMonthlyTokenLimit: null
  }
  const origin = { createdAt: now, updatedAt: now, createdBy: SYSTEM_ID, updatedBy: SYSTEM_ID }
  return emitImported(BOOTSTRAP_ID, 'UserImported', { account, avatar: null, origin })
}
