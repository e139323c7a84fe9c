import { nameKey } from '../../commands/keys.js'
import { SYSTEM_ID, SYSTEM_NAME } from '../../commands/people/user/system.js'
import { LIMITS } from '../../src/limits.js'
import type { LegacyRecord } from './read.js'

/** An account without its image, of which only one at a time is in memory. */
export type User = Omit<LegacyRecord<'users'>, 'avatarImage'>

/** The account that owns tokens which had no owner. Its id is fixed, so that running again makes no second. */
export const BOOTSTRAP_ID = '00000000-0000-0000-0000-0000000000b0'
export const BOOTSTRAP_NAME = 'bootstrap'

/** Who is who: which accounts are taken over, and under which ids. */
export interface People {
  readonly known: ReadonlySet<string>
  /** Ids that stand for another account here: the older hub's internal account is ours. */
  readonly same: ReadonlyMap<string, string>
}

/** What an older hub's accounts are called here. */
interface Named {
  /** Each that becomes an account of its own, with its name here. */
  readonly users: readonly { readonly user: User; readonly name: string }[]
  /** The account that tokens without an owner go to; null where it has to be made. */
  readonly bootstrapId: string | null
  /** What people have to know about it. */
  readonly notes: readonly string[]
}

/** The internal account of an older hub. A user of that name is none: tokens of theirs must not become the system's. */
function isInternal({ name, role }: User): boolean {
  return name === SYSTEM_NAME && role !== 'user'
}

/** The accounts of an older hub: everyone in its table, and the internal account as ours. */
export function peopleOf(users: readonly User[]): People {
  const system = users.filter(isInternal).map(({ id }) => id)
  const known = new Set([SYSTEM_ID, ...users.map(({ id }) => id)])
  return { known, same: new Map(system.map((id) => [id, SYSTEM_ID])) }
}

/** The account's id here, or null where it is gone. */
export function personOf({ known, same }: People, id: string | null): string | null {
  if (id === null) return null
  return same.get(id) ?? (known.has(id) ? id : null)
}

/**
 * Gives every account a name that is its own: where another has it already, or one that looks the same, it gets a number. Of
 * several, the one that is here keeps it, then the one that is exactly `bootstrap`, then the oldest. `names` are those of the
 * accounts that are here, with their ids. Running again gives the same names.
 */
export function namedHere(users: readonly User[], names: ReadonlyMap<string, string>): Named {
  const holders = new Map([[SYSTEM_NAME, SYSTEM_ID], ...[...names].map(([name, id]) => [nameKey(name), id] as const)])
  const internal = users.filter(isInternal)
  const notes = internal.length > 0 ? ['The internal account is ours from now on.'] : []
  const named = users
    .filter((user) => !isInternal(user))
    .toSorted(byClaim)
    .map((user) => {
      const given = fit(user.name)
      const name = freeName(given, user.id, holders)
      holders.set(nameKey(name), user.id)
      if (name !== given) notes.push(`${user.id} "${user.name}" is named "${name}": another account has that name.`)
      return { user, name }
    })
  const holder = holders.get(BOOTSTRAP_NAME)
  return { users: named, bootstrapId: holder === BOOTSTRAP_ID ? null : (holder ?? null), notes }
}

function byClaim(a: User, b: User): number {
  const isBootstrap = (user: User) => Number(user.name !== BOOTSTRAP_NAME)
  return isBootstrap(a) - isBootstrap(b) || compare(a.createdAt, b.createdAt) || compare(a.id, b.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A name of that form, of a length that an account may have, with something in it to be seen. */
function fit(name: string): string {
  const composed = name.normalize('NFC').trim()
  if (nameKey(composed) === '') return 'unnamed'
  return composed.length <= LIMITS.name.max ? composed : composed.slice(0, LIMITS.name.max).toWellFormed().trim()
}

function freeName(name: string, id: string, holders: ReadonlyMap<string, string>): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` (${number})`
    const free = `${name.slice(0, LIMITS.name.max - suffix.length).toWellFormed()}${suffix}`
    if ((holders.get(nameKey(free)) ?? id) === id) return free
  }
}
