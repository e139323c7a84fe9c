import { errors } from '../../../src/errors.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { ReadStore } from '../../../src/storage/storage.js'
import { type Context, type Deciders, requireAccountAdmin } from '../../context.js'
import { budgetIn, withSuccessors } from '../../llm/budget/counting.js'
import { emitBudget } from '../../llm/budget/events.js'
import { llmBudgetsTable } from '../../llm/budget/table.js'
import { nameOf } from '../../record.js'
import { existing } from '../../records/kind.js'
import { signInsTable } from '../identity/table.js'
import { pendingRevoked } from '../invitation/decide.js'
import {
  decideNewToken,
  type IssuedToken,
  ownedUser,
  requireManaged,
  requireRoomForToken,
  tokenLike
} from '../user/decide.js'
import { SYSTEM_ID } from '../user/system.js'
import { emitToken } from './events.js'
import { isInForce, limitsOf, tokensTable } from './table.js'

export type TokenCommand =
  | ({ readonly type: 'CreateToken'; readonly userId: string; readonly name: string } & IssuedToken)
  /** One of the caller's own account. */
  | ({ readonly type: 'CreateOwnToken'; readonly name: string } & IssuedToken)
  /** A new token in place of one that was issued, which is in force until a time, no longer than it was to be. */
  | {
      readonly type: 'RotateToken'
      readonly id: string
      readonly until: string
      readonly token: Omit<IssuedToken, 'agentWrites' | 'scopes'>
    }
  | { readonly type: 'RevokeToken'; readonly id: string }
  | { readonly type: 'RevokeOwnToken'; readonly id: string }
  /** Those of an account that are in force: all, or those alone that are sessions of browsers. */
  | { readonly type: 'RevokeTokensOf'; readonly userId: string; readonly which: 'all' | 'sessions' }
  | { readonly type: 'DeleteToken'; readonly id: string }

/**
 * Decides on one API token. No token of the system account is made or deleted, and only the command line revokes one. Everybody
 * revokes their own.
 */
export const tokenDeciders: Deciders<TokenCommand> = {
  async CreateToken(command, context) {
    requireAccountAdmin(context.caller)
    requireManaged(context.caller, await ownedUser(command.userId, context.read))
    return [await decideNewToken(command.userId, command.name, command, context)]
  },
  async CreateOwnToken(command, context) {
    const { userId } = context.caller
    await ownedUser(userId, context.read)
    await requireRoomForToken(userId, context)
    return [await decideNewToken(userId, command.name, command, context)]
  },
  async RotateToken({ id, until, token }, context) {
    const row = await existingToken(id, false, context)
    if (!isInForce(row, context.now)) throw errors.tokenOver()
    if (await context.read.get(signInsTable, id)) throw errors.sessionNotRotated()
    const next = tokenLike(row.userId, nameOf(row), { ...token, ...limitsOf(row) }, context.now)
    const expiresAt = row.expiresAt !== null && row.expiresAt < until ? row.expiresAt : until
    const moved = await movedBudgets(id, token.tokenId, context.read)
    return [next, emitToken(id, 'TokenReplaced', { by: token.tokenId, expiresAt }), ...moved]
  },
  async RevokeToken({ id }, context) {
    const { userId, tokenId } = context.caller
    // Those of the system account came from an older hub: whoever has the host may revoke them.
    const isOnHost = userId === SYSTEM_ID && tokenId === null
    const { revokedAt } = await existingToken(id, isOnHost, context)
    return revokedAt ? [] : [emitToken(id, 'TokenRevoked', {})]
  },
  async RevokeOwnToken({ id }, { caller, read }) {
    const row = await existing({ title: 'Token', table: tokensTable }, id, read)
    // That of somebody else is not even there.
    if (row.userId !== caller.userId) throw errors.notFound('Token')
    return row.revokedAt ? [] : [emitToken(id, 'TokenRevoked', {})]
  },
  async RevokeTokensOf({ userId, which }, { caller, read, now }) {
    requireAccountAdmin(caller)
    requireManaged(caller, await ownedUser(userId, read))
    const inForce = await tokensInForce(userId, read, now)
    const ending =
      which === 'all' ? inForce : (await read.getAll(signInsTable, inForce, { body: false })).map(({ id }) => id)
    // Who has a token could have made a link for one more.
    const links = which === 'all' ? await pendingRevoked(userId, read, now) : []
    return [...ending.map((id) => emitToken(id, 'TokenRevoked', {})), ...links]
  },
  async DeleteToken({ id }, context) {
    await existingToken(id, false, context)
    return [emitToken(id, 'TokenDeleted', {})]
  }
}

/** The budgets of a token count the one that takes its place from now on, and by that the one before it. */
async function movedBudgets(id: string, by: string, read: ReadStore): Promise<readonly NewEvent[]> {
  const successors = await withSuccessors(id, read)
  const all = await read.list(llmBudgetsTable, 'byName', [], { body: false })
  const rows = all.filter(({ subjectId }) => subjectId !== null && successors.has(subjectId))
  if (rows.some(({ subjectId }) => subjectId !== id)) throw errors.tokenReplaced()
  return rows.map((row) => emitBudget(row.id, 'LlmBudgetUpdated', { ...budgetIn(row), subjectId: by }))
}

/** The ids of an account's tokens that are neither revoked nor over. */
export async function tokensInForce(userId: string, read: ReadStore, now: string): Promise<string[]> {
  const rows = await read.list(tokensTable, 'byUser', [userId], { body: false })
  return rows.filter((row) => isInForce(row, now)).map(({ id }) => id)
}

/** The row of a token for an administrator, or 404; 403 for one of the system account, unless those are meant too. */
async function existingToken(id: string, ofSystemToo: boolean, context: Context) {
  const { caller, read } = context
  requireAccountAdmin(caller)
  const row = await existing({ title: 'Token', table: tokensTable }, id, read)
  if (row.userId === SYSTEM_ID && ofSystemToo) return row
  requireManaged(caller, await ownedUser(row.userId, read))
  return row
}
