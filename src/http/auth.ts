import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../commands/context.js'
import { tokensTable } from '../../projections/tokens.js'
import { callerOf, type TokenRow, tokenByHash } from '../../queries/callers.js'
import { errors, HubError } from '../errors.js'
import { systemOrigin } from '../ledger.js'
import type { CachedReads } from '../log/cachedReads.js'
import { sha256 } from '../log/chain.js'
import {
  type Counter,
  type FailuresWith,
  throttleKey,
  throttleKeyOfAddress,
  throttleKeyOfInvitations
} from '../throttle/throttle.js'

/** Who sent a request, and with which token. */
export interface AuthenticatedCaller {
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
export async function authenticate(request: FastifyRequest): Promise<AuthenticatedCaller> {
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
function knownToken(view: CachedReads, hash: string): Promise<TokenRow | null> {
  return view.cached(
    `token/${hash}`,
    [{ table: tokensTable, scope: hash }],
    (token) => (token ? TOKEN_BYTES : Number.POSITIVE_INFINITY),
    () => tokenByHash(view, hash)
  )
}

/** Where a failed authentication is counted; `failuresWith` says which failures the key counts. */
export interface LoginCounter extends Counter {
  readonly failuresWith: FailuresWith
}

/**
 * Counts a failed authentication under its keys, or throws 429 where one of them is blocked. Each block that begins with it
 * is kept in the log, with the address it came from.
 */
async function countFailure(
  { hub, ip, id: requestId }: FastifyRequest,
  counters: readonly LoginCounter[]
): Promise<void> {
  const { refused, blocks } = await hub.throttle.fail(counters)
  if (refused) throw errors.tooManyRequests(hub.config.redis.blockSeconds)
  const begun = counters.filter(({ key }) => blocks.includes(key))
  await Promise.all(
    begun.map(({ failuresWith, policy }) => {
      const data = { failuresWith, blockedSeconds: policy.blockSeconds }
      const origin = { ...systemOrigin, address: ip, requestId }
      return hub.ledger.run({ type: 'RecordLoginBlocked', id: randomUUID(), data }, origin)
    })
  )
}

/**
 * Runs `work` for somebody without a token, unless their address has tried too many secrets: 429 then, and 503 when the
 * throttle store or the database does not answer. An unknown or spent secret counts as a failure, a malformed one does not;
 * a success forgets none: whoever holds one invitation may not guess others for it. Of guesses that are tried together only
 * as many are answered as are allowed. The key is the invitations' own, so that nothing else is blocked by it.
 */
export async function throttledByAddress<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const { throttle, ledger, config } = request.hub
  const key = throttleKeyOfInvitations(request.ip)
  const [{ blocked }] = await Promise.all([throttle.check(key), ledger.view.current()])
  if (blocked) throw errors.tooManyRequests(config.redis.blockSeconds)
  try {
    return await work()
  } catch (error) {
    const isGuess = error instanceof HubError && (error.status === 404 || error.status === 410)
    if (isGuess) await countFailure(request, [{ key, policy: config.redis, failuresWith: 'invitations' }])
    throw error
  }
}
