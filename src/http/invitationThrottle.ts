import type { FastifyRequest } from 'fastify'
import { errors, HubError } from '../errors.js'
import { throttleKeyOfInvitations } from '../throttle/throttle.js'
import { countFailure } from './failedLogin.js'

/**
 * Runs `work` for somebody without a token, unless their address has tried too many secrets: 429 then, and 503 when the
 * throttle store or the database does not answer. An unknown or spent secret counts as a failure, a malformed one does not;
 * success forgets the failures. The key is the invitations' own, so that nothing else is blocked by it.
 */
export async function throttledByAddress<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const { throttle, ledger, config } = request.hub
  const key = throttleKeyOfInvitations(request.ip)
  const [{ blocked, failures }] = await Promise.all([throttle.check(key), ledger.view.current()])
  if (blocked) throw errors.tooManyRequests(config.redis.blockSeconds)
  try {
    const result = await work()
    if (failures > 0) await throttle.clear(key)
    return result
  } catch (error) {
    const isGuess = error instanceof HubError && (error.status === 404 || error.status === 410)
    if (isGuess) await countFailure(request, key, config.redis, 'invitations')
    throw error
  }
}
