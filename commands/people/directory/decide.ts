import { z } from 'zod'
import { errors } from '../../../src/errors.js'
import { LIMITS } from '../../../src/limits.js'
import type { NewEvent } from '../../../src/log/event.js'
import { type Context, type Deciders, requireAccountAdmin } from '../../context.js'
import { externalKey } from '../../keys.js'
import { existing, type Target } from '../../records/kind.js'
import { GROUP, groupDeciders, movedMembers } from '../group/decide.js'
import type { Group } from '../group/events.js'
import { memberIdsOf, membershipsOf } from '../group/membership.js'
import { bySubject, identityDeciders, type Subject } from '../identity/decide.js'
import { emitIdentity } from '../identity/events.js'
import { identitiesTable } from '../identity/table.js'
import { decideNewUser, ownedUser, userDeciders } from '../user/decide.js'
import { type DirectoryDetails, emitUser, noAccess } from '../user/events.js'
import { usersTable } from '../user/table.js'
import { detailsOf } from './details.js'
import { versionOf } from './version.js'

/** What a directory says of somebody: what they are called here, whether they are let in, null where it does not say, and the rest. */
export interface Provisioned {
  readonly name: string
  readonly isActive: boolean | null
  readonly details: DirectoryDetails
}

/** As whom somebody signs in. */
interface NewSignIn {
  readonly id: string
  readonly subject: Subject
}

/** What a directory says of a group: what it is called, here and there. */
export type ProvisionedGroup = Pick<Group, 'name' | 'externalId'>

/** What changes about who is in a group; `all` are everybody who is in it then, where that is said. */
export interface MembersChange {
  readonly add: readonly string[]
  readonly remove: readonly string[]
  readonly all: readonly string[] | null
}

export type DirectoryCommand =
  /** A new account, which may use nothing yet. Where it says as whom they sign in, it is bound to that. */
  | {
      readonly type: 'ProvisionUser'
      readonly id: string
      readonly user: Provisioned
      readonly signIn: NewSignIn | null
    }
  /**
   * An account is as the directory says from now on. Where that is a new external id, it is bound to whom that says, in place of whom
   * the one before said.
   */
  | ({ readonly type: 'UpdateProvisionedUser'; readonly user: Provisioned; readonly signIn: NewSignIn | null } & Target)
  /** A new group with its members, which gives them nothing yet. */
  | {
      readonly type: 'ProvisionGroup'
      readonly id: string
      readonly group: ProvisionedGroup
      readonly members: readonly string[]
    }
  /** A group, and who is in it, is as the directory says from now on. */
  | ({
      readonly type: 'UpdateProvisionedGroup'
      readonly changes: Partial<ProvisionedGroup>
      readonly members: MembersChange
    } & OfVersion &
      Target)
  | ({ readonly type: 'DeleteProvisionedGroup'; readonly id: string } & OfVersion)

/** The versions of a group that a directory expects, who is in it among them; any where it does not say. */
interface OfVersion {
  readonly ifVersion: readonly string[] | undefined
}

/** Decides on accounts and groups that a directory keeps. */
export const directoryDeciders: Deciders<DirectoryCommand> = {
  async ProvisionUser({ id, user, signIn }, context) {
    const made = await decideNewUser(id, { name: user.name, role: 'user', ...noAccess }, undefined, context)
    if (signIn && (await bySubject(signIn.subject.key, context.read))) throw errors.boundElsewhere(signIn.subject.name)
    const bound = signIn ? [emitIdentity(signIn.id, 'IdentityBound', { userId: id, ...signIn.subject })] : []
    const disabled = user.isActive === false ? [emitUser(id, 'UserDisabled', { by: 'directory' })] : []
    return [...made, emitUser(id, 'UserProvisioned', user.details), ...bound, ...disabled]
  },
  async UpdateProvisionedUser({ id, user, signIn, ifRevision }, context) {
    const renamed = await userDeciders.UpdateUser(
      { type: 'UpdateUser', id, changes: { name: user.name }, ...(ifRevision && { ifRevision }) },
      context
    )
    const told = [...(await provisioned(id, user, context)), ...(await bound(id, user, signIn, context))]
    return [...renamed, ...told, ...(await letIn(id, user, context))]
  },
  async ProvisionGroup({ id, group, members }, context) {
    const made = await groupDeciders.CreateGroup(
      { type: 'CreateGroup', id, group: { ...group, ...noAccess, grants: [] } },
      context
    )
    return [...made, ...(await moved(id, { add: members, remove: [], all: null }, context))]
  },
  async UpdateProvisionedGroup({ id, changes, members, ifRevision, ifVersion }, context) {
    await requireVersion(id, ifVersion, context)
    const update = { type: 'UpdateGroup', id, changes, ...(ifRevision && { ifRevision }) } as const
    const changed = await groupDeciders.UpdateGroup(update, context)
    return [...changed, ...(await moved(id, members, context))]
  },
  async DeleteProvisionedGroup({ id, ifVersion }, context) {
    await requireVersion(id, ifVersion, context)
    return groupDeciders.DeleteGroup({ type: 'DeleteGroup', id }, context)
  }
}

/** Refuses with 412 where a group, or who is in it, has changed; whoever manages no accounts learns nothing of that. */
async function requireVersion(id: string, expected: OfVersion['ifVersion'], { caller, read }: Context): Promise<void> {
  requireAccountAdmin(caller)
  if (!expected) return
  const { revision } = await existing(GROUP, id, read)
  if (!expected.includes(versionOf(revision, await memberIdsOf(id, read)))) throw errors.changed()
}

async function moved(id: string, change: MembersChange, context: Context) {
  const { add, remove } = change.all ? await toAll(id, change.all, context) : change
  if (add.length + remove.length > LIMITS.membersChanged.max) throw errors.tooManyMembers()
  return movedMembers({ id, add, remove, by: 'directory' }, context)
}

/** Who comes and who goes so that exactly these are in a group. */
async function toAll(id: string, all: readonly string[], { read }: Context) {
  const now = await memberIdsOf(id, read)
  const [before, after] = [new Set(now), new Set(all)]
  const byRule = await byRuleAmong(
    id,
    all.filter((one) => before.has(one)),
    read
  )
  const add = all.filter((one) => !before.has(one))
  return { add: [...add, ...byRule], remove: now.filter((one) => !after.has(one)) }
}

/** Those of these members of a group who are in it by a rule of a sign-in. */
async function byRuleAmong(id: string, members: readonly string[], read: Context['read']): Promise<readonly string[]> {
  const rows = await read.getAll(usersTable, members, { body: false })
  const isByRule = (row: (typeof rows)[number]) => membershipsOf(row).some((one) => one.id === id && one.by === 'rule')
  return rows.filter(isByRule).map((row) => row.id)
}

async function provisioned(id: string, { details }: Provisioned, { read }: Context) {
  const row = await read.get(usersTable, id)
  const isSame = row && JSON.stringify(detailsOf(row)) === JSON.stringify(details)
  return isSame ? [] : [emitUser(id, 'UserProvisioned', details)]
}

async function bound(id: string, { details }: Provisioned, signIn: NewSignIn | null, context: Context) {
  const row = await ownedUser(id, context.read)
  // Who keeps a directory becomes no administrator by it.
  if (!signIn || row.role !== 'user' || row.isService || details.externalId === detailsOf(row).externalId) return []
  const { subject } = signIn
  const now = await identityDeciders.BindIdentity({ type: 'BindIdentity', id: signIn.id, userId: id, subject }, context)
  const all = await context.read.list(identitiesTable, 'byUser', [id])
  const ended: NewEvent[] = []
  for (const { id, body } of all) {
    const known = subjectOf.parse(JSON.parse(body))
    const isOfBefore = externalKey(known.subject) === row.externalKey && known.subject !== subject.subject
    if (isOfBefore && bare(known.issuer) === bare(subject.issuer))
      ended.push(...(await identityDeciders.UnbindIdentity({ type: 'UnbindIdentity', id }, context)))
  }
  return [...ended, ...now]
}

const subjectOf = z.object({ issuer: z.string(), subject: z.string() })

/** A provider may call itself with a slash at the end that the configuration does not have, or the other way round. */
const bare = (issuer: string) => issuer.replace(/\/$/, '')

/** A directory takes back what a directory has said, and nobody else's word. */
async function letIn(id: string, { isActive }: Provisioned, context: Context) {
  if (isActive === null) return []
  if (!isActive) return userDeciders.DisableUser({ type: 'DisableUser', id, by: 'directory' }, context)
  const row = await context.read.get(usersTable, id)
  return row?.disabledBy === 'directory' ? userDeciders.EnableUser({ type: 'EnableUser', id }, context) : []
}
