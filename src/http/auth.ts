import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../commands/context.js'
import { tokensTable } from '../../projections/tokens.js'
import { callerOf, type TokenRow, tokenByHash } from '../../queries/callers.js'
import { errors } from '../errors.js'
import { sha256 } from '../log/chain.js'
import type { View } from '../log/view.js'
import { throttleKey, throttleKeyOfAddress } from '../throttle/throttle.js'
import { countFailure } from './failedLogin.js'

/** Who sent a request, and with which token. */
export interface Session {
  readonly caller: Caller
  readonly token: TokenRow
}

/**
 * Finds the account behind a request's bearer token (sections 3 and 5 of the interface): 401 when there is none, 429 while
 * the address is blocked for that token, 503 when the throttle store or the database does not answer.
 * Failures are also counted by address alone, up to a higher number, so that guesses which change are held up as well; that
 * ceiling refuses nobody whose token is known.
 * The caches are as new as the log when this resolves.
 */
export async function authenticate(request: FastifyRequest): Promise<Session> {
  const { throttle, ledger, config } = request.hub
  const secret = bearerToken(request.headers.authorization)
  const hash = secret === null ? null : sha256(secret)
  const key = throttleKey(request.ip, hash)
  const [{ blocked, failures }] = await Promise.all([throttle.check(key), ledger.view.current()])
  if (blocked) throw errors.tooManyRequests(config.redis.blockSeconds)
  const token = hash === null ? null : await knownToken(ledger.view, hash)
  const caller = await callerOf(ledger.view, token)
  if (!token || !caller) {
    const ceiling = { ...config.redis, maxFailures: config.redis.maxFailuresPerAddress }
    await countFailure(request, [
      { key, policy: config.redis, failuresWith: 'oneSecret' },
      { key: throttleKeyOfAddress(request.ip), policy: ceiling, failuresWith: 'anySecret' }
    ])
    throw errors.unauthorized()
  }
  if (failures > 0) await throttle.clear(key)
  ledger.uses.note(token.id)
  return { caller, token }
}

/** Exactly one token behind the scheme, in whatever case; anything else counts as no token. */
export function bearerToken(header: string | undefined): string | null {
  return /^bearer +(\S+)$/i.exec(header?.trim() ?? '')?.[1] ?? null
}

const TOKEN_BYTES = 500

/** A token by its hash. What is not found is not kept: guesses must not fill the cache. */
function knownToken(view: View, hash: string): Promise<TokenRow | null> {
  return view.cached(
    `token/${hash}`,
    [{ table: tokensTable, scope: hash }],
    (token) => (token ? TOKEN_BYTES : Number.POSITIVE_INFINITY),
    () => tokenByHash(view, hash)
  )
}
