import { tokensTable } from '../../projections/tokens.js'
import { errors } from '../../src/errors.js'
import type { NewEvent } from '../../src/log/event.js'
import { type Context, requireAdmin } from '../context.js'
import { type IssuedToken, ownedUser } from '../user/decide.js'
import { SYSTEM_ID } from '../user/system.js'
import { emitToken } from './events.js'

export type TokenCommand =
  | ({ readonly type: 'CreateToken'; readonly userId: string; readonly name: string } & IssuedToken)
  | { readonly type: 'RevokeToken'; readonly id: string }
  | { readonly type: 'DeleteToken'; readonly id: string }

/** Decides on one API token. No token of the system account is made or deleted, and only the command line revokes one. */
export async function decideToken(command: TokenCommand, { caller, read }: Context): Promise<readonly NewEvent[]> {
  requireAdmin(caller)
  if (command.type === 'CreateToken') {
    const { tokenId, userId, name, prefix, hash, agentWrites = false } = command
    await ownedUser(userId, read)
    return [emitToken(tokenId, 'TokenCreated', { userId, name, prefix, hash, agentWrites })]
  }
  const token = await read.get(tokensTable, command.id)
  if (!token) throw errors.notFound('Token')
  // Those of the system account came from an older hub: whoever has the host may revoke them.
  const isOnHost = caller.userId === SYSTEM_ID && caller.tokenId === null
  if (token.userId === SYSTEM_ID && !(isOnHost && command.type === 'RevokeToken')) throw errors.forbidden()
  if (command.type === 'DeleteToken') return [emitToken(command.id, 'TokenDeleted', {})]
  return token.revokedAt ? [] : [emitToken(command.id, 'TokenRevoked', {})]
}
