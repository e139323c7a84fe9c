import { z } from 'zod'
import { errors } from '../../../src/errors.js'
import { LIMITS } from '../../../src/limits.js'
import type { ReadStore } from '../../../src/storage/storage.js'
import {
  allows,
  type Caller,
  type Deciders,
  type ExpectedRevisions,
  requireAccountAdmin,
  requireRevision
} from '../../context.js'
import { existing, type LockableKind, nounOf, requireAccess } from '../../records/kind.js'
import { kinds, type Lockable, lockables } from '../../records/kinds.js'
import { groupIn, groupsOf } from '../group/membership.js'
import { ownedUser, requireManaged } from '../user/decide.js'
import { account, emitUser, type Grant, type GrantRole } from '../user/events.js'
import { usersTable } from '../user/table.js'
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
  | {
      readonly type: 'SetGrants'
      readonly userId: string
      readonly grants: readonly Grant[]
      readonly ifRevision?: ExpectedRevisions
    }

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
    if (after.length > Math.max(before.length, LIMITS.accessList.max)) throw errors.tooManyGrants()
    return [emitUser(userId, 'GrantsChanged', { grants: after })]
  },
  async SetGrants({ userId, grants: named, ifRevision }, { caller, read }) {
    requireAccountAdmin(caller)
    const row = await ownedUser(userId, read)
    requireManaged(caller, row)
    requireRevision(row, ifRevision)
    const before = grantsOf(row)
    const grants = await grantsThere(named, before, read)
    if (row.role !== 'user' && grants.length > 0) throw errors.adminAccess()
    if (JSON.stringify(grants) === JSON.stringify(before)) return []
    return [emitUser(userId, 'GrantsChanged', { grants })]
  }
}

/**
 * Those of the grants whose records are there. What was granted before and is deleted by now goes without a word; 400 for any other
 * that is not there, and for two of one record.
 */
export async function grantsThere(
  named: readonly Grant[],
  before: readonly Grant[],
  read: ReadStore
): Promise<Grant[]> {
  const keyOf = ({ kind, id }: Grant) => `${kind} ${id}`
  if (new Set(named.map(keyOf)).size < named.length) throw errors.grantTwice()
  const held = new Set(before.map(keyOf))
  const gone = new Set<Grant>()
  for (const kind of lockables) {
    const missing = await missingOf(kind, named, read)
    const unknown = missing.filter((one) => !held.has(keyOf(one))).map(({ id }) => id)
    if (unknown.length > 0) throw errors.unknownIds(nounOf(kind), unknown)
    for (const one of missing) gone.add(one)
  }
  return named.filter((one) => !gone.has(one))
}

/** The grants of records of a kind that are not there. */
async function missingOf(kind: LockableKind, grants: readonly Grant[], read: ReadStore): Promise<readonly Grant[]> {
  const own = grants.filter((one) => one.kind === kind.kind)
  const ids = [...new Set(own.map(({ id }) => id))]
  const found = new Set((await read.getAll(kind.table, ids, { body: false })).map(({ id }) => id))
  return own.filter(({ id }) => !found.has(id))
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
  const managed = row ? await managedBy(row, read) : []
  if (!managed.some((one) => one.kind === kind && one.id === id)) throw errors.managersShare()
}

/** The grants by which the account in this row is a manager: its own, and those of its groups. */
export async function managedBy(
  row: { readonly grants: string | null; readonly groups: string | null },
  read: Pick<ReadStore, 'get'>
): Promise<readonly Grant[]> {
  const groups = row.groups === null ? [] : await groupsOf(row, read)
  const held = [...grantsOf(row), ...groups.flatMap((group) => groupIn(group).grants)]
  return held.filter(({ role }) => role === 'manager')
}
