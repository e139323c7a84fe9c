import * as assert from 'uvu/assert'
import { SYSTEM_ID } from '../../../commands/people/user/system.js'
import { fields, holds, idsOf, records } from '../client.js'
import { type Row, refuses, works } from '../endpoint.js'
import type { World } from '../world.js'

const aUser = async (world: World) => ({ params: { id: (await world.user()).id } })
const SECRET = /^hbk_[\w-]{43}$/

/** Section 4, Administration: tokens. */
export const tokenRows: readonly Row[] = [
  {
    row: 'GET /admin/tokens',
    sample: () => ({}),
    cases: [
      works('every token, newest first, never with a secret', async (world) => {
        const { id, tokenId, token } = await world.user()
        return {
          check: (reply) => {
            const tokens = records(reply, 'tokens')
            const found = tokens.find((record) => record.id === tokenId)
            holds(found, { userId: id, lastUsedAt: null, tokenPrefix: token.slice(0, 12) })
            const times = tokens.map(({ createdAt }) => String(createdAt))
            assert.equal(times, times.toSorted().reverse())
            assert.not.match(reply.text, token)
          }
        }
      }),
      works('a revoked token: still there, with the time', async (world) => {
        const { tokenId } = await world.user()
        await world.hub.run({ type: 'RevokeToken', id: tokenId })
        return {
          check: (reply) => {
            const found = records(reply, 'tokens').find((record) => record.id === tokenId)
            assert.type(found?.revokedAt, 'string')
          }
        }
      })
    ]
  },
  {
    row: 'POST /admin/users/:id/tokens',
    sample: async (world) => ({ ...(await aUser(world)), body: { name: 'laptop' } }),
    cases: [
      works('a name: a token that works, and its secret once', {
        body: { name: ' laptop ' },
        check: async ({ body }, { params }, world) => {
          const { token, secret } = fields(body)
          assert.match(String(secret), SECRET)
          const tokenPrefix = String(secret).slice(0, 12)
          holds(token, { userId: params?.id, name: 'laptop', tokenPrefix, agentWrites: false, lastUsedAt: null })
          const session = { method: 'GET', path: '/auth/session', token: String(secret) }
          assert.is((await world.hub.send(session)).status, 200)
        }
      }),
      works('that agents may write with', {
        body: { agentWrites: true },
        check: ({ body }) => holds(fields(body).token, { agentWrites: true })
      }),
      refuses(403, 'Forbidden', 'the system account', { params: { id: SYSTEM_ID } })
    ]
  },
  {
    row: 'DELETE /admin/tokens/:id',
    sample: async (world) => ({ params: { id: (await world.user()).tokenId } }),
    cases: [
      works('it goes, and gets 401 from then on', async (world) => {
        const { tokenId, token } = await world.user()
        return {
          params: { id: tokenId },
          check: async () => {
            assert.is((await world.hub.send({ method: 'GET', path: '/auth/session', token })).status, 401)
            assert.not.ok(idsOf(await world.by(world.admin).get('/admin/tokens'), 'tokens').includes(tokenId))
          }
        }
      }),
      works('a revoked token', async (world) => {
        const { tokenId } = await world.user()
        await world.hub.run({ type: 'RevokeToken', id: tokenId })
        return { params: { id: tokenId } }
      })
    ]
  }
]
