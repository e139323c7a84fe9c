import { errors } from '../../../src/errors.js'
import { LIMITS } from '../../../src/limits.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { ReadStore, Row } from '../../../src/storage/storage.js'
import { type Context, type Deciders, requireAccountAdmin, requireRevision } from '../../context.js'
import { nameKey } from '../../keys.js'
import { existing, type Target } from '../../records/kind.js'
import { grantsThere } from '../grant/decide.js'
import { defined, manages, requireKnown, requireOwned, requireSingleWildcards } from '../user/decide.js'
import { emitUser, type Membership } from '../user/events.js'
import { usersTable } from '../user/table.js'
import { emitGroup, type Group, group } from './events.js'
import { groupIn, membershipsOf } from './membership.js'
import { groupsTable } from './table.js'

export type GroupCommand =
  | { readonly type: 'CreateGroup'; readonly id: string; readonly group: Group }
  | ({
      readonly type: 'UpdateGroup'
      readonly changes: { readonly [K in keyof Group]?: Group[K] | undefined }
    } & Target)
  | ({ readonly type: 'DeleteGroup' } & Target)
  /** Who is a member from now on, and who no more, whatever had made them one. */
  | {
      readonly type: 'ChangeMembers'
      readonly id: string
      readonly add: readonly string[]
      readonly remove: readonly string[]
      readonly by: Exclude<Membership['by'], 'rule'>
    }

type UserRow = Row<typeof usersTable.columns>

/** Decides on groups, and on who is in them (section 5, Roles). */
export const groupDeciders: Deciders<GroupCommand> = {
  async CreateGroup({ id, group: wanted }, context) {
    requireAccountAdmin(context.caller)
    await requireNew(wanted.name, context.read)
    return [emitGroup(id, 'GroupCreated', await fit(wanted, wanted, [], context))]
  },
  async UpdateGroup({ id, changes, ifRevision }, context) {
    requireAccountAdmin(context.caller)
    const row = await existing(GROUP, id, context.read)
    requireRevision(row, ifRevision)
    const now = groupIn(row)
    const wanted = { ...now, ...defined(changes) }
    if (nameKey(wanted.name) !== row.nameKey) await requireNew(wanted.name, context.read)
    const updated = await fit(wanted, changes, now.grants, context)
    return JSON.stringify(updated) === JSON.stringify(now) ? [] : [emitGroup(id, 'GroupUpdated', updated)]
  },
  async DeleteGroup({ id, ifRevision }, { caller, read }) {
    requireAccountAdmin(caller)
    requireRevision(await existing(GROUP, id, read), ifRevision)
    return [emitGroup(id, 'GroupDeleted', {})]
  },
  async ChangeMembers(command, context) {
    requireAccountAdmin(context.caller)
    await existing(GROUP, command.id, context.read)
    return movedMembers(command, context)
  }
}

/** A group, as refusals name it. */
export const GROUP = { title: 'Group', table: groupsTable } as const

type Moves = Omit<Extract<GroupCommand, { type: 'ChangeMembers' }>, 'type'>

/**
 * The events by which members of a group, which is there or is made by the same command, come and go: one of each who does. Whoever is in it
 * by a rule of a sign-in is from now on by who says so here. Of whoever is gone already nothing is left to take out, where a directory says so.
 * It takes out whoever is an administrator by now as well: a group gives them nothing, and would again if they were a user's account.
 */
export async function movedMembers(
  { id, add, remove, by }: Moves,
  { caller, read }: Pick<Context, 'caller' | 'read'>
): Promise<readonly NewEvent[]> {
  const joining = new Set(add)
  const moved: NewEvent[] = []
  const named = [...new Set([...remove, ...add])]
  const rows = new Map((await read.getAll(usersTable, named, { body: false })).map((row) => [row.id, row]))
  for (const userId of named) {
    const isTakenOut = by === 'directory' && !joining.has(userId)
    if (isTakenOut && !rows.has(userId)) continue
    const row = requireOwned(userId, rows.get(userId))
    if (!isTakenOut && !manages(caller, row)) throw errors.memberNotManaged(userId)
    const before = membershipsOf(row)
    if (joining.has(userId) && before.some((one) => one.id === id && one.by !== 'rule')) continue
    const others = before.filter((one) => one.id !== id)
    moved.push(...(await changedTo(row, joining.has(userId) ? [...others, { id, by, rule: null }] : others, read, id)))
  }
  return moved
}

/** The group of this name, however its letters are written; null where there is none. */
export async function groupNamed(name: string, read: ReadStore) {
  return (await read.list(groupsTable, 'byNameKey', [nameKey(name)], { limit: 1 }))[0] ?? null
}

/**
 * The event by which an account is in these groups from now on, of which those that are gone are left out; none where that is so
 * already. 400 where they are too many. `known` is one that is there, or is made by the same command.
 */
async function changedTo(
  row: Pick<UserRow, 'id' | 'groups'>,
  wanted: readonly Membership[],
  read: ReadStore,
  known?: string
): Promise<readonly NewEvent[]> {
  if (JSON.stringify(wanted) === JSON.stringify(membershipsOf(row))) return []
  const there = await Promise.all(wanted.map(({ id }) => id === known || read.get(groupsTable, id)))
  const groups = wanted.filter((_, i) => there[i])
  if (groups.length > LIMITS.groupsOfAccount.max) throw errors.tooManyGroups()
  return [emitUser(row.id, 'MembershipsChanged', { groups })]
}

/**
 * The groups of an account when rules of a sign-in say so: those of the provider's rules that hold now, beside what did not come
 * by a rule of this provider. `rules` name groups; one that is not there makes nobody a member.
 */
export async function joinedByRules(
  row: Pick<UserRow, 'id' | 'groups'>,
  provider: string,
  rules: readonly { readonly value: string; readonly group: string }[],
  read: ReadStore
): Promise<readonly NewEvent[]> {
  const others = membershipsOf(row).filter(({ by, rule }) => by !== 'rule' || !rule?.startsWith(`${provider}:`))
  const taken = new Set(others.map(({ id }) => id))
  const joined: Membership[] = []
  for (const { value, group } of rules) {
    // Nobody is kept from signing in by the groups that they are in.
    if (taken.size >= LIMITS.groupsOfAccount.max) break
    const found = await groupNamed(group, read)
    if (!found || taken.has(found.id)) continue
    taken.add(found.id)
    joined.push({ id: found.id, by: 'rule', rule: `${provider}:${value}` })
  }
  return changedTo(row, [...others, ...joined], read)
}

async function requireNew(name: string, read: ReadStore): Promise<void> {
  if (nameKey(name) === '') throw errors.nameEmpty()
  if (await groupNamed(name, read)) throw errors.groupNameTaken(name)
}

/** The group as it is stored: what it newly names is there, and the wildcard stands alone. */
async function fit(wanted: Group, named: Partial<Group>, before: Group['grants'], context: Context): Promise<Group> {
  requireSingleWildcards(wanted)
  await requireKnown(named, context)
  const grants = named.grants ? await grantsThere(named.grants, before, context.read) : wanted.grants
  return group.parse({ ...wanted, grants })
}
