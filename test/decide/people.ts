import type { Caller } from '../../commands/context.js'
import { type Account, eachAccessList } from '../../commands/people/user/events.js'

const account: Omit<Account, 'name'> = {
  role: 'user',
  collectionAccess: ['*'],
  environmentAccess: ['*'],
  snippetAccess: ['*'],
  liveServerAccess: ['*'],
  livePageAccess: ['*'],
  llmAccess: false,
  llmModels: [],
  llmMonthlyTokenLimit: null
}

/** An account as it is decided about, of which only what matters is said. */
export function anAccount(name: string, changes: Partial<Account> = {}): Account {
  return { ...account, name, ...changes }
}

/** An administrator's account: no access lists, no LLM. */
export const anAdmin = (name: string): Account => anAccount(name, { role: 'admin', ...eachAccessList([]) })

function caller(userId: string, who: Account): Caller {
  return { ...who, userId, tokenId: `token-of-${userId}`, scopes: null, viewed: [] }
}

/** A token that may do all that its account may, and has no end. */
export const UNLIMITED = { agentWrites: false, expiresAt: null, scopes: null }

/** May do everything that a user may. */
export const ada = caller('ada', anAccount('Ada'))
/** The same, and somebody else. */
export const bob = caller('bob', anAccount('Bob'))
/** An administrator. */
export const ops = caller('ops', anAdmin('Ops'))
/** May do nothing. */
export const nil = caller('nil', anAccount('Nil', eachAccessList([])))
/** A user with other access than Ada's. */
export const someone = (changes: Partial<Account>): Caller => caller('sam', anAccount('Sam', changes))
/** May work inside these collections only. */
export const only = (...ids: readonly string[]): Caller =>
  caller('sue', anAccount('Sue', { collectionAccess: [...ids] }))
