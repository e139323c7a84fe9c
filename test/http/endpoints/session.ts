import * as assert from 'uvu/assert'
import { type Endpoint, works } from '../endpoint.js'
import { exactly, session } from '../shapes.js'

/** Section 4, Session. */
export const sessionEndpoints: readonly Endpoint[] = [
  {
    row: 'GET /auth/session',
    access: 'any',
    success: 200,
    refusals: [],
    sample: () => ({}),
    cases: [
      works('a user token: dataApi, and llm only with llmAccess', ({ owner }) => ({
        by: owner,
        check: ({ body }) => {
          const { user, token, capabilities } = exactly(session, body)
          assert.equal(user, { id: owner.id, name: owner.name, role: 'user' })
          assert.equal(token, { id: owner.tokenId, prefix: owner.token.slice(0, 12) })
          assert.equal(capabilities, { dataApi: true, managementApi: false, llm: false })
        }
      })),
      works('a user token with llmAccess: llm too', async (world) => {
        const by = await world.user()
        await world.by(world.admin).put(`/admin/users/${by.id}`, { llmAccess: true })
        return {
          by,
          check: ({ body }) =>
            assert.equal(exactly(session, body).capabilities, { dataApi: true, managementApi: false, llm: true })
        }
      }),
      works('an admin token: managementApi only', ({ admin }) => ({
        by: admin,
        check: ({ body }) => {
          const { user, capabilities } = exactly(session, body)
          assert.equal(user, { id: admin.id, name: admin.name, role: 'admin' })
          assert.equal(capabilities, { dataApi: false, managementApi: true, llm: false })
        }
      }))
    ]
  }
]
