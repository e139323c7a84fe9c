import type { FastifyRequest } from 'fastify'
import { errors, HubError } from '../errors.js'
import { throttleKeyOfInvitations } from '../throttle/throttle.js'
import { countFailure } from './failedLogin.js'

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
