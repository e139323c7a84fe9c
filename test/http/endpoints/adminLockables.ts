import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields, records } from '../client.js'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { type LockableKind, lockables } from '../kinds.js'
import { exactly, listOf } from '../shapes.js'
import type { World } from '../world.js'

/** Section 4, Administration: collections, environments and snippets. */
export const adminLockableEndpoints: readonly Endpoint[] = lockables.flatMap(endpointsOf)

function endpointsOf({ path, list, thing, managed }: LockableKind): readonly Endpoint[] {
  const missing = `${thing} not found`
  const one = async (world: World) => ({ params: { id: await world.make(path, { name: thing }) } })
  const unknown = () => ({ params: { id: randomUUID() } })

  return [
    {
      row: `GET /admin/${path}`,
      access: 'admin',
      success: 200,
      refusals: [403],
      sample: one,
      cases: [
        works('every one, with its lock', async (world) => {
          const id = await world.make(path, { name: 'Managed' })
          await world.lock(path, id)
          return {
            check: (reply) => {
              exactly(listOf(list, managed), reply.body)
              const found = fields(records(reply, list).find((record) => record.id === id))
              assert.equal([found.name, found.deletionLocked], ['Managed', true])
            }
          }
        })
      ]
    },
    {
      row: `PUT /admin/${path}/:id`,
      access: 'admin',
      success: 200,
      refusals: [403, 404],
      sample: async (world) => ({ ...(await one(world)), body: { deletionLocked: true } }),
      cases: [
        works('deletionLocked true: locked', async (world) => {
          const { params } = await one(world)
          return {
            params,
            body: { deletionLocked: true },
            check: ({ body }) => assert.is(fields(exactly(managed, body)).deletionLocked, true)
          }
        }),
        works('deletionLocked false: the creator may delete it again', async (world) => {
          const { params } = await one(world)
          await world.lock(path, params.id)
          return {
            params,
            body: { deletionLocked: false },
            check: async ({ body }) => {
              assert.is(fields(exactly(managed, body)).deletionLocked, false)
              assert.is((await world.by(world.owner).delete(`/${path}/${params.id}`)).status, 204)
            }
          }
        }),
        refuses(400, null, 'nothing to change', async (world) => ({ ...(await one(world)), body: {} })),
        refuses(400, null, 'a lock that is no boolean', async (world) => ({
          ...(await one(world)),
          body: { deletionLocked: 'true' }
        })),
        refuses(404, missing, 'an unknown one', () => ({ ...unknown(), body: { deletionLocked: true } }))
      ]
    },
    {
      row: `DELETE /admin/${path}/:id`,
      access: 'admin',
      success: 204,
      refusals: [403, 404],
      sample: one,
      cases: [
        works('it is locked: it goes all the same', async (world) => {
          const { params } = await one(world)
          await world.lock(path, params.id)
          return {
            params,
            check: async () => assert.is((await world.by(world.owner).get(`/${path}/${params.id}`)).status, 404)
          }
        }),
        refuses(404, missing, 'an unknown one', unknown)
      ]
    }
  ]
}
