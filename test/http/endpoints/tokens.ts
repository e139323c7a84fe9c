import * as assert from 'uvu/assert'
import { fields, holds, idsOf, records } from '../client.js'
import { type Row, refuses, works } from '../endpoint.js'
import type { World } from '../world.js'

const aUser = async (world: World) => ({ params: { id: (await world.user()).id } })
const SECRET = /^hbk_[\w-]{49}$/

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
          assert.is(await world.statusWith(secret), 200)
        }
      }),
      works('an end, scopes and leave to write for agents: all are shown', {
        body: { expiresAt: '2100-01-31T00:00:00Z', scopes: ['read', 'llm', 'read'], agentWrites: true },
        check: ({ body }) =>
          holds(fields(body).token, {
            ...{ expiresAt: '2100-01-31T00:00:00.000Z', scopes: ['read', 'llm'], agentWrites: true }
          })
      }),
      refuses(400, /^expiresAt: A time such as/, 'an end that is no time', { body: { expiresAt: 'tomorrow' } }),
      refuses(400, 'A token has at most 100 scopes.', 'too many scopes', {
        body: { scopes: Array.from({ length: 101 }, () => 'read') }
      })
    ]
  },
  {
    row: 'POST /auth/tokens',
    sample: () => ({ body: { name: 'script' } }),
    cases: [
      works('a name and a scope: a further token of the own account', async (world) => {
        const one = await world.user()
        return {
          by: one,
          body: { name: 'script', scopes: ['read'] },
          check: async ({ body }) => {
            const { token, secret } = fields(body)
            holds(token, { userId: one.id, name: 'script', scopes: ['read'], expiresAt: null, agentWrites: false })
            assert.is(await world.statusWith(secret), 200)
          }
        }
      }),
      refuses(
        403,
        'Agents may not write with this token, so it issues none with which they may.',
        'agents may write with it, and not with the one that asks',
        { body: { agentWrites: true } }
      )
    ]
  },
  {
    row: 'POST /auth/desktop-link',
    sample: () => ({}),
    cases: [
      works('a link that gives a further token of the account, once', async (world) => {
        const one = await world.user()
        return {
          by: one,
          check: async ({ body }) => {
            const { link, secret, expiresAt } = fields(body)
            assert.match(String(link), /\/join\?url=http.*&name=.*#code=hbi_/)
            assert.ok(String(link).endsWith(String(secret)))
            assert.ok(Math.abs(Date.parse(String(expiresAt)) - Date.now() - 600_000) < 60_000)
            const redeem = () => world.hub.send({ method: 'POST', path: '/auth/invitations/redeem', body: { secret } })
            holds(fields((await redeem()).body).token, { userId: one.id, scopes: null })
            assert.is((await redeem()).status, 410)
          }
        }
      })
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
            assert.is(await world.statusWith(token), 401)
            assert.not.ok(idsOf(await world.by(world.admin).get('/admin/tokens'), 'tokens').includes(tokenId))
          }
        }
      })
    ]
  },
  {
    row: 'GET /auth/tokens',
    sample: () => ({}),
    cases: [
      works('the tokens of the account, and of no other', async (world) => {
        const one = await world.user()
        return {
          by: one,
          check: (reply) => {
            const tokens = records(reply, 'tokens')
            assert.equal(
              tokens.map(({ id, userId }) => [id, userId]),
              [[one.tokenId, one.id]]
            )
            assert.not.match(reply.text, one.token)
          }
        }
      })
    ]
  },
  {
    row: 'DELETE /auth/tokens/:id',
    // One more token of the owner, so that the one that asks goes on.
    sample: async (world) => {
      const path = `/admin/users/${world.owner.id}/tokens`
      const { body } = await world.by(world.admin).post(path, { name: 'another' })
      return { params: { id: String(fields(fields(body).token).id) } }
    },
    matrix: {
      ...{ 'a user without access': 404, 'a user with this id': 404, 'a user with *': 404, 'an administrator': 404 },
      ...{ 'an administrator of accounts': 404, 'an auditor': 404 }
    },
    cases: [
      works('it is refused from then on, and listed as revoked', async (world) => {
        const one = await world.user()
        return {
          by: one,
          params: { id: one.tokenId },
          check: async () => {
            assert.is(await world.statusWith(one.token), 401)
            const tokens = records(await world.by(world.admin).get('/admin/tokens'), 'tokens')
            assert.type(tokens.find(({ id }) => id === one.tokenId)?.revokedAt, 'string')
          }
        }
      })
    ]
  }
]
