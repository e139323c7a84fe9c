import { errors } from '../../../src/errors.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { ReadStore, Row } from '../../../src/storage/storage.js'
import { type Caller, type Context, type Deciders, requireAccountAdmin, requireAdmin } from '../../context.js'
import { joinedByRules } from '../group/decide.js'
import { pendingRevoked } from '../invitation/decide.js'
import { tokensInForce } from '../token/decide.js'
import { emitToken } from '../token/events.js'
import {
  decideNewToken,
  decideNewUser,
  type IssuedToken,
  isNameTaken,
  ownedUser,
  requireManaged,
  tokensWhereFull
} from '../user/decide.js'
import type { Account } from '../user/events.js'
import { emitIdentity } from './events.js'
import { identitiesTable, signInsTable } from './table.js'

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
      /** The token of the session that the browser had before, which ends with this; null where it had none. */
      readonly replaces: string | null
      readonly token: IssuedToken & { readonly expiresAt: string }
      readonly tokenName: string
      readonly newIds: { readonly identity: string; readonly user: string }
      readonly account: Account | null
      /** The rules of the provider that make them a member of groups. */
      readonly rules: readonly { readonly value: string; readonly group: string }[]
    }
  /** Whoever signs in as this subject is the account: the caller's own, or for administrators any. */
  | { readonly type: 'BindIdentity'; readonly id: string; readonly userId: string; readonly subject: Subject }
  | { readonly type: 'UnbindIdentity'; readonly id: string }
  /** The caller's own sessions that sign-ins have given end, all of them. */
  | { readonly type: 'EndOwnSessions' }
  /**
   * The provider has logged somebody out, or lets them in no more: every token and pending invitation of their account ends. A
   * `session` that it names must be theirs.
   */
  | {
      readonly type: 'EndSignIns'
      readonly key: string
      readonly session: string | null
      readonly reason: 'provider' | 'notAllowed'
    }
  /** The provider has ended a session without saying whose, or does not stand by the one with this token any more: it ends alone. */
  | { readonly type: 'EndSession'; readonly of: { readonly session: string } | { readonly tokenId: string } }

type IdentityRow = Row<typeof identitiesTable.columns>

/** Decides on who signs in with a provider, and as which account. */
export const identityDeciders: Deciders<IdentityCommand> = {
  async SignIn({ subject, session, replaces, token, tokenName, newIds, account, rules }, context) {
    requireAdmin(context.caller)
    const known = await bySubject(subject.key, context.read)
    if (!known && !account) throw errors.notBound(subject.name)
    const id = known?.id ?? newIds.identity
    const userId = known?.userId ?? newIds.user
    const row = known ? await ownedUser(userId, context.read) : { id: userId, groups: null, disabledAt: null }
    if (row.disabledAt !== null) throw errors.accountDisabled()
    const made = known || !account ? [] : await newcomer(newIds, account, subject, context)
    const { tokenId, expiresAt } = token
    const signedIn = emitIdentity(id, 'IdentitySignedIn', { userId, tokenId, expiresAt, session })
    const before = replaces === null ? null : await context.read.get(signInsTable, replaces)
    const replaced = inForce(before ? [before] : [], context.now)
    const ended = revoked(replaced.length > 0 ? replaced : await oldestSessionWhereFull(userId, context))
    const moved = await joinedByRules(row, subject.provider, rules, context.read)
    return [...ended, ...made, await decideNewToken(userId, tokenName, token, context), signedIn, ...moved]
  },
  async BindIdentity({ id, userId, subject }, { caller, read }) {
    if (userId !== caller.userId) requireAccountAdmin(caller)
    const row = await ownedUser(userId, read)
    if (userId !== caller.userId) requireManaged(caller, row)
    if (row.isService) throw errors.serviceAccount()
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
  async EndOwnSessions(_, { caller, read, now }) {
    const identities = await read.list(identitiesTable, 'byUser', [caller.userId], { body: false })
    const ended: NewEvent[] = []
    for (const { id } of identities) {
      const tokens = inForce(await read.list(signInsTable, 'byIdentity', [id]), now)
      if (tokens.length === 0) continue
      ended.push(...revoked(tokens), emitIdentity(id, 'IdentitySignedOut', { reason: 'self', tokens }))
    }
    return ended
  },
  async EndSignIns({ key, session, reason }, { caller, read, now }) {
    requireAdmin(caller)
    const identity = await bySubject(key, read)
    const named = session === null ? [] : await read.list(signInsTable, 'bySession', [session])
    if (!identity || named.some(({ identityId }) => identityId !== identity.id)) return []
    const tokens = await tokensInForce(identity.userId, read, now)
    const over = await pendingRevoked(identity.userId, read, now)
    if (tokens.length + over.length === 0) return []
    return [...revoked(tokens), ...over, emitIdentity(identity.id, 'IdentitySignedOut', { reason, tokens })]
  },
  async EndSession({ of }, { caller, read, now }) {
    requireAdmin(caller)
    const one = 'tokenId' in of ? await read.get(signInsTable, of.tokenId) : null
    const rows = 'session' in of ? await read.list(signInsTable, 'bySession', [of.session]) : one ? [one] : []
    return [...new Set(rows.map(({ identityId }) => identityId))].flatMap((id) => {
      const own = rows.filter(({ identityId }) => identityId === id)
      const tokens = inForce(own, now)
      if (tokens.length === 0) return []
      return [...revoked(tokens), emitIdentity(id, 'IdentitySignedOut', { reason: 'provider', tokens })]
    })
  }
}

/** The identity of a subject; null where it is bound to no account. */
export async function bySubject(key: string, read: Pick<ReadStore, 'list'>): Promise<IdentityRow | null> {
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
  if (row?.userId === caller.userId) return row
  if (!row || (caller.role !== 'admin' && caller.role !== 'accountAdmin')) throw errors.notFound('Sign-in')
  requireManaged(caller, await ownedUser(row.userId, read))
  return row
}

/** The session that ends for another one: the oldest of an account that has as many tokens as it may; none where there is room. */
async function oldestSessionWhereFull(userId: string, context: Context): Promise<readonly string[]> {
  const tokens = await tokensWhereFull(userId, context)
  const sessions = new Set((await context.read.getAll(signInsTable, tokens, { body: false })).map(({ id }) => id))
  const oldest = tokens.findLast((id) => sessions.has(id))
  if (tokens.length > 0 && oldest === undefined) throw errors.tooManyTokens()
  return oldest === undefined ? [] : [oldest]
}

/** The tokens of sign-ins that have not ended by themselves. */
function inForce(signIns: readonly { readonly id: string; readonly expiresAt: string }[], now: string) {
  return signIns.filter(({ expiresAt }) => expiresAt > now).map(({ id }) => id)
}

function revoked(tokens: readonly string[]): readonly NewEvent[] {
  return tokens.map((id) => emitToken(id, 'TokenRevoked', {}))
}
