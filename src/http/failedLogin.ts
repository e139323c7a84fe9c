import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { errors } from '../errors.js'
import { systemAgent } from '../ledger.js'
import type { Counter } from '../throttle/throttle.js'

/** Where a failed authentication is counted; `failuresWith` says which failures the key counts. */
export interface LoginCounter extends Counter {
  readonly failuresWith: 'oneSecret' | 'anySecret' | 'invitations'
}

/**
 * Counts a failed authentication under its keys, or throws 429 where one of them is blocked. Each block that begins with it
 * is kept in the log, with the address it came from.
 */
export async function countFailure(
  { hub, ip, id: requestId }: FastifyRequest,
  counters: readonly LoginCounter[]
): Promise<void> {
  const { refused, blocks } = await hub.throttle.fail(counters)
  if (refused) throw errors.tooManyRequests(hub.config.redis.blockSeconds)
  const begun = counters.filter(({ key }) => blocks.includes(key))
  await Promise.all(
    begun.map(({ failuresWith, policy }) => {
      const data = { failuresWith, blockedSeconds: policy.blockSeconds }
      const agent = { ...systemAgent, address: ip, requestId }
      return hub.ledger.run({ type: 'RecordLoginBlocked', id: randomUUID(), data }, agent)
    })
  )
}
