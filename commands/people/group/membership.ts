import { z } from 'zod'
import type { ReadStore, Row } from '../../../src/storage/storage.js'
import { ACCESS_LISTS, type Account, type Grant, type Membership, membership } from '../user/events.js'
import { type Group, group } from './events.js'
import { groupsTable, membersTable } from './table.js'

/** What the memberships of an account are kept in: the JSON of all, or null for none. */
interface Member {
  readonly groups: string | null
}

const memberships = z.array(membership)
// A row never changes, so what was parsed from it is good for as long as the row is around.
const parsedMemberships = new WeakMap<Member, readonly Membership[]>()
const parsedGroups = new WeakMap<Pick<Row, 'body'>, Group>()

/** The groups that the account in this row is a member of, and by what. Some may be gone. */
export function membershipsOf(row: Member): readonly Membership[] {
  if (row.groups === null) return []
  const known = parsedMemberships.get(row) ?? memberships.parse(JSON.parse(row.groups))
  parsedMemberships.set(row, known)
  return known
}

/** The rows of the groups that the account in this row is a member of. */
export async function groupsOf(row: Member, read: Pick<ReadStore, 'get'>): Promise<readonly Row[]> {
  const rows = await Promise.all(membershipsOf(row).map(({ id }) => read.get(groupsTable, id)))
  return rows.filter((one) => one !== null)
}

/** The ids of the accounts that are in a group. */
export async function memberIdsOf(groupId: string, read: Pick<ReadStore, 'list'>): Promise<readonly string[]> {
  const rows = await read.list(membersTable, 'byGroup', [groupId], { body: false })
  return rows.map(({ userId }) => userId)
}

/** The group in this row. */
export function groupIn(row: Pick<Row, 'body'>): Group {
  const known = parsedGroups.get(row) ?? group.parse(JSON.parse(row.body))
  parsedGroups.set(row, known)
  return known
}

type Used = Omit<Account, 'name' | 'role'> & { readonly grants: readonly Grant[] }

/**
 * What an account may use by itself and by its groups together: everything that one of them has, and of monthly limits on tokens of
 * models the highest of those that come with models.
 */
export function withGroups(
  own: Account & { readonly grants: readonly Grant[] },
  groups: readonly Group[]
): Account & Used {
  const all: readonly Used[] = [own, ...groups]
  const lists = ACCESS_LISTS.map((list) => [list, union(all.map((one) => one[list]))])
  const llm = all.filter(({ llmAccess }) => llmAccess)
  const limits = llm.map(({ llmMonthlyTokenLimit }) => llmMonthlyTokenLimit)
  return {
    ...own,
    ...Object.fromEntries(lists),
    llmAccess: llm.length > 0,
    llmModels: union(llm.map(({ llmModels }) => llmModels)),
    llmMonthlyTokenLimit:
      limits.some((limit) => limit === null) || limits.length === 0 ? null : Math.max(...limits.map(Number)),
    grants: all.flatMap(({ grants }) => grants)
  }
}

/** The wildcard stands alone. */
function union(lists: readonly (readonly string[])[]): string[] {
  return lists.some((list) => list.includes('*')) ? ['*'] : [...new Set(lists.flat())]
}
