import { emitImported, type Origin } from '../../commands/import/events.js'
import { SYSTEM_ID, SYSTEM_NAME } from '../../commands/user/system.js'
import type { NewEvent } from '../../src/log/event.js'
import type { LegacyRecord } from './read.js'

/** Who is who: which accounts are taken over, and under which ids. */
export interface People {
  readonly known: ReadonlySet<string>
  /** Ids that stand for another account here: the older hub's internal account is ours. */
  readonly same: ReadonlyMap<string, string>
}

/** The account that owns tokens which had no owner. Its id is fixed, so that running again makes no second. */
export const BOOTSTRAP_ID = '00000000-0000-0000-0000-0000000000b0'
const EVERYTHING = ['*']

/** The accounts of an older hub: everyone in its table, and the internal account as ours. */
export function peopleOf(users: readonly LegacyRecord<'users'>[]): People {
  const system = users.filter(({ name }) => name === SYSTEM_NAME).map(({ id }) => id)
  const known = new Set([SYSTEM_ID, BOOTSTRAP_ID, ...users.map(({ id }) => id)])
  return { known, same: new Map(system.map((id) => [id, SYSTEM_ID])) }
}

/** The account's id here, or null where it is gone. */
export function personOf({ known, same }: People, id: string | null): string | null {
  if (id === null) return null
  return same.get(id) ?? (known.has(id) ? id : null)
}

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

/** An account as the event that begins its stream. */
export function userImported(user: LegacyRecord<'users'>, people: People): NewEvent {
  const isAdmin = user.role !== 'user'
  const account = {
    name: user.name.normalize('NFC').trim(),
    role: isAdmin ? 'admin' : 'user',
    collectionAccess: isAdmin ? [] : alone(user.collectionAccess),
    environmentAccess: isAdmin ? [] : alone(user.environmentAccess),
    snippetAccess: isAdmin ? [] : alone(user.snippetAccess),
    llmAccess: !isAdmin && user.llmAccess,
    llmModels: isAdmin ? [] : alone(user.llmModels),
    llmMonthlyTokenLimit: isAdmin ? null : user.llmMonthlyTokenLimit
  }
  return emitImported(user.id, 'UserImported', { account, origin: originOf(user, people) })
}

/** The account that tokens without an owner go to. */
export function bootstrapUser(now: string): NewEvent {
  const account = {
    name: 'bootstrap',
    role: 'user',
    collectionAccess: EVERYTHING,
    environmentAccess: EVERYTHING,
    snippetAccess: EVERYTHING,
    llmAccess: false,
    llmModels: [],
    llmMonthlyTokenLimit: null
  }
  const origin = { createdAt: now, updatedAt: now, createdBy: SYSTEM_ID, updatedBy: SYSTEM_ID }
  return emitImported(BOOTSTRAP_ID, 'UserImported', { account, origin })
}
