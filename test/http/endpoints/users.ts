import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { SYSTEM_ID } from '../../../commands/people/user/system.js'
import { fields, holds, idsOf, records, text } from '../client.js'
import { type Row, refuses, works } from '../endpoint.js'
import { listed, type World } from '../world.js'
import { adminAvatarCases, newAvatarCases } from './avatars.js'

const unique = () => `User ${randomUUID()}`
const aUser = async (world: World) => ({ params: { id: (await world.user()).id } })
const toSystem = { params: { id: SYSTEM_ID } }
const ROLE = 'Role must be "admin" or "user".'

/** What `GET /admin/users` says about one account. */
const listedAs = async (world: World, id = '') =>
  records(await world.by(world.admin).get('/admin/users'), 'users').find((record) => record.id === id)

/** An account whose access list names a collection that is gone. */
async function stale(world: World) {
  const collectionId = await world.collection()
  const { id } = await world.user({ collectionAccess: [collectionId] })
  await world.by(world.owner).delete(`/collections/${collectionId}`)
  return { params: { id }, collectionId }
}

/** Section 4, Administration: users. */
export const userRows: readonly Row[] = [
  {
    row: 'GET /admin/users',
    sample: aUser,
    cases: [
      works('every account but the system’s, by name', {
        check: (reply, { params }) => {
          const users = records(reply, 'users')
          assert.ok(idsOf(reply, 'users').includes(params?.id))
          assert.not.ok(users.some(({ id, name }) => id === SYSTEM_ID || name === 'system'))
          const names = users.map(({ name }) => String(name).toLowerCase())
          assert.equal(names, names.toSorted())
        }
      }),
      works('an id in an access list has gone stale: a warning that names it', async (world) => {
        const { params, collectionId } = await stale(world)
        const warnings = [`Unknown collection id "${collectionId}".`]
        return {
          check: async () => holds(await listedAs(world, params.id), { warnings, collectionAccess: [collectionId] })
        }
      })
    ]
  },
  {
    row: 'POST /admin/users/:id/disable',
    sample: aUser,
    cases: [
      works('nothing is let in as it from the next request on', async (world) => {
        const user = await world.user()
        return {
          params: { id: user.id },
          check: async ({ body }) => {
            assert.is(typeof fields(body).disabledAt, 'string')
            const { status, headers, text } = await world.by(user).get('/auth/session')
            assert.is(status, 401, text)
            assert.match(String(headers['www-authenticate']), /The account is disabled\./)
          }
        }
      }),
      refuses(403, 'Forbidden', 'the own account', (world) => ({ params: { id: world.admin.id } })),
      refuses(403, 'Forbidden', 'the account of the system', toSystem)
    ]
  },
  {
    row: 'POST /admin/users/:id/enable',
    sample: aUser,
    cases: [
      works('its tokens are good again', async (world) => {
        const user = await world.user()
        await world.by(world.admin).post(`/admin/users/${user.id}/disable`)
        return {
          params: { id: user.id },
          check: async ({ body }) => {
            assert.is(fields(body).disabledAt, undefined)
            assert.is(await world.statusWith(user.token), 200)
          }
        }
      })
    ]
  },
  {
    row: 'POST /admin/users',
    isSpent: true,
    sample: () => ({ body: { name: unique(), role: 'user' } }),
    cases: [
      ...newAvatarCases,
      works('name and role: no access to anything, and a token named after the user', (world) => {
        const name = unique()
        return {
          body: { name: ` ${name} `, role: 'user' },
          check: async ({ body }) => {
            const { user, token, secret } = fields(body)
            const none = { collectionAccess: [], environmentAccess: [], snippetAccess: [], liveServerAccess: [] }
            const noModels = { llmAccess: false, llmModels: [], llmMonthlyTokenLimit: null }
            holds(user, { name, role: 'user', ...none, livePageAccess: [], ...noModels })
            holds(token, { userId: text(user, 'id'), name, revokedAt: null, tokenPrefix: String(secret).slice(0, 12) })
            assert.is(await world.statusWith(secret), 200)
          }
        }
      }),
      works('that of a machine, with a token that agents may write with', {
        body: { isService: true, agentWrites: true },
        check: ({ body }) => {
          holds(fields(body).user, { isService: true })
          holds(fields(body).token, { agentWrites: true })
        }
      }),
      works('every field: all are kept', async (world) => {
        const access = { collectionAccess: [await world.collection()], environmentAccess: ['*'], snippetAccess: ['*'] }
        const models = { llmAccess: true, llmModels: ['gpt-6.1-sol'], llmMonthlyTokenLimit: 5000 }
        const body = {
          name: unique(),
          role: 'user',
          ...access,
          ...models,
          avatarInitials: 'KT',
          avatarColor: 'teal-600'
        }
        return { body, check: (reply) => holds(fields(reply.body).user, body) }
      }),
      refuses(400, ROLE, 'another role', { body: { role: 'root' } })
    ]
  },
  {
    row: 'GET /admin/users/:id',
    sample: aUser,
    cases: [
      works('the account as the list has it, without warnings', {
        check: async ({ body }, { params }, world) => {
          const { warnings: _, ...listed } = fields(await listedAs(world, params?.id))
          assert.equal(body, listed)
        }
      }),
      refuses(403, 'Forbidden', 'the system account', toSystem)
    ]
  },
  {
    row: 'PUT /admin/users/:id',
    sample: async (world) => ({ ...(await aUser(world)), body: { llmAccess: true } }),
    cases: [
      ...adminAvatarCases,
      works('one field: the others stay, and there are no warnings', async (world) => {
        const { params } = await aUser(world)
        const { warnings: _, updatedAt: __, ...before } = fields(await listedAs(world, params.id))
        return {
          params,
          body: { llmMonthlyTokenLimit: 0 },
          check: ({ body }) => holds(body, { ...before, llmMonthlyTokenLimit: 0 })
        }
      }),
      refuses(403, 'Forbidden', 'the system account', toSystem)
    ]
  },
  {
    row: 'DELETE /admin/users/:id',
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
            assert.is(await world.statusWith(token), 401)
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
            holds(kept, { createdByUserId: null, updatedByUserId: null })
          }
        }
      })
    ]
  }
]
