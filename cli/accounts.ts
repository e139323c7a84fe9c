import { SYSTEM_ID } from '../commands/user/system.js'
import { tokensTable } from '../projections/tokens.js'
import { usersTable } from '../projections/users.js'
import type { TokenRow, UserRow } from '../queries/callers.js'
import type { Ledger } from '../src/ledger.js'
import { CliError } from './errors.js'
import { userNamed } from './names.js'

/**
 * An account that a command is about to work on, by its id or name. Throws a `CliError` where there is none, and for the system
 * account.
 */
export async function changeableUser({ view }: Ledger, idOrName: string): Promise<UserRow> {
  const row = idOrName === SYSTEM_ID ? null : await userNamed(view, idOrName)
  if (!row || row.id === SYSTEM_ID)
    throw new CliError('The internal system account cannot be changed, deleted or given tokens.')
  return row
}

/** The row that a command has just made or changed. */
export async function currentUser({ view }: Ledger, id: string): Promise<UserRow> {
  const row = await view.get(usersTable, id)
  if (!row) throw new CliError('The user was deleted in the same moment.')
  return row
}

/** The token that a command has just made. */
export async function currentToken({ view }: Ledger, id: string): Promise<TokenRow> {
  const row = await view.get(tokensTable, id)
  if (!row) throw new CliError('The token was deleted in the same moment.')
  return row
}
