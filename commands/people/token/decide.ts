import { tokensTable } from '../../../projections/tokens.js'
import { errors } from '../../../src/errors.js'
import { type Context, type Deciders, requireAdmin } from '../../context.js'
import { administered } from '../../records/kind.js'
import { type IssuedToken, ownedUser, tokenCreated } from '../user/decide.js'
import { SYSTEM_ID } from '../user/system.js'
import { emitToken } from './events.js'

export type TokenCommand =
  | ({ readonly type: 'CreateToken'; readonly userId: string; readonly name: string } & IssuedToken)
  | { readonly type: 'RevokeToken'; readonly id: string }
  | { readonly type: 'DeleteToken'; readonly id: string }

/** Decides on one API token. No token of the system account is made or deleted, and only the command line revokes one. */
export const tokenDeciders: Deciders<TokenCommand> = {
  async CreateToken(command, { caller, read }) {
    requireAdmin(caller)
    await ownedUser(command.userId, read)
    return [tokenCreated(command.userId, command.name, command)]
  },
  async RevokeToken({ id }, context) {
    const { userId, tokenId } = context.caller
    // Those of the system account came from an older hub: whoever has the host may revoke them.
    const isOnHost = userId === SYSTEM_ID && tokenId === null
    const { revokedAt } = await existingToken(id, isOnHost, context)
    return revokedAt ? [] : [emitToken(id, 'TokenRevoked', {})]
  },
  async DeleteToken({ id }, context) {
    await existingToken(id, false, context)
    return [emitToken(id, 'TokenDeleted', {})]
  }
}

/** The row of a token for an administrator, or 404; 403 for one of the system account, unless those are meant too. */
async function existingToken(id: string, ofSystemToo: boolean, context: Context) {
  const row = await administered({ title: 'Token', table: tokensTable }, { id }, context)
  if (row.userId === SYSTEM_ID && !ofSystemToo) throw errors.forbidden()
  return row
}
