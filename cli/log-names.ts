import { STREAM_KINDS } from '../commands/index.js'
import { isRecord } from '../commands/kinds.js'
import { accountsOnceNamed } from '../src/audit/formerNames.js'
import type { Ledger } from '../src/ledger.js'
import { nearest } from '../src/nearest.js'
import { CliError } from './errors.js'
import { findToken, findUser, severalNamed } from './names.js'
import { isInLog, recordId } from './record-names.js'

/**
 * The id of an account that is there, or else of one that the log knows, by its id or a name that it had. Throws a `CliError` where
 * there is none, or several were called so.
 */
export async function actorId(ledger: Ledger, text: string): Promise<string> {
  const user = await findUser(ledger.view, text)
  if (user) return user.id
  if (await isInLog(ledger, { streams: [`user-${text}`] })) return text
  const { accounts, names } = await accountsOnceNamed(ledger, text)
  const [first, ...others] = accounts.keys()
  if (first !== undefined && others.length === 0) return first
  if (first !== undefined) {
    const choices = [...accounts].map(([id, name]) => ({ id, name, where: 'was called so' }))
    throw severalNamed(text, 'accounts', choices)
  }
  if (await isInLog(ledger, { actorId: text })) return text
  const near = nearest(text, names)
  const help = near === undefined ? ['See: hub user list'] : [`Did you mean "${near}"?`]
  throw new CliError(`No account has or had the id or the name "${text}".`, { help })
}

/** The same of a token; of one that is gone by its id. */
export async function tokenId(ledger: Ledger, text: string): Promise<string> {
  const token = await findToken(ledger.view, text)
  if (token) return token.id
  // Those of accounts that are gone are in no list any more.
  if (await isInLog(ledger, { streams: [`token-${text}`] })) return text
  if (await isInLog(ledger, { tokenId: text })) return text
  throw new CliError(`No token has or had the id or the name "${text}".`, { help: ['See: hub user token list'] })
}

/** The same of anything that the log tells of; by its name where `kind` says what it is. */
export async function subjectId(ledger: Ledger, kind: string | undefined, text: string): Promise<string> {
  const streams = (kind === undefined ? STREAM_KINDS : [kind, 'audit', 'erasure']).map((one) => `${one}-${text}`)
  if (await isInLog(ledger, { streams })) return text
  if (kind === 'user') return actorId(ledger, text)
  if (kind === 'token') return tokenId(ledger, text)
  if (kind !== undefined && isRecord(kind)) return recordId(ledger, kind, text, 'live, then deleted')
  const help = kind === undefined ? ['With --kind its name will do, as in --kind collection --id Payments.'] : []
  throw new CliError(`The log knows nothing with the id "${text}".`, { help })
}
