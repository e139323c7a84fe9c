import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields, holds, text } from '../client.js'
import { type Row, refuses, works } from '../endpoint.js'
import { succeeded, type World } from '../world.js'

const unique = () => `${randomUUID()}@example.com`
const aUser = async (world: World) => ({ params: { id: (await world.user()).id } })
const aGroup = async (world: World) => {
  const made = await world.by(world.admin).post('/scim/v2/Groups', { displayName: `Group ${randomUUID()}` })
  return { params: { id: text(succeeded(made).body, 'id') } }
}
const patch = (...Operations: readonly object[]) => ({ Operations })

/** Accounts and groups as a directory keeps them. */
export const directoryRows: readonly Row[] = [
  { row: 'GET /scim/v2/ServiceProviderConfig', sample: () => ({}) },
  {
    row: 'GET /scim/v2/ResourceTypes',
    sample: () => ({}),
    cases: [works('users and groups', { check: ({ body }) => holds(body, { totalResults: 2 }) })]
  },
  {
    row: 'GET /scim/v2/ResourceTypes/:id',
    sample: () => ({ params: { id: 'Group' } }),
    cases: [refuses(404, 'Resource type not found', 'one that is none', { params: { id: 'Device' } })]
  },
  {
    row: 'GET /scim/v2/Schemas/:id',
    sample: () => ({ params: { id: 'urn:ietf:params:scim:schemas:core:2.0:User' } }),
    cases: [refuses(404, 'Schema not found', 'one that is none', { params: { id: 'urn:x' } })]
  },
  {
    row: 'GET /scim/v2/Schemas',
    sample: () => ({}),
    cases: [works('those of users and groups', { check: ({ body }) => holds(body, { totalResults: 2 }) })]
  },
  {
    row: 'GET /scim/v2/Users',
    sample: aUser,
    cases: [
      works('a name in whatever case', async (world) => {
        const userName = unique()
        succeeded(await world.by(world.admin).post('/scim/v2/Users', { userName }))
        return {
          query: `filter=${encodeURIComponent(`userName eq "${userName.toUpperCase()}"`)}`,
          check: ({ body }) => holds(body, { totalResults: 1, itemsPerPage: 1, startIndex: 1 })
        }
      }),
      works('none of a page', {
        query: 'count=0',
        check: ({ body }) => holds(body, { Resources: [], itemsPerPage: 0 })
      })
    ]
  },
  {
    row: 'POST /scim/v2/Users',
    isSpent: true,
    sample: () => ({ body: { userName: unique() } }),
    cases: [
      works('what is not kept is left out, a password among it', {
        body: { password: 's3cr3t', 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'x' } },
        check: ({ text }) => assert.not.match(text, /s3cr3t|department/)
      }),
      refuses(400, 'Name must not be empty.', 'nobody', { body: { userName: ' ' } }),
      refuses(409, 'User name is already in use.', 'a name that is taken', async (world) => ({
        body: { userName: (await world.user()).name }
      }))
    ]
  },
  { row: 'GET /scim/v2/Users/:id', sample: aUser },
  {
    row: 'PUT /scim/v2/Users/:id',
    sample: async (world) => ({ ...(await aUser(world)), body: { userName: unique() } })
  },
  {
    row: 'PATCH /scim/v2/Users/:id',
    sample: async (world) => ({
      ...(await aUser(world)),
      body: patch({ op: 'replace', path: 'displayName', value: 'Ada' })
    }),
    cases: [
      works('one that is active no more is let in no more', async (world) => {
        const user = await world.user()
        return {
          params: { id: user.id },
          body: patch({ op: 'replace', path: 'active', value: false }),
          check: async ({ body }) => {
            holds(body, { active: false })
            assert.is(await world.statusWith(user.token), 401)
          }
        }
      }),
      refuses(400, 'Name must not be empty.', 'a name that is none', {
        body: patch({ op: 'replace', path: 'userName', value: '' })
      })
    ]
  },
  { row: 'DELETE /scim/v2/Users/:id', sample: aUser },
  { row: 'GET /scim/v2/Groups', sample: aGroup },
  {
    row: 'POST /scim/v2/Groups',
    isSpent: true,
    sample: () => ({ body: { displayName: `Group ${randomUUID()}` } }),
    cases: [
      refuses(409, /^A group is called/, 'a name that is taken', async (world) => {
        const { params } = await aGroup(world)
        const { body } = await world.by(world.admin).get(`/scim/v2/Groups/${params.id}`)
        return { body: { displayName: fields(body).displayName } }
      })
    ]
  },
  { row: 'GET /scim/v2/Groups/:id', sample: aGroup },
  {
    row: 'PUT /scim/v2/Groups/:id',
    sample: async (world) => ({ ...(await aGroup(world)), body: { displayName: `Group ${randomUUID()}` } })
  },
  {
    row: 'PATCH /scim/v2/Groups/:id',
    sample: async (world) => ({
      ...(await aGroup(world)),
      body: patch({ op: 'add', path: 'members', value: [{ value: (await world.user()).id }] })
    })
  },
  { row: 'DELETE /scim/v2/Groups/:id', sample: aGroup }
]
