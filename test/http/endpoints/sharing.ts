import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields, records } from '../client.js'
import { type Row, refuses, works } from '../endpoint.js'
import { succeeded, type World } from '../world.js'

const shared = async (world: World) => ({ params: { id: await world.collection(), user: (await world.user()).id } })
// Whoever has made a collection shares it, and who may only use it does not.
const notMaker = { 'a user with this id': 403, 'a user with *': 403, 'an administrator': 200 } as const

/** Sharing of collections, and grants. */
export const sharingRows: readonly Row[] = [
  {
    row: 'GET /collections/:id/sharing',
    sample: async (world) => ({ params: { id: await world.collection() } }),
    matrix: { ...notMaker, 'a user without access': 403 },
    cases: [
      works('who has it by a list, and by a grant', async (world) => {
        const { params } = await shared(world)
        const reader = await world.user({ collectionAccess: [params.id] })
        await world.by(world.owner).put(`/collections/${params.id}/sharing/${params.user}`, { role: 'viewer' })
        return {
          params,
          check: (reply) => {
            const told = records(reply, 'sharing').map(({ userId, role, by }) => [userId, role, by])
            assert.ok(told.some((one) => String(one) === String([params.user, 'viewer', 'grant'])))
            assert.ok(told.some((one) => String(one) === String([reader.id, 'editor', 'list'])))
          }
        }
      })
    ]
  },
  {
    row: 'PUT /collections/:id/sharing/:user',
    sample: async (world) => ({ ...(await shared(world)), body: { role: 'editor' } }),
    matrix: { ...notMaker, 'an administrator': 204, 'a user without access': 403 },
    cases: [
      refuses(
        409,
        /^The access list of this account holds it already/,
        'an account whose list has it',
        async (world) => {
          const id = await world.collection()
          return { params: { id, user: (await world.user({ collectionAccess: [id] })).id }, body: { role: 'viewer' } }
        }
      ),
      refuses(403, 'Nobody changes what they may do themselves.', 'the own account', async (world) => ({
        ...{ params: { id: await world.collection(), user: world.owner.id }, body: { role: 'viewer' } }
      })),
      refuses(403, 'Forbidden', 'nobody, by who may not share it and so learns of no names', async (world) => ({
        ...{ by: 'colleague', params: { id: await world.collection(), user: 'nobody' }, body: { role: 'viewer' } }
      })),
      refuses(404, 'User not found', 'nobody', async (world) => ({
        ...{ params: { id: await world.collection(), user: 'nobody' }, body: { role: 'viewer' } }
      }))
    ]
  },
  {
    row: 'DELETE /collections/:id/sharing/:user',
    sample: shared,
    matrix: { ...notMaker, 'an administrator': 204, 'a user without access': 403 }
  },
  {
    row: 'PUT /admin/users/:id/grants',
    sample: async (world) => ({
      params: { id: (await world.user()).id },
      body: { grants: [{ kind: 'collection', id: await world.collection(), role: 'viewer' }] }
    }),
    cases: [
      works('they are shown with the account', async (world) => {
        const { id } = await world.user()
        const grants = [{ kind: 'collection', id: await world.collection(), role: 'manager' }]
        return {
          params: { id },
          body: { grants },
          check: async () => {
            assert.equal(fields((await world.by(world.admin).get(`/admin/users/${id}`)).body).grants, grants)
          }
        }
      }),
      works('what is deleted by now is left out, and keeps nobody from saying the rest', async (world) => {
        const { id } = await world.user()
        const [gone, there] = [await world.collection(), await world.collection()]
        const grant = (collection: string) => ({ kind: 'collection', id: collection, role: 'viewer' })
        const by = world.by(world.admin)
        succeeded(await by.put(`/admin/users/${id}/grants`, { grants: [grant(gone)] }))
        succeeded(await world.by(world.owner).delete(`/collections/${gone}`))
        return {
          params: { id },
          body: { grants: [grant(gone), grant(there)] },
          check: async () => {
            assert.equal(fields((await by.get(`/admin/users/${id}`)).body).grants, [grant(there)])
          }
        }
      }),
      refuses(400, /^Unknown collection id/, 'a record that there is not', {
        body: { grants: [{ kind: 'collection', id: randomUUID(), role: 'viewer' }] }
      }),
      refuses(400, 'grants: Name each record once.', 'a record twice', async (world) => {
        const one = { kind: 'collection', id: await world.collection(), role: 'viewer' }
        return { params: { id: (await world.user()).id }, body: { grants: [one, { ...one, role: 'editor' }] } }
      })
    ]
  }
]
