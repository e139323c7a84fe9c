import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { systemAgent } from '../ledger.js'
import type { ThrottlePolicy } from '../throttle/throttle.js'

/**
 * Counts a failed authentication under a key. The one that blocks the key is kept in the log, with the address it came
 * from; `secrets` says whose failures the key counts.
 */
export async function countFailure(
  { hub, ip, id: requestId }: FastifyRequest,
  key: string,
  policy: ThrottlePolicy,
  secrets: 'one' | 'any' | 'invitations'
): Promise<void> {
  const failures = await hub.throttle.fail(key, policy)
  if (failures !== policy.maxFailures) return
  const data = { secrets, seconds: policy.blockSeconds }
  await hub.ledger.run(
    { type: 'RecordLoginBlocked', id: randomUUID(), data },
    { ...systemAgent, address: ip, requestId }
  )
}
