import type { Caller } from '../../context.js'
import { cutToScopes } from '../token/scopes.js'
import { eachAccessList, noAccess } from './events.js'

/** The internal account: it acts for migrations and the command line and is protected from every change. */
export const SYSTEM_ID = '00000000-0000-0000-0000-000000000000'
export const SYSTEM_NAME = 'system'

/** The system account as a caller: an administrator without a token. */
export const systemCaller: Caller = {
  userId: SYSTEM_ID,
  name: SYSTEM_NAME,
  role: 'admin',
  tokenId: null,
  scopes: null,
  viewed: [],
  ...noAccess
}

/** The system account as it works on records: a user with access to everything. For commands given on the host. */
export const systemEditor: Caller = asEditor(systemCaller)

/** An administrator working on records, as a user with access to everything that the token is not kept from. */
export function asEditor(caller: Caller): Caller {
  return cutToScopes({ ...caller, role: 'user', ...eachAccessList(['*']) })
}
