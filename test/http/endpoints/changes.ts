import * as assert from 'uvu/assert'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { changePage, exactly } from '../shapes.js'

/** The feed, as pollers ask for it; what follows it over an open connection is in changes.test.ts. */
export const changeEndpoints: readonly Endpoint[] = [
  {
    row: 'GET /changes',
    access: 'any',
    success: 200,
    refusals: [400],
    sample: () => ({ query: 'after=0' }),
    cases: [
      works('a page of what happened behind a position', async (world) => {
        const after = world.position()
        const id = await world.collection()
        return {
          query: `after=${after}`,
          by: world.owner,
          check: ({ body }) => {
            const { changes, position, more } = exactly(changePage, body)
            assert.equal([changes.map((one) => one.id), position, more], [[id], after + 1, false])
          }
        }
      }),
      refuses(400, null, 'no position', () => ({ query: 'after=now' })),
      refuses(400, null, 'a position beyond the end of the log', (world) => ({
        query: `after=${world.position() + 1}`
      })),
      refuses(400, null, 'too large a page', () => ({ query: 'after=0&limit=5000' }))
    ]
  }
]
