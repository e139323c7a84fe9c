import { allows } from '../commands/context.js'
import { grantsOf } from '../commands/people/grant/grants.js'
import { groupIn, groupsOf } from '../commands/people/group/membership.js'
import { type AccessList, type Account, GRANT_ROLES, type Grant } from '../commands/people/user/events.js'
import { kinds, type Lockable } from '../commands/records/kinds.js'
import type { ReadStore } from '../src/storage/storage.js'
import { accountOf, type UserRow } from './callers.js'
import { listUsers } from './users.js'

/** Somebody who has a record, the highest that they may do with it, and by what they may. */
export interface Sharing {
  readonly userId: string
  readonly name: string
  readonly role: Grant['role']
  readonly by: 'list' | 'grant' | 'group'
  /** What the group is called that it is by. */
  readonly group?: string
}

/** Who has a record that stands on its own, by name; administrators, who have all, are not among them. */
export async function sharingOf(read: ReadStore, kind: Lockable, id: string): Promise<readonly Sharing[]> {
  const found: Sharing[] = []
  for (const row of await listUsers(read)) {
    const how = await sharedWith(row, kind, id, read)
    if (how) found.push(how)
  }
  return found
}

/** The highest that an account has of a record, and by what; null where it has nothing of it. */
async function sharedWith(row: UserRow, kind: Lockable, id: string, read: ReadStore): Promise<Sharing | null> {
  const account = accountOf(row)
  if (account.role !== 'user') return null
  const groups = row.groups === null ? [] : (await groupsOf(row, read)).map(groupIn)
  const ways = [
    ...waysOf(kind, account, grantsOf(row), id).map((way) => ({ ...way, group: undefined })),
    ...groups.flatMap((group) =>
      waysOf(kind, group, group.grants, id).map((way) => ({ role: way.role, by: 'group' as const, group: group.name }))
    )
  ]
  const [highest] = ways.toSorted((a, b) => GRANT_ROLES.indexOf(b.role) - GRANT_ROLES.indexOf(a.role))
  if (!highest) return null
  const { group, ...way } = highest
  return { userId: row.id, name: account.name, ...way, ...(group !== undefined && { group }) }
}

/** What lists and grants give of a record. What a list holds may be changed, whatever is granted beside. */
function waysOf(kind: Lockable, lists: Pick<Account, AccessList>, grants: readonly Grant[], id: string) {
  const isListed = allows(lists[kinds[kind].access], id)
  const granted = grants.filter((one) => one.kind === kind && one.id === id)
  return [
    ...(isListed ? [{ role: 'editor' as const, by: 'list' as const }] : []),
    ...granted.map(({ role }) => ({ role, by: 'grant' as const }))
  ]
}
