import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { errors } from '../../errors.js'
import { boundedText, LIMITS } from '../../limits.js'
import { blockedAddresses, unblock } from '../../throttle/throttle.js'
import { block, listAnswer } from '../answers.js'
import { done, json } from '../reply.js'
import { routes } from '../route.js'

const address = z.object({
  address: boundedText(LIMITS.id)
    .pipe(z.union([z.ipv4(), z.ipv6(), z.cidrv6()], { error: 'must be an address that GET /admin/throttle tells of' }))
    .describe('The address, as `GET /admin/throttle` lists it.')
})

/** Who is blocked for failed authentications, and letting them try again: for administrators. */
export function adminThrottleRoutes(app: FastifyInstance): void {
  const route = routes(app, 'users')

  route('GET', '/admin/throttle', 'listBlockedAddresses', listAnswer('blocks', block), {
    summary: 'List the addresses that are blocked for failed authentications',
    about:
      'An address is blocked for one secret, for any secrets, or for secrets of invitations, and is in the list once for each. The list comes whole.',
    handle: async ({ hub }) => json({ blocks: await blockedAddresses(hub.throttle) })
  })

  route('DELETE', '/admin/throttle/:address', 'unblockAddress', null, {
    summary: 'Let an address try again',
    about: 'It ends every block of the address. 404 where there is none. The log says who did it.',
    params: address,
    handle: async ({ hub, params, origin }) => {
      const blocks = await unblock(hub.throttle, params.address)
      if (blocks === 0) throw errors.notFound('Block')
      const searched = { address: params.address }
      return done(
        hub.ledger.run({ type: 'RecordLoginsUnblocked', id: randomUUID(), data: { blocks } }, { ...origin, searched })
      )
    }
  })
}
