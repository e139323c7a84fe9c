import { errors } from '../../../src/errors.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { ReadStore, Row } from '../../../src/storage/storage.js'
import { type Deciders, requireAccountAdmin } from '../../context.js'
import type { AvatarChanges } from '../avatar/avatar.js'
import { isInForce, tokensTable } from '../token/table.js'
import {
  decideNewToken,
  decideNewUser,
  type IssuedToken,
  ownedUser,
  requireManaged,
  requireRoomForToken
} from '../user/decide.js'
import type { Account } from '../user/events.js'
import { usersTable } from '../user/table.js'
import { emitInvitation } from './events.js'
import { invitationsTable } from './table.js'

/** An invitation as it is issued: the hub has drawn the secret and kept only its hash. */
export interface IssuedInvitation {
  readonly invitationId: string
  readonly prefix: string
  readonly hash: string
  /** ISO 8601; in the past, the invitation is over before it began. */
  readonly expiresAt: string
}

export type InvitationCommand =
  /** A new account together with an invitation instead of a token. */
  | {
      readonly type: 'InviteUser'
      readonly id: string
      readonly account: Account
      readonly avatar?: AvatarChanges
      readonly invitation: IssuedInvitation
    }
  | { readonly type: 'CreateInvitation'; readonly userId: string; readonly invitation: IssuedInvitation }
  /** For the caller's own account: a further token of it, where the caller cannot bring one. */
  | { readonly type: 'CreateOwnInvitation'; readonly invitation: IssuedInvitation }
  | { readonly type: 'RevokeInvitation'; readonly id: string }
  /** Whoever holds the secret gets a token, once. `hash` is the secret's. */
  | {
      readonly type: 'RedeemInvitation'
      readonly hash: string
      readonly token: IssuedToken
      readonly tokenName: string | undefined
    }

export type InvitationStatus = 'pending' | 'redeemed' | 'revoked' | 'expired'
type InvitationRow = Row<typeof invitationsTable.columns>

/** The state of an invitation at a moment. Only a pending one can be redeemed or revoked. */
export function statusOf({ redeemedAt, revokedAt, expiresAt }: InvitationRow, now: string): InvitationStatus {
  if (redeemedAt !== null) return 'redeemed'
  if (revokedAt !== null) return 'revoked'
  return expiresAt <= now ? 'expired' : 'pending'
}

/** Decides on invitations: pending until redeemed, revoked or expired, whichever is first. */
export const invitationDeciders: Deciders<InvitationCommand> = {
  async InviteUser({ id, account, avatar, invitation }, context) {
    const created = await decideNewUser(id, account, avatar, context)
    return [...created, invited(id, invitation)]
  },
  async CreateInvitation({ userId, invitation }, { caller, read }) {
    requireAccountAdmin(caller)
    requireManaged(caller, await ownedUser(userId, read))
    return [invited(userId, invitation)]
  },
  async CreateOwnInvitation({ invitation }, { caller, read }) {
    await ownedUser(caller.userId, read)
    return [invited(caller.userId, invitation)]
  },
  async RevokeInvitation({ id }, { caller, read, now }) {
    requireAccountAdmin(caller)
    const row = await read.get(invitationsTable, id)
    if (!row || statusOf(row, now) !== 'pending') throw errors.invitationNotRevocable()
    requireManaged(caller, await ownedUser(row.userId, read))
    return [emitInvitation(id, 'InvitationRevoked', {})]
  },
  async RedeemInvitation({ hash, token, tokenName }, context) {
    const { read, now } = context
    const { id, userId, user, madeWith } = await pendingInvitation(hash, now, read)
    if (madeWith !== null) await requireRoomForToken(userId, context)
    // Whoever redeems an invitation does not decide what agents may do.
    const created = await decideNewToken(userId, tokenName ?? user.name, { ...token, agentWrites: false }, context)
    return [emitInvitation(id, 'InvitationRedeemed', { tokenId: token.tokenId }), created]
  }
}

/**
 * The pending invitation with this hash of its secret, and the account that it lets in: 404 for an unknown one, 410 for one that is over, as
 * that which somebody has made for themselves is with the token that it was made with, and for an account that is disabled.
 */
export async function pendingInvitation(hash: string, now: string, read: ReadStore) {
  const [row] = await read.list(invitationsTable, 'byHash', [hash], { limit: 1 })
  if (!row) throw errors.invitationUnknown()
  if (statusOf(row, now) !== 'pending') throw errors.invitationOver()
  const user = await read.get(usersTable, row.userId)
  if (!user) throw errors.invitationUnknown()
  if (user.disabledAt !== null) throw errors.invitationOver()
  const token = row.madeWith === null ? null : await read.get(tokensTable, row.madeWith)
  if (row.madeWith !== null && !(token && isInForce(token, now))) throw errors.invitationOver()
  return { ...row, user }
}

function invited(userId: string, { invitationId, prefix, hash, expiresAt }: IssuedInvitation): NewEvent {
  return emitInvitation(invitationId, 'InvitationCreated', { userId, hash, prefix, expiresAt })
}

/** The events by which no invitation of an account lets anybody in any more, links to a desktop among them. */
export async function pendingRevoked(userId: string, read: ReadStore, now: string): Promise<readonly NewEvent[]> {
  const rows = await read.list(invitationsTable, 'byUser', [userId])
  const pending = rows.filter((row) => statusOf(row, now) === 'pending')
  return pending.map(({ id }) => emitInvitation(id, 'InvitationRevoked', {}))
}
