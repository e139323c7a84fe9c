import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { type Endpoint, refuses, works } from '../endpoint.js'
import type { World } from '../world.js'

async function aRequest(world: World) {
  return { params: { id: await world.request(await world.collection()) } }
}

/** A route that clients call though the interface does not list it. */
export const adminRequestEndpoints: readonly Endpoint[] = [
  {
    row: 'DELETE /admin/requests/:id',
    access: 'admin',
    success: 204,
    refusals: [403, 404],
    sample: aRequest,
    cases: [
      works('whoever created it: it goes', async (world) => {
        const { params } = await aRequest(world)
        return {
          params,
          check: async () => assert.is((await world.by(world.owner).get(`/requests/${params.id}`)).status, 404)
        }
      }),
      refuses(404, 'Request not found', 'an unknown request', () => ({ params: { id: randomUUID() } }))
    ]
  }
]
