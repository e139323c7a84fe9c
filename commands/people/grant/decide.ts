import { z } from 'zod'
import { usersTable } from '../../../projections/users.js'
import { errors } from '../../../src/errors.js'
import type { ReadStore } from '../../../src/storage/storage.js'
import { allows, type Caller, type Deciders, requireAccountAdmin } from '../../context.js'
import { existing, type LockableKind, nounOf, requireAccess } from '../../records/kind.js'
import { kinds, type Lockable, lockables } from '../../records/kinds.js'
import { groupIn, groupsOf } from '../group/membership.js'
import { ownedUser, requireManaged } from '../user/decide.js'
import { account, emitUser, type Grant, type GrantRole } from '../user/events.js'
import { grantsOf } from './grants.js'

export type GrantCommand =
  /** An account has this role on a record from now on, or with null none. By an administrator, or a manager of the record. */
  | {
      readonly type: 'GrantAccess'
      readonly userId: string
      readonly kind: Lockable
      readonly id: string
      readonly role: GrantRole | null
    }
  /** All that an account has beside its access lists, from now on. By an administrator. */
  | { readonly type: 'SetGrants'; readonly userId: string; readonly grants: readonly Grant[] }

const made = z.object({ createdBy: z.string().nullable() })

/** Decides on who may do what with one record, beside the access lists that administrators keep. */
export const grantDeciders: Deciders<GrantCommand> = {
  async GrantAccess({ userId, kind, id, role }, { caller, read }) {
    const { access } = kinds[kind]
    await requireManager(caller, kind, id, read)
    if (userId === caller.userId) throw errors.ownGrant()
    const row = await ownedUser(userId, read)
    if (row.role !== 'user') throw errors.adminAccess()
    if (allows(account.parse(JSON.parse(row.body))[access], id)) throw errors.accessByList()
    const before = grantsOf(row)
    const others = before.filter((one) => one.kind !== kind || one.id !== id)
    const after = role === null ? others : [...others, { kind, id, role }]
    if (JSON.stringify(after) === JSON.stringify(before)) return []
    return [emitUser(userId, 'GrantsChanged', { grants: after })]
  },
  async SetGrants({ userId, grants }, { caller, read }) {
    requireAccountAdmin(caller)
    const row = await ownedUser(userId, read)
    requireManaged(caller, row)
    if (row.role !== 'user' && grants.length > 0) throw errors.adminAccess()
    await requireGrants(grants, read)
    if (JSON.stringify(grants) === JSON.stringify(grantsOf(row))) return []
    return [emitUser(userId, 'GrantsChanged', { grants: [...grants] })]
  }
}

/** Refuses grants of records that are not there, and two of one record. */
export async function requireGrants(grants: readonly Grant[], read: ReadStore): Promise<void> {
  for (const kind of lockables) await requireThere(kind, grants, read)
  const seen = new Set(grants.map(({ kind, id }) => `${kind} ${id}`))
  if (seen.size < grants.length) throw errors.grantTwice()
}

/** Refuses grants of records of a kind that are not there. */
async function requireThere(kind: LockableKind, grants: readonly Grant[], read: ReadStore): Promise<void> {
  const ids = grants.filter((one) => one.kind === kind.kind).map(({ id }) => id)
  const found = new Set((await read.getAll(kind.table, [...new Set(ids)], { body: false })).map(({ id }) => id))
  const unknown = ids.filter((id) => !found.has(id))
  if (unknown.length > 0) throw errors.unknownIds(nounOf(kind), unknown)
}

/**
 * Refuses whoever is no administrator, no manager of the record, and has not made it or may not change it any more: 403 outside the
 * caller's access, 404 where the record is not there.
 */
export async function requireManager(caller: Caller, kind: Lockable, id: string, read: ReadStore): Promise<void> {
  if (caller.role !== 'admin') requireAccess(caller, kinds[kind], id)
  const { createdBy } = made.parse(await existing(kinds[kind], id, read))
  if (caller.role === 'admin' || (createdBy === caller.userId && !caller.viewed.includes(id))) return
  const row = await read.get(usersTable, caller.userId)
  const groups = row ? await groupsOf(row, read) : []
  const held = [...(row ? grantsOf(row) : []), ...groups.flatMap((group) => groupIn(group).grants)]
  const isManager = held.some((one) => one.kind === kind && one.id === id && one.role === 'manager')
  if (!isManager) throw errors.forbidden()
}
