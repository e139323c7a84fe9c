import * as assert from 'uvu/assert'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { changePage, exactly, ticket } from '../shapes.js'
import { succeeded } from '../world.js'

/** The feed, as pollers ask for it; what follows it over an open connection is in changes.test.ts. */
export const changeEndpoints: readonly Endpoint[] = [
  {
    row: 'POST /changes/tickets',
    access: 'any',
    success: 201,
    refusals: [400, 429],
    sample: () => ({}),
    cases: [
      works('a ticket that is good for half a minute', () => ({
        check: ({ body }) => {
          const { expiresAt } = exactly(ticket, body)
          const left_ms = Date.parse(expiresAt) - Date.now()
          assert.ok(left_ms > 0 && left_ms <= 30_000, expiresAt)
        }
      })),
      refuses(400, null, 'a key, under which it would have to be shown again', () => ({
        headers: { 'idempotency-key': 'k' }
      })),
      refuses(
        429,
        'There were 100 tickets for this token in the last 30 seconds. Wait a moment.',
        'too many',
        async (world) => {
          const by = await world.user()
          for (let i = 0; i < 100; i++) succeeded(await world.by(by).post('/changes/tickets'))
          return { by }
        }
      )
    ]
  },
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
