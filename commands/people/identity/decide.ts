import { identitiesTable, signInsTable } from '../../../projections/identities.js'
import { errors } from '../../../src/errors.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { ReadStore, Row } from '../../../src/storage/storage.js'
import { type Caller, type Context, type Deciders, requireAdmin } from '../../context.js'
import { emitToken } from '../token/events.js'
import { decideNewToken, decideNewUser, type IssuedToken, isNameTaken, ownedUser } from '../user/decide.js'
import type { Account } from '../user/events.js'
import { emitIdentity } from './events.js'

/** Somebody as a provider knows them. */
export interface Subject {
  /** The id of the provider in the configuration. */
  readonly provider: string
  readonly issuer: string
  readonly subject: string
  /** What the provider calls them. */
  readonly name: string
  /** The sha256 of issuer and subject. */
  readonly key: string
}

export type IdentityCommand =
  /** The hub has verified who it is. Whoever is not bound gets `account`, where the hub makes one for them. */
  | {
      readonly type: 'SignIn'
      readonly subject: Subject
      /** The sha256 of the issuer and what it calls the session. */
      readonly session: string | null
      readonly token: IssuedToken & { readonly expiresAt: string }
      readonly tokenName: string
      readonly newIds: { readonly identity: string; readonly user: string }
      readonly account: Account | null
    }
  /** Whoever signs in as this subject is the account: the caller's own, or for administrators any. */
  | { readonly type: 'BindIdentity'; readonly id: string; readonly userId: string; readonly subject: Subject }
  | { readonly type: 'UnbindIdentity'; readonly id: string }
  /** The provider has ended the sessions of somebody, one of them, or lets them in no more. */
  | {
      readonly type: 'EndSignIns'
      readonly key: string | null
      readonly session: string | null
      readonly reason: 'provider' | 'notAllowed'
    }

type IdentityRow = Row<typeof identitiesTable.columns>

/** Decides on who signs in with a provider, and as which account. */
export const identityDeciders: Deciders<IdentityCommand> = {
  async SignIn({ subject, session, token, tokenName, newIds, account }, context) {
    requireAdmin(context.caller)
    const known = await bySubject(subject.key, context.read)
    if (!known && !account) throw errors.notBound(subject.name)
    const id = known?.id ?? newIds.identity
    const userId = known?.userId ?? newIds.user
    const made = known || !account ? [] : await newcomer(newIds, account, subject, context)
    const { tokenId, expiresAt } = token
    const signedIn = emitIdentity(id, 'IdentitySignedIn', { userId, tokenId, expiresAt, session })
    return [...made, await decideNewToken(userId, tokenName, token, context), signedIn]
  },
  async BindIdentity({ id, userId, subject }, { caller, read }) {
    if (userId !== caller.userId) requireAdmin(caller)
    await ownedUser(userId, read)
    const known = await bySubject(subject.key, read)
    if (known && known.userId !== userId) throw errors.boundElsewhere(subject.name)
    return known ? [] : [emitIdentity(id, 'IdentityBound', { userId, ...subject })]
  },
  async UnbindIdentity({ id }, { caller, read, now }) {
    const row = await visibleIdentity(id, caller, read)
    const signIns = await read.list(signInsTable, 'byIdentity', [row.id])
    const tokens = inForce(signIns, now)
    return [...revoked(tokens), emitIdentity(id, 'IdentityUnbound', { tokens })]
  },
  async EndSignIns({ key, session, reason }, { caller, read, now }) {
    requireAdmin(caller)
    const rows = await signInsOf(key, session, read)
    return [...new Set(rows.map(({ identityId }) => identityId))].flatMap((id) => {
      const tokens = inForce(
        rows.filter(({ identityId }) => identityId === id),
        now
      )
      return [...revoked(tokens), emitIdentity(id, 'IdentitySignedOut', { reason, tokens })]
    })
  }
}

/** The identity of a subject; null where it is bound to no account. */
export async function bySubject(key: string, read: ReadStore): Promise<IdentityRow | null> {
  return (await read.list(identitiesTable, 'bySubject', [key], { limit: 1 }))[0] ?? null
}

async function newcomer(
  newIds: { readonly identity: string; readonly user: string },
  account: Account,
  subject: Subject,
  context: Context
): Promise<readonly NewEvent[]> {
  if (await isNameTaken(context.read, account.name)) throw errors.newcomerNameTaken(account.name)
  const bound = emitIdentity(newIds.identity, 'IdentityBound', { userId: newIds.user, ...subject })
  return [...(await decideNewUser(newIds.user, account, undefined, context)), bound]
}

/** One of the caller's own, or for administrators any; that of somebody else is not even there. */
async function visibleIdentity(id: string, caller: Caller, read: ReadStore): Promise<IdentityRow> {
  const row = await read.get(identitiesTable, id)
  if (!row || (row.userId !== caller.userId && caller.role !== 'admin')) throw errors.notFound('Sign-in')
  return row
}

async function signInsOf(key: string | null, session: string | null, read: ReadStore) {
  const identity = key === null ? null : await bySubject(key, read)
  if (key !== null && !identity) return []
  if (session !== null) {
    const rows = await read.list(signInsTable, 'bySession', [session])
    return identity ? rows.filter(({ identityId }) => identityId === identity.id) : rows
  }
  return identity ? read.list(signInsTable, 'byIdentity', [identity.id]) : []
}

/** The tokens of sign-ins that have not ended by themselves. */
function inForce(signIns: readonly { readonly id: string; readonly expiresAt: string }[], now: string) {
  return signIns.filter(({ expiresAt }) => expiresAt > now).map(({ id }) => id)
}

function revoked(tokens: readonly string[]): readonly NewEvent[] {
  return tokens.map((id) => emitToken(id, 'TokenRevoked', {}))
}
