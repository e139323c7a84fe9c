import * as assert from 'uvu/assert'
import { z } from 'zod'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { exactly } from '../shapes.js'
import { succeeded, type World } from '../world.js'

const block = z.strictObject({
  address: z.string(),
  failuresWith: z.enum(['oneSecret', 'anySecret', 'invitations']),
  seconds: z.int().positive()
})
const blocked = z.strictObject({ blocks: z.array(block) })

/** Blocks of an address that nothing else of these tests comes from. */
async function block3({ hub: { hub } }: World, address: string): Promise<void> {
  const policy = { maxFailures: 1, windowSeconds: 60, blockSeconds: 60 }
  for (const secret of ['any', 'invitation', 'none']) await hub.throttle.fail([{ key: `${address}:${secret}`, policy }])
}

/** Who is blocked for failed authentications. */
export const throttleEndpoints: readonly Endpoint[] = [
  {
    row: 'GET /admin/throttle',
    access: 'admin',
    success: 200,
    refusals: [403],
    sample: () => ({}),
    cases: [
      works(
        'each address with what it failed with and how long it has to wait; never a secret or its hash',
        async (world) => {
          await block3(world, '192.0.2.61')
          return {
            check: ({ body }) => {
              const own = exactly(blocked, body).blocks.filter(({ address }) => address === '192.0.2.61')
              assert.equal(own.map(({ failuresWith }) => failuresWith).sort(), [
                'anySecret',
                'invitations',
                'oneSecret'
              ])
            }
          }
        }
      )
    ]
  },
  {
    row: 'DELETE /admin/throttle/:address',
    access: 'admin',
    success: 204,
    refusals: [400, 403, 404],
    sample: async (world) => {
      await block3(world, '192.0.2.62')
      return { params: { address: '192.0.2.62' } }
    },
    cases: [
      works('the address may try again, and the log has who let it', async (world) => {
        await block3(world, '192.0.2.63')
        return {
          params: { address: '192.0.2.63' },
          check: async () => {
            const { get } = world.by(world.admin)
            assert.not.match((await get('/admin/throttle')).text, '192.0.2.63')
            const { text } = succeeded(await get('/admin/audit?type=LoginsUnblocked&limit=1'))
            assert.match(text, '"LoginsUnblocked"')
            assert.match(text, world.admin.name)
          }
        }
      }),
      refuses(400, null, 'no address', () => ({ params: { address: 'everybody' } })),
      works('a network, as it is told of', async (world) => {
        await block3(world, '2001:db8:7:7::/64')
        return { params: { address: encodeURIComponent('2001:db8:7:7::/64') } }
      }),
      refuses(404, 'Block not found', 'an address that is not blocked', () => ({ params: { address: '192.0.2.64' } }))
    ]
  }
]
