import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { SYSTEM_ID } from '../../../commands/people/user/system.js'
import { fields, records } from '../client.js'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { exactly, listOf, secret, token } from '../shapes.js'
import type { World } from '../world.js'

const aUser = async (world: World) => ({ params: { id: (await world.user()).id } })
const aToken = async (world: World) => ({ params: { id: (await world.user()).tokenId } })
const unknown = () => ({ params: { id: randomUUID() } })

/** Section 4, Administration: tokens. */
export const tokenEndpoints: readonly Endpoint[] = [
  {
    row: 'GET /admin/tokens',
    access: 'admin',
    success: 200,
    refusals: [403],
    sample: aUser,
    cases: [
      works('every token, newest first, never with a secret', async (world) => {
        const { id, tokenId, token: its } = await world.user()
        return {
          check: (reply) => {
            exactly(listOf('tokens', token), reply.body)
            const tokens = records(reply, 'tokens')
            const { userId, lastUsedAt, tokenPrefix } = fields(tokens.find((record) => record.id === tokenId))
            assert.equal(
              { userId, lastUsedAt, tokenPrefix },
              { userId: id, lastUsedAt: null, tokenPrefix: its.slice(0, 12) }
            )
            const times = tokens.map(({ createdAt }) => String(createdAt))
            assert.equal(times, times.toSorted().reverse())
            assert.not.match(reply.text, its)
          }
        }
      }),
      works('a revoked token: still there, with the time', async (world) => {
        const { tokenId } = await world.user()
        await world.hub.run({ type: 'RevokeToken', id: tokenId })
        return {
          check: (reply) => {
            const found = records(reply, 'tokens').find((record) => record.id === tokenId)
            assert.type(exactly(token, found).revokedAt, 'string')
          }
        }
      })
    ]
  },
  {
    row: 'POST /admin/users/:id/tokens',
    access: 'admin',
    success: 201,
    refusals: [403, 404],
    sample: async (world) => ({ ...(await aUser(world)), body: { name: 'laptop' } }),
    cases: [
      works('a name: a token that works, and its secret once', async (world) => {
        const { params } = await aUser(world)
        return {
          params,
          body: { name: ' laptop ' },
          check: async ({ body }) => {
            const made = fields(body)
            assert.equal(Object.keys(made).sort(), ['secret', 'token'])
            const { userId, name, tokenPrefix, agentWrites, lastUsedAt } = exactly(token, made.token)
            const prefix = exactly(secret, made.secret).slice(0, 12)
            assert.equal([userId, name, tokenPrefix, lastUsedAt], [params.id, 'laptop', prefix, null])
            assert.is(agentWrites, false)
            const session = await world.hub.send({
              method: 'GET',
              path: '/auth/session',
              token: exactly(secret, made.secret)
            })
            assert.is(session.status, 200)
          }
        }
      }),
      works('that agents may write with', async (world) => ({
        ...(await aUser(world)),
        body: { name: 'editor', agentWrites: true },
        check: ({ body }) => assert.ok(exactly(token, fields(body).token).agentWrites)
      })),
      works('for an administrator', (world) => ({ params: { id: world.admin.id }, body: { name: 'second' } })),
      refuses(400, null, 'no yes or no for what agents may do', async (world) => ({
        ...(await aUser(world)),
        body: { name: 'x', agentWrites: 'yes' }
      })),
      refuses(400, 'Name must not be empty.', 'a blank name', async (world) => ({
        ...(await aUser(world)),
        body: { name: ' ' }
      })),
      refuses(403, 'Forbidden', 'the system account', () => ({ params: { id: SYSTEM_ID }, body: { name: 'x' } })),
      refuses(404, 'User not found', 'an unknown user', () => ({ ...unknown(), body: { name: 'x' } }))
    ]
  },
  {
    row: 'DELETE /admin/tokens/:id',
    access: 'admin',
    success: 204,
    refusals: [403, 404],
    sample: aToken,
    cases: [
      works('it goes, and gets 401 from then on', async (world) => {
        const { tokenId, token } = await world.user()
        return {
          params: { id: tokenId },
          check: async () => {
            assert.is((await world.hub.send({ method: 'GET', path: '/auth/session', token })).status, 401)
            const tokens = records(await world.by(world.admin).get('/admin/tokens'), 'tokens')
            assert.not.ok(tokens.some(({ id }) => id === tokenId))
          }
        }
      }),
      works('a revoked token', async (world) => {
        const { params } = await aToken(world)
        await world.hub.run({ type: 'RevokeToken', id: params.id })
        return { params }
      }),
      refuses(403, 'Forbidden', 'a token of the system account', async (world) => ({
        params: { id: await world.hub.systemToken() }
      })),
      refuses(404, 'Token not found', 'an unknown token', unknown)
    ]
  }
]
