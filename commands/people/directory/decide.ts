import { usersTable } from '../../../projections/users.js'
import { errors } from '../../../src/errors.js'
import type { Context, Deciders } from '../../context.js'
import type { Target } from '../../records/kind.js'
import { bySubject, type Subject } from '../identity/decide.js'
import { emitIdentity } from '../identity/events.js'
import { decideNewUser, userDeciders } from '../user/decide.js'
import { type DirectoryDetails, emitUser, noAccess } from '../user/events.js'
import { detailsOf } from './details.js'

/** What a directory says of somebody: what they are called here, whether they are let in, null where it does not say, and the rest. */
export interface Provisioned {
  readonly name: string
  readonly isActive: boolean | null
  readonly details: DirectoryDetails
}

export type DirectoryCommand =
  /** A new account, which may use nothing yet. Where it says as whom they sign in, it is bound to that. */
  | {
      readonly type: 'ProvisionUser'
      readonly id: string
      readonly user: Provisioned
      readonly signIn: { readonly id: string; readonly subject: Subject } | null
    }
  /** An account is as the directory says from now on. */
  | ({ readonly type: 'UpdateProvisionedUser'; readonly user: Provisioned } & Target)

/** Decides on accounts that a directory keeps. */
export const directoryDeciders: Deciders<DirectoryCommand> = {
  async ProvisionUser({ id, user, signIn }, context) {
    const made = await decideNewUser(id, { name: user.name, role: 'user', ...noAccess }, undefined, context)
    if (signIn && (await bySubject(signIn.subject.key, context.read))) throw errors.boundElsewhere(signIn.subject.name)
    const bound = signIn ? [emitIdentity(signIn.id, 'IdentityBound', { userId: id, ...signIn.subject })] : []
    const disabled = user.isActive === false ? [emitUser(id, 'UserDisabled', { by: 'directory' })] : []
    return [...made, emitUser(id, 'UserProvisioned', user.details), ...bound, ...disabled]
  },
  async UpdateProvisionedUser({ id, user, ifRevision }, context) {
    const renamed = await userDeciders.UpdateUser(
      { type: 'UpdateUser', id, changes: { name: user.name }, ...(ifRevision && { ifRevision }) },
      context
    )
    return [...renamed, ...(await told(id, user, context)), ...(await letIn(id, user, context))]
  }
}

async function told(id: string, { details }: Provisioned, { read }: Context) {
  const row = await read.get(usersTable, id)
  const isSame = row && JSON.stringify(detailsOf(row)) === JSON.stringify(details)
  return isSame ? [] : [emitUser(id, 'UserProvisioned', details)]
}

/** A directory takes back what a directory has said, and nobody else's word. */
async function letIn(id: string, { isActive }: Provisioned, context: Context) {
  if (isActive === null) return []
  if (!isActive) return userDeciders.DisableUser({ type: 'DisableUser', id, by: 'directory' }, context)
  const row = await context.read.get(usersTable, id)
  return row?.disabledBy === 'directory' ? userDeciders.EnableUser({ type: 'EnableUser', id }, context) : []
}
