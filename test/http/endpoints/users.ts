import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { SYSTEM_ID } from '../../../commands/people/user/system.js'
import { fields, records } from '../client.js'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { exactly, listedUser, listOf, secret, token, user } from '../shapes.js'
import { listed, type World } from '../world.js'
import { adminAvatarCases, newAvatarCases } from './avatars.js'

const unique = () => `User ${randomUUID()}`
const aUser = async (world: World) => ({ params: { id: (await world.user()).id } })
const unknown = () => ({ params: { id: randomUUID() } })
const systemAccount = () => ({ params: { id: SYSTEM_ID } })
const UNKNOWN = ['0c8b6f5e-9d07-4f7e-9d3c-0d6f5b1f0a01', '0c8b6f5e-9d07-4f7e-9d3c-0d6f5b1f0a02']
const MIXED = 'Wildcard access "*" must be the only entry.'
const ADMIN_ACCESS = 'Admin users cannot have collection, environment, or snippet access.'

/** What `GET /admin/users` says about one account. */
async function listedAs(world: World, id: string) {
  const users = records(await world.by(world.admin).get('/admin/users'), 'users')
  return users.find((record) => record.id === id)
}

/** Section 4, Administration: users. */
export const userEndpoints: readonly Endpoint[] = [
  {
    row: 'GET /admin/users',
    access: 'admin',
    success: 200,
    refusals: [403],
    sample: aUser,
    cases: [
      works('every account but the system’s, by name, with warnings', async (world) => {
        const { params } = await aUser(world)
        return {
          check: (reply) => {
            exactly(listOf('users', listedUser), reply.body)
            const users = records(reply, 'users')
            assert.ok(users.some(({ id }) => id === params.id))
            assert.not.ok(users.some(({ id, name }) => id === SYSTEM_ID || name === 'system'))
            const names = users.map(({ name }) => String(name).toLowerCase())
            assert.equal(names, names.toSorted())
          }
        }
      }),
      works('an id in an access list has gone stale: a warning that names it', async (world) => {
        const collectionId = await world.collection()
        const { id } = await world.user({ collectionAccess: [collectionId] })
        await world.by(world.owner).delete(`/collections/${collectionId}`)
        return {
          check: async () => {
            const found = await listedAs(world, id)
            assert.equal(found?.warnings, [`Unknown collection id "${collectionId}".`])
            assert.equal(found?.collectionAccess, [collectionId])
          }
        }
      })
    ]
  },
  {
    row: 'POST /admin/users',
    access: 'admin',
    success: 201,
    refusals: [400, 403],
    sample: () => ({ body: { name: unique(), role: 'user' } }),
    cases: [
      ...newAvatarCases,
      works('name and role: no access to anything, and a token named after the user', (world) => {
        const name = unique()
        return {
          body: { name: ` ${name} `, role: 'user' },
          check: async ({ body }) => {
            const made = fields(body)
            assert.equal(Object.keys(made).sort(), ['secret', 'token', 'user'])
            const { id, createdAt, updatedAt, avatarColor, ...created } = exactly(user, made.user)
            assert.equal(created, {
              name,
              role: 'user',
              collectionAccess: [],
              environmentAccess: [],
              snippetAccess: [],
              llmAccess: false,
              llmModels: [],
              llmMonthlyTokenLimit: null,
              avatarInitials: `U${/[a-f]/.exec(name.slice(5))?.[0].toUpperCase()}`,
              liveServerAccess: [],
              livePageAccess: []
            })
            const issued = exactly(token, made.token)
            assert.equal([issued.userId, issued.name, issued.revokedAt], [id, name, null])
            assert.is(exactly(secret, made.secret).slice(0, 12), issued.tokenPrefix)
            const session = await world.hub.send({
              method: 'GET',
              path: '/auth/session',
              token: exactly(secret, made.secret)
            })
            assert.is(session.status, 200)
          }
        }
      }),
      works('a token that agents may write with', () => ({
        body: { name: unique(), role: 'user', agentWrites: true },
        check: ({ body }) => {
          const made = fields(body)
          assert.ok(exactly(token, made.token).agentWrites)
          // It is the token's, and no field of the account.
          exactly(user, made.user)
        }
      })),
      works('every field: all are kept', async (world) => {
        const access = { collectionAccess: [await world.collection()], environmentAccess: ['*'], snippetAccess: ['*'] }
        const body = {
          role: 'user',
          ...access,
          llmAccess: true,
          llmModels: ['gpt-6.1-sol'],
          llmMonthlyTokenLimit: 5000
        }
        return {
          body: { name: unique(), ...body },
          check: (reply) => {
            const created = exactly(user, fields(reply.body).user)
            for (const [key, value] of Object.entries(body)) assert.equal(Object(created)[key], value, key)
          }
        }
      }),
      refuses(400, 'Admin users cannot have LLM access.', 'an admin with LLM access', () => ({
        body: { name: unique(), role: 'admin', llmAccess: true, llmModels: ['*'] }
      })),
      works('an admin with empty lists: made; what means nothing without LLM access is left out', () => ({
        body: { name: unique(), role: 'admin', collectionAccess: [], llmAccess: false, llmModels: ['gpt-6.1-sol'] },
        check: (reply) => {
          const { role, llmAccess, llmModels } = exactly(user, fields(reply.body).user)
          assert.equal({ role, llmAccess, llmModels }, { role: 'admin', llmAccess: false, llmModels: [] })
        }
      })),
      refuses(400, 'Name must not be empty.', 'a blank name', () => ({ body: { name: '  ', role: 'user' } })),
      refuses(400, 'Name must be a string.', 'no name', () => ({ body: { role: 'user' } })),
      refuses(400, 'Role must be "admin" or "user".', 'another role', () => ({
        body: { name: unique(), role: 'root' }
      })),
      refuses(400, 'Role must be "admin" or "user".', 'no role', () => ({ body: { name: unique() } })),
      refuses(400, 'User name is already in use.', 'a name that is taken', (world) => ({
        body: { name: world.owner.name, role: 'user' }
      })),
      refuses(
        400,
        'User name "System" is reserved for the internal system account.',
        'the name of the system account',
        () => ({ body: { name: 'System', role: 'user' } })
      ),
      ...['collectionAccess', 'environmentAccess', 'snippetAccess', 'llmModels'].map((list) =>
        refuses(400, MIXED, `${list} with the wildcard among ids`, async (world) => ({
          body: { name: unique(), role: 'user', [list]: ['*', await world.collection()] }
        }))
      ),
      refuses(400, `Unknown collection id: ${UNKNOWN[0]}.`, 'an unknown collection id', () => ({
        body: { name: unique(), role: 'user', collectionAccess: UNKNOWN.slice(0, 1) }
      })),
      refuses(400, `Unknown collection id(s): ${UNKNOWN.join(', ')}.`, 'unknown collection ids', async (world) => ({
        body: { name: unique(), role: 'user', collectionAccess: [await world.collection(), ...UNKNOWN] }
      })),
      ...['collectionAccess', 'environmentAccess', 'snippetAccess'].map((list) =>
        refuses(400, ADMIN_ACCESS, `an admin with ${list}`, () => ({
          body: { name: unique(), role: 'admin', [list]: ['*'] }
        }))
      ),
      refuses(400, null, 'a negative token limit', () => ({
        body: { name: unique(), role: 'user', llmMonthlyTokenLimit: -1 }
      })),
      refuses(400, null, 'half a token', () => ({
        body: { name: unique(), role: 'user', llmMonthlyTokenLimit: 0.5 }
      }))
    ]
  },
  {
    row: 'GET /admin/users/:id',
    access: 'admin',
    success: 200,
    refusals: [403, 404],
    sample: aUser,
    cases: [
      works('the account as the list has it, without warnings', async (world) => {
        const { params } = await aUser(world)
        const { warnings, ...listed } = exactly(listedUser, await listedAs(world, params.id))
        return { params, check: ({ body }) => assert.equal(exactly(user, body), listed) }
      }),
      refuses(403, 'Forbidden', 'the system account', systemAccount),
      refuses(404, 'User not found', 'an unknown user', unknown)
    ]
  },
  {
    row: 'PUT /admin/users/:id',
    access: 'admin',
    success: 200,
    refusals: [400, 403, 404],
    sample: async (world) => ({ ...(await aUser(world)), body: { llmAccess: true } }),
    cases: [
      ...adminAvatarCases,
      works('one field: the others stay, and there are no warnings', async (world) => {
        const { params } = await aUser(world)
        const before = exactly(listedUser, await listedAs(world, params.id))
        return {
          params,
          body: { llmMonthlyTokenLimit: 0 },
          check: ({ body }) => {
            const { warnings, ...rest } = before
            const { updatedAt, ...now } = exactly(user, body)
            assert.equal({ ...now, updatedAt: rest.updatedAt }, { ...rest, llmMonthlyTokenLimit: 0 })
          }
        }
      }),
      works('nothing: nothing changes', async (world) => {
        const { params } = await aUser(world)
        const before = world.position()
        return { params, body: {}, check: () => assert.is(world.position(), before) }
      }),
      works('a stored list that is stale, and another field: the list stays', async (world) => {
        const collectionId = await world.collection()
        const { id } = await world.user({ collectionAccess: [collectionId] })
        await world.by(world.owner).delete(`/collections/${collectionId}`)
        return {
          params: { id },
          body: { llmAccess: true },
          check: ({ body }) => assert.equal(exactly(user, body).collectionAccess, [collectionId])
        }
      }),
      works('role admin: its lists and LLM access are gone', async (world) => {
        const { id } = await world.user({ collectionAccess: ['*'], environmentAccess: ['*'] })
        return {
          params: { id },
          body: { role: 'admin', collectionAccess: [], environmentAccess: [], llmModels: ['*'] },
          check: ({ body }) => {
            const { role, collectionAccess, environmentAccess, llmAccess, llmModels } = exactly(user, body)
            const lists = [collectionAccess, environmentAccess, llmModels]
            assert.equal([role, llmAccess, ...lists], ['admin', false, [], [], []])
          }
        }
      }),
      refuses(400, 'Admin users cannot have LLM access.', 'LLM access, and role admin', async (world) => ({
        ...(await aUser(world)),
        body: { role: 'admin', llmAccess: true }
      })),
      works('the caller’s own account, its role as it is', (world) => ({
        params: { id: world.admin.id },
        body: { name: world.admin.name, role: 'admin' }
      })),
      works('the name that it has', async (world) => {
        const { id, name } = await world.user()
        return { params: { id }, body: { name } }
      }),
      refuses(400, MIXED, 'the wildcard among ids', async (world) => ({
        ...(await aUser(world)),
        body: { collectionAccess: ['*', await world.collection()] }
      })),
      refuses(400, `Unknown collection id: ${UNKNOWN[0]}.`, 'an unknown collection id', async (world) => ({
        ...(await aUser(world)),
        body: { collectionAccess: UNKNOWN.slice(0, 1) }
      })),
      refuses(400, 'Name must not be empty.', 'a blank name', async (world) => ({
        ...(await aUser(world)),
        body: { name: ' ' }
      })),
      refuses(400, 'User name "Administrator" is already in use.', 'a name that is taken', async (world) => ({
        ...(await aUser(world)),
        body: { name: 'Administrator' }
      })),
      refuses(
        400,
        'User name "system" is reserved for the internal system account.',
        'the name of the system account',
        async (world) => ({ ...(await aUser(world)), body: { name: 'system' } })
      ),
      refuses(400, ADMIN_ACCESS, 'access for an admin', async (world) => ({
        ...(await aUser(world)),
        body: { role: 'admin', collectionAccess: ['*'] }
      })),
      refuses(403, 'Forbidden', 'the caller’s own role', (world) => ({
        params: { id: world.admin.id },
        body: { role: 'user' }
      })),
      refuses(403, 'Forbidden', 'the system account', () => ({ ...systemAccount(), body: { llmAccess: true } })),
      refuses(404, 'User not found', 'an unknown user', () => ({ ...unknown(), body: { llmAccess: true } }))
    ]
  },
  {
    row: 'DELETE /admin/users/:id',
    access: 'admin',
    success: 204,
    refusals: [403, 404],
    sample: aUser,
    cases: [
      works('it goes, and its tokens with it', async (world) => {
        const { id, token } = await world.user()
        await world.by(world.admin).post(`/admin/users/${id}/tokens`, { name: 'second' })
        return {
          params: { id },
          check: async () => {
            assert.is(await listedAs(world, id), undefined)
            const tokens = records(await world.by(world.admin).get('/admin/tokens'), 'tokens')
            assert.not.ok(tokens.some(({ userId }) => userId === id))
            assert.is((await world.hub.send({ method: 'GET', path: '/auth/session', token })).status, 401)
          }
        }
      }),
      works('what it made stays', async (world) => {
        const leaver = await world.user({ collectionAccess: ['*'] })
        const collectionId = await world.collection(undefined, leaver)
        return {
          params: { id: leaver.id },
          check: async () => {
            const kept = (await listed(world, '/collections')).find(({ id }) => id === collectionId)
            assert.equal([kept?.createdByUserId, kept?.updatedByUserId], [null, null])
          }
        }
      }),
      refuses(403, 'Forbidden', 'the caller’s own account', (world) => ({ params: { id: world.admin.id } })),
      refuses(403, 'Forbidden', 'the system account', systemAccount),
      refuses(404, 'User not found', 'an unknown user', unknown)
    ]
  }
]
