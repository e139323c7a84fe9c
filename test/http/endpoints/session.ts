import * as assert from 'uvu/assert'
import { type Endpoint, works } from '../endpoint.js'
import { exactly, session, user } from '../shapes.js'

const none = { dataApi: false, managementApi: false, llm: false, communication: false, discussionE2ee: false }

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
          const { user: shown, token, capabilities } = exactly(session, body)
          assert.equal([shown.id, shown.name, shown.role], [owner.id, owner.name, 'user'])
          assert.equal(token, { id: owner.tokenId, prefix: owner.token.slice(0, 12) })
          assert.equal(capabilities, { ...none, dataApi: true, communication: true })
        }
      })),
      works('a user token with llmAccess: llm too', async (world) => {
        const by = await world.user()
        await world.by(world.admin).put(`/admin/users/${by.id}`, { llmAccess: true })
        return {
          by,
          check: ({ body }) => {
            const all = { ...none, dataApi: true, communication: true, llm: true }
            assert.equal(exactly(session, body).capabilities, all)
          }
        }
      }),
      works('the account is shown as its record shows it', async (world) => {
        const { body } = await world.by(world.admin).get(`/admin/users/${world.owner.id}`)
        const { avatarInitials, avatarColor } = exactly(user, body)
        return {
          by: world.owner,
          check: (reply) => {
            const shown = exactly(session, reply.body).user
            assert.equal([shown.avatarInitials, shown.avatarColor], [avatarInitials, avatarColor])
          }
        }
      }),
      works('an admin token: managementApi only', ({ admin }) => ({
        by: admin,
        check: ({ body }) => {
          const { user: shown, capabilities } = exactly(session, body)
          assert.equal([shown.id, shown.name, shown.role], [admin.id, admin.name, 'admin'])
          assert.equal(capabilities, { ...none, managementApi: true })
        }
      }))
    ]
  }
]
