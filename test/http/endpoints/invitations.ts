import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { SYSTEM_ID } from '../../../commands/people/user/system.js'
import { drawSecret } from '../../../src/ledger/secrets.js'
import { sha256 } from '../../../src/log/chain.js'
import { fields, records, text } from '../client.js'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { exactly, invitation, listOf, preview, secret, token, user } from '../shapes.js'
import { succeeded, type World } from '../world.js'
import { newAvatarCases } from './avatars.js'

const HOUR_MS = 3_600_000
const OVER = 'Invalid or expired invitation.'
const NOT_REVOCABLE = 'Invitation not found or not revocable.'
const MALFORMED = 'Invalid invitation secret format.'
const account = () => ({ name: `Invited ${randomUUID()}`, role: 'user', collectionAccess: ['*'] })

/** Invites somebody; the answer's parts, and the secret as a body of a request to redeem it. */
async function invited(world: World) {
  const reply = succeeded(await world.by(world.admin).post('/admin/invited-users', account()))
  const { user, invitation } = fields(reply.body)
  const secret = text(reply.body, 'secret')
  return { userId: text(user, 'id'), name: text(user, 'name'), id: text(invitation, 'id'), secret }
}

/** The three ways in which an invitation is over, each as its secret. */
const overWays: Readonly<Record<string, (world: World) => Promise<string>>> = {
  'a redeemed invitation': async (world) => {
    const { secret } = await invited(world)
    await world.hub.send({ method: 'POST', path: '/auth/invitations/redeem', body: { secret } })
    return secret
  },
  'a revoked invitation': async (world) => {
    const { id, secret } = await invited(world)
    await world.by(world.admin).delete(`/admin/invitations/${id}`)
    return secret
  },
  'an expired invitation': async (world) => {
    const { id: userId } = await world.user()
    const { secret, prefix } = drawSecret('hbi_')
    const issued = { invitationId: randomUUID(), prefix, hash: sha256(secret), expiresAt: '2020-01-01T00:00:00.000Z' }
    await world.hub.run({ type: 'CreateInvitation', userId, invitation: issued })
    return secret
  }
}
const overCases = Object.entries(overWays).map(([when, make]) =>
  refuses(410, OVER, when, async (world) => ({ body: { secret: await make(world) } }))
)
const secretCases = [
  ...overCases,
  refuses(404, OVER, 'an unknown secret', () => ({ body: { secret: drawSecret('hbi_').secret } })),
  refuses(400, MALFORMED, 'a token for a secret', (world) => ({ body: { secret: world.owner.token } })),
  refuses(400, MALFORMED, 'a secret that is too short', () => ({ body: { secret: 'hbi_12345678' } })),
  refuses(400, null, 'no secret', () => ({ body: {} }))
]

/** Invitations: routes that the interface mentions without listing them. */
export const invitationEndpoints: readonly Endpoint[] = [
  {
    row: 'POST /admin/invited-users',
    access: 'admin',
    success: 201,
    refusals: [400, 403],
    sample: () => ({ body: account() }),
    cases: [
      ...newAvatarCases,
      works('an account: user, invitation and secret, and no token', async (world) => ({
        body: { ...account(), expiresInHours: 2 },
        check: async ({ body }) => {
          const made = fields(body)
          assert.equal(Object.keys(made).sort(), ['invitation', 'secret', 'user'])
          const { id } = exactly(user, made.user)
          const { userId, codePrefix, status, createdAt, expiresAt } = exactly(invitation, made.invitation)
          assert.equal([userId, status, codePrefix], [id, 'pending', text(made, 'secret').slice(0, 12)])
          assert.match(text(made, 'secret'), /^hbi_[\w-]{43}$/)
          const life_ms = Date.parse(expiresAt) - Date.parse(createdAt)
          assert.ok(Math.abs(life_ms - 2 * HOUR_MS) < 60_000)
          const tokens = records(await world.by(world.admin).get('/admin/tokens'), 'tokens')
          assert.not.ok(tokens.some((one) => one.userId === id))
        }
      })),
      works('without expiresInHours: 24', () => ({
        body: account(),
        check: ({ body }) => {
          const { createdAt, expiresAt } = exactly(invitation, fields(body).invitation)
          assert.ok(Math.abs(Date.parse(expiresAt) - Date.parse(createdAt) - 24 * HOUR_MS) < 60_000)
        }
      })),
      refuses(400, 'User name is already in use.', 'a name that is taken', (world) => ({
        body: { ...account(), name: world.owner.name }
      })),
      refuses(400, 'expiresInHours must be a positive integer.', 'no hours', () => ({
        body: { ...account(), expiresInHours: 0 }
      }))
    ]
  },
  {
    row: 'POST /admin/users/:id/invitations',
    access: 'admin',
    success: 201,
    refusals: [400, 403, 404],
    sample: async (world) => ({ params: { id: (await world.user()).id }, body: {} }),
    cases: [
      works('another invitation: the first stays pending', async (world) => {
        const { userId, id } = await invited(world)
        return {
          params: { id: userId },
          body: {},
          check: async ({ body }) => {
            exactly(invitation, fields(body).invitation)
            const all = records(await world.by(world.admin).get('/admin/invitations'), 'invitations')
            assert.is(all.find((one) => one.id === id)?.status, 'pending')
          }
        }
      }),
      refuses(400, null, 'no body', async (world) => ({ params: { id: (await world.user()).id } })),
      refuses(403, 'Forbidden', 'the system account', () => ({ params: { id: SYSTEM_ID }, body: {} })),
      refuses(404, 'User not found', 'an unknown user', () => ({ params: { id: randomUUID() }, body: {} }))
    ]
  },
  {
    row: 'GET /admin/invitations',
    access: 'admin',
    success: 200,
    refusals: [403],
    sample: () => ({}),
    cases: [
      works('all of them, newest first, each with its status', async (world) => {
        const statuses = ['expired', 'revoked', 'redeemed', 'pending']
        for (const make of Object.values(overWays).reverse()) await make(world)
        const { secret } = await invited(world)
        return {
          check: (reply) => {
            exactly(listOf('invitations', invitation), reply.body)
            const list = records(reply, 'invitations')
            assert.equal(
              list.slice(0, 4).map(({ status }) => status),
              statuses.toReversed()
            )
            const times = list.map(({ createdAt }) => String(createdAt))
            assert.equal(times, times.toSorted().reverse())
            assert.not.match(reply.text, secret)
          }
        }
      })
    ]
  },
  {
    row: 'DELETE /admin/invitations/:id',
    access: 'admin',
    success: 204,
    refusals: [403, 404],
    sample: async (world) => ({ params: { id: (await invited(world)).id } }),
    cases: [
      works('it is pending: revoked', async (world) => {
        const { id, secret } = await invited(world)
        return {
          params: { id },
          check: async () => {
            const call = { method: 'POST', path: '/auth/invitations/redeem', body: { secret } }
            await world.refused(410, () => world.hub.send(call), OVER)
          }
        }
      }),
      refuses(404, NOT_REVOCABLE, 'it is redeemed', async (world) => {
        const { id, secret } = await invited(world)
        await world.hub.send({ method: 'POST', path: '/auth/invitations/redeem', body: { secret } })
        return { params: { id } }
      }),
      refuses(404, NOT_REVOCABLE, 'an unknown one', () => ({ params: { id: randomUUID() } }))
    ]
  },
  {
    row: 'POST /auth/invitations/preview',
    access: 'public',
    success: 200,
    refusals: [400, 404, 410],
    sample: async (world) => ({ body: { secret: (await invited(world)).secret } }),
    cases: [
      works('a pending secret: whom it is for, and it stays pending', async (world) => {
        const { name, secret } = await invited(world)
        const send = () => world.hub.send({ method: 'POST', path: '/auth/invitations/preview', body: { secret } })
        return {
          body: { secret },
          check: async ({ body }) => {
            const { user } = exactly(preview, body)
            assert.equal([user.name, user.role, user.collectionAccess], [name, 'user', ['*']])
            assert.is((await send()).status, 200)
          }
        }
      }),
      ...secretCases
    ]
  },
  {
    row: 'POST /auth/invitations/redeem',
    access: 'public',
    success: 201,
    refusals: [400, 404, 410],
    sample: async (world) => ({ body: { secret: (await invited(world)).secret } }),
    cases: [
      works('a pending secret: a token of the invited user that works', async (world) => {
        const { userId, secret: code } = await invited(world)
        return {
          body: { secret: code, tokenName: ' laptop ' },
          check: async ({ body }) => {
            const made = fields(body)
            assert.equal(Object.keys(made).sort(), ['secret', 'token'])
            const issued = exactly(token, made.token)
            assert.equal([issued.userId, issued.name], [userId, 'laptop'])
            const session = { method: 'GET', path: '/auth/session', token: exactly(secret, made.secret) }
            assert.is((await world.hub.send(session)).status, 200)
          }
        }
      }),
      works('without tokenName: the user’s name', async (world) => {
        const { name, secret } = await invited(world)
        return {
          body: { secret },
          check: ({ body }) => assert.is(exactly(token, fields(body).token).name, name)
        }
      }),
      refuses(404, OVER, 'the invited user was deleted', async (world) => {
        const { userId, secret } = await invited(world)
        await world.by(world.admin).delete(`/admin/users/${userId}`)
        return { body: { secret } }
      }),
      refuses(400, 'Name must not be empty.', 'a blank tokenName', async (world) => ({
        body: { secret: (await invited(world)).secret, tokenName: ' ' }
      })),
      ...secretCases
    ]
  }
]
