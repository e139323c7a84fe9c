import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { drawSecret } from '../../../src/ledger/secrets.js'
import { sha256 } from '../../../src/log/chain.js'
import { eachOf, fields, holds, records, text } from '../client.js'
import { type Row, refuses, works } from '../endpoint.js'
import { succeeded, type World } from '../world.js'
import { newAvatarCases } from './avatars.js'

const HOUR_MS = 3_600_000
const OVER = 'Invalid or expired invitation.'
const MALFORMED = 'Invalid invitation secret format.'
const account = () => ({ name: `Invited ${randomUUID()}`, role: 'user', collectionAccess: ['*'] })

/** Invites somebody: the parts of the answer. */
async function invited(world: World) {
  const { body } = succeeded(await world.by(world.admin).post('/admin/invited-users', account()))
  const { user, invitation } = fields(body)
  return {
    ...{ userId: text(user, 'id'), name: text(user, 'name') },
    ...{ id: text(invitation, 'id'), secret: text(body, 'secret') }
  }
}
const withSecret = async (world: World) => ({ body: { secret: (await invited(world)).secret } })
const redeem = ({ hub }: World, secret: string) =>
  hub.send({ method: 'POST', path: '/auth/invitations/redeem', body: { secret } })

/** How long an invitation counts. */
function lifeOf(invitation: unknown): number {
  return Date.parse(text(invitation, 'expiresAt')) - Date.parse(text(invitation, 'createdAt'))
}

/** The ways in which an invitation is over, each as its secret. */
const overWays: Readonly<Record<string, (world: World) => Promise<string>>> = {
  redeemed: async (world) => {
    const { secret } = await invited(world)
    await redeem(world, secret)
    return secret
  },
  revoked: async (world) => {
    const { id, secret } = await invited(world)
    await world.by(world.admin).delete(`/admin/invitations/${id}`)
    return secret
  },
  expired: async (world) => {
    const { id: userId } = await world.user()
    const { secret, prefix } = drawSecret('hbi_')
    const issued = { invitationId: randomUUID(), prefix, hash: sha256(secret), expiresAt: '2020-01-01T00:00:00.000Z' }
    await world.hub.run({ type: 'CreateInvitation', userId, invitation: issued })
    return secret
  }
}
const secretsRefused = [
  ...Object.entries(overWays).map(([how, make]) =>
    refuses(410, OVER, `it is ${how}`, async (world) => ({ body: { secret: await make(world) } }))
  ),
  refuses(410, OVER, 'the invited user is disabled', async (world) => {
    const { userId, secret } = await invited(world)
    succeeded(await world.by(world.admin).post(`/admin/users/${userId}/disable`))
    return { body: { secret } }
  }),
  refuses(404, OVER, 'an unknown secret', { body: { secret: drawSecret('hbi_').secret } }),
  refuses(404, OVER, 'the invited user was deleted', async (world) => {
    const { userId, secret } = await invited(world)
    await world.by(world.admin).delete(`/admin/users/${userId}`)
    return { body: { secret } }
  }),
  refuses(400, MALFORMED, 'a token for a secret', ({ owner: { token } }) => ({ body: { secret: token } })),
  refuses(400, MALFORMED, 'a secret that is too short', { body: { secret: 'hbi_12345678' } })
]

/** Invitations: routes that the interface mentions without listing them. */
export const invitationRows: readonly Row[] = [
  {
    row: 'POST /admin/invited-users',
    isSpent: true,
    sample: () => ({ body: account() }),
    cases: [
      ...newAvatarCases,
      works('an account: user, invitation and secret, and no token', {
        body: { expiresInHours: 2, avatarInitials: 'kt', avatarColor: 'teal-600' },
        check: async ({ body }, _, world) => {
          const { user, invitation, secret } = fields(body)
          holds(user, { avatarInitials: 'KT', avatarColor: 'teal-600' })
          const id = text(user, 'id')
          holds(invitation, { userId: id, status: 'pending', codePrefix: String(secret).slice(0, 12) })
          assert.match(String(secret), /^hbi_[\w-]{49}$/)
          assert.ok(Math.abs(lifeOf(invitation) - 2 * HOUR_MS) < 60_000)
          const tokens = records(await world.by(world.admin).get('/admin/tokens'), 'tokens')
          assert.not.ok(tokens.some(({ userId }) => userId === id))
        }
      }),
      works('without expiresInHours: 24', {
        check: ({ body }) => assert.ok(Math.abs(lifeOf(fields(body).invitation) - 24 * HOUR_MS) < 60_000)
      }),
      refuses(400, 'expiresInHours must be a positive integer.', 'no hours', { body: { expiresInHours: 0 } })
    ]
  },
  {
    row: 'POST /admin/users/:id/invitations',
    sample: async (world) => ({ params: { id: (await world.user()).id }, body: {} }),
    cases: [
      works('another invitation: the first stays pending', async (world) => {
        const { userId, id } = await invited(world)
        return {
          params: { id: userId },
          body: {},
          check: async () => {
            const all = records(await world.by(world.admin).get('/admin/invitations'), 'invitations')
            holds(
              all.find((one) => one.id === id),
              { status: 'pending' }
            )
          }
        }
      })
    ]
  },
  {
    row: 'GET /admin/invitations',
    sample: () => ({}),
    cases: [
      works('all of them, newest first, each with its status', async (world) => {
        for (const how of ['expired', 'revoked', 'redeemed']) await overWays[how]?.(world)
        const { secret } = await invited(world)
        return {
          check: (reply) => {
            const list = records(reply, 'invitations')
            assert.equal(eachOf(list.slice(0, 4), 'status'), ['pending', 'redeemed', 'revoked', 'expired'])
            const times = list.map(({ createdAt }) => String(createdAt))
            assert.equal(times, times.toSorted().reverse())
            assert.not.match(reply.text, secret)
          }
        }
      }),
      works('one that has ended with the token that it was made with is revoked since that ended', async (world) => {
        const user = await world.user()
        succeeded(await world.by(user).post('/auth/desktop-link'))
        succeeded(await world.by(user).delete(`/auth/tokens/${user.tokenId}`))
        const tokens = records(succeeded(await world.by(world.admin).get('/admin/tokens')), 'tokens')
        const { revokedAt } = tokens.find(({ id }) => id === user.tokenId) ?? {}
        return {
          check: (reply) => {
            const own = records(reply, 'invitations').find(({ userId }) => userId === user.id)
            assert.type(revokedAt, 'string')
            holds(own, { status: 'revoked', revokedAt })
          }
        }
      })
    ]
  },
  {
    row: 'DELETE /admin/invitations/:id',
    sample: async (world) => ({ params: { id: (await invited(world)).id } }),
    cases: [
      works('it is pending: revoked', async (world) => {
        const { id, secret } = await invited(world)
        return { params: { id }, check: () => world.refused(410, () => redeem(world, secret), OVER) }
      })
    ]
  },
  {
    row: 'POST /auth/invitations/preview',
    sample: withSecret,
    cases: [
      works('a pending secret: whom it is for, and it stays pending', async (world) => {
        const { name, secret } = await invited(world)
        return {
          body: { secret },
          check: async ({ body }) => {
            holds(fields(body).user, { name, role: 'user', collectionAccess: ['*'] })
            assert.is((await redeem(world, secret)).status, 201)
          }
        }
      }),
      ...secretsRefused
    ]
  },
  {
    row: 'POST /auth/invitations/redeem',
    isSpent: true,
    sample: withSecret,
    cases: [
      works('a pending secret: a token of the invited user that works', async (world) => {
        const { userId, secret: code } = await invited(world)
        return {
          body: { secret: code, tokenName: ' laptop ' },
          check: async ({ body }) => {
            const { token, secret } = fields(body)
            holds(token, { userId, name: 'laptop' })
            assert.is(await world.statusWith(secret), 200)
          }
        }
      }),
      works('without tokenName: the user’s name', async (world) => {
        const { name, secret } = await invited(world)
        return { body: { secret }, check: ({ body }) => holds(fields(body).token, { name }) }
      }),
      ...secretsRefused
    ]
  }
]
