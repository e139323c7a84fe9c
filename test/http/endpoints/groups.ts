import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields, holds, records, text } from '../client.js'
import { type Row, works } from '../endpoint.js'
import { succeeded, type World } from '../world.js'

const named = () => ({ name: `Group ${randomUUID()}` })
const aGroup = async (world: World) => ({ params: { id: await groupIn(world) } })

async function groupIn(world: World, content: object = {}): Promise<string> {
  return text(succeeded(await world.by(world.admin).post('/admin/groups', { ...named(), ...content })).body, 'id')
}

async function withMember(world: World, content: object = {}) {
  const [id, user] = [await groupIn(world, content), await world.user()]
  succeeded(await world.by(world.admin).put(`/admin/groups/${id}/members/${user.id}`))
  return { id, user }
}

const person = async (world: World) => ({ params: { id: await groupIn(world), user: (await world.user()).id } })

/** Groups, and who is in them. */
export const groupRows: readonly Row[] = [
  { row: 'GET /admin/groups', sample: aGroup },
  {
    row: 'POST /admin/groups',
    isSpent: true,
    sample: () => ({ body: named() }),
    cases: [
      works('a name alone: it gives nothing', {
        check: ({ body }) => {
          holds(body, { collectionAccess: [], livePageAccess: [], llmAccess: false, llmMonthlyTokenLimit: null })
          holds(body, { grants: [], externalId: null })
        }
      })
    ]
  },
  { row: 'GET /admin/groups/:id', sample: aGroup },
  {
    row: 'PUT /admin/groups/:id',
    sample: async (world) => ({ ...(await aGroup(world)), body: named() }),
    cases: [
      works('what is left out stays', async (world) => {
        const id = await groupIn(world, { snippetAccess: ['*'] })
        return {
          params: { id },
          body: { environmentAccess: ['*'] },
          check: ({ body }) => holds(body, { snippetAccess: ['*'], environmentAccess: ['*'] })
        }
      })
    ]
  },
  {
    row: 'DELETE /admin/groups/:id',
    sample: aGroup,
    cases: [
      works('its members lose what they had by it', async (world) => {
        const collectionId = await world.collection()
        const { id, user } = await withMember(world, { collectionAccess: [collectionId] })
        assert.is((await world.by(user).get(`/collections/${collectionId}`)).status, 200)
        return {
          params: { id },
          check: async () => assert.is((await world.by(user).get(`/collections/${collectionId}`)).status, 403)
        }
      })
    ]
  },
  {
    row: 'GET /admin/groups/:id/members',
    sample: aGroup,
    cases: [
      works('who is in it, and by what', async (world) => {
        const { id, user } = await withMember(world)
        return {
          params: { id },
          check: (reply) =>
            assert.equal(records(reply, 'members'), [
              { userId: user.id, name: user.name, by: 'administrator', rule: null }
            ])
        }
      })
    ]
  },
  {
    row: 'PUT /admin/groups/:id/members/:user',
    sample: person,
    cases: [
      works('it is shown with the account', async (world) => {
        const { params } = await person(world)
        return {
          params,
          check: async () => {
            const { body } = await world.by(world.admin).get(`/admin/users/${params.user}`)
            assert.equal(fields(body).groups, [{ id: params.id, by: 'administrator', rule: null }])
          }
        }
      })
    ]
  },
  { row: 'DELETE /admin/groups/:id/members/:user', sample: person }
]
