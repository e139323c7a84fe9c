import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields, records } from '../client.js'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { type ItemKind, items } from '../kinds.js'
import { exactly, listOf } from '../shapes.js'
import { listed, type World } from '../world.js'

/** Section 4, Saved requests and Collection documents. */
export const itemEndpoints: readonly Endpoint[] = items.flatMap(endpointsOf)

function endpointsOf(kind: ItemKind): readonly Endpoint[] {
  const { path, thing, shape, content, ordered, defaults } = kind
  const missing = `${thing} not found`
  const make = (world: World, collectionId: string, folderId: string | null = null) =>
    world.make(`collections/${collectionId}/${path}`, { ...content, folderId })
  const one = async (world: World) => {
    const collectionId = await world.collection()
    return {
      collectionId,
      params: { id: await make(world, collectionId) },
      scope: { collectionAccess: [collectionId] }
    }
  }
  const three = async (world: World) => {
    const collectionId = await world.collection()
    const ids: string[] = []
    for (let i = 0; i < 3; i++) ids.push(await make(world, collectionId))
    return { ids, params: { collectionId }, scope: { collectionAccess: [collectionId] } }
  }
  const unknown = () => ({ params: { id: randomUUID() } })
  const elsewhere = async (world: World) => world.folder(await world.collection())
  const idsOf = async (world: World, collectionId: string) =>
    (await listed(world, `/collections/${collectionId}/${path}`)).map(({ id }) => id)

  return [
    {
      row: `GET /collections/:collectionId/${path}`,
      access: 'user',
      success: 200,
      refusals: [],
      sample: three,
      cases: [
        works('some at the root, some in folders: all of them', async (world) => {
          const { ids, params } = await three(world)
          const folder = await world.folder(params.collectionId)
          const inner = await make(world, params.collectionId, folder)
          return {
            params,
            check: (reply) => {
              exactly(listOf(path, shape), reply.body)
              const within = (id: string | null) =>
                records(reply, path).flatMap((record) => (record.folderId === id ? [record.id] : []))
              assert.equal([within(null), within(folder)], [ids, [inner]])
            }
          }
        }),
        works('there are none: an empty list', async (world) => ({
          params: { collectionId: await world.collection() },
          check: ({ body }) => assert.equal(body, { [path]: [] })
        }))
      ]
    },
    {
      row: `POST /collections/:collectionId/${path}`,
      access: 'user',
      success: 200,
      refusals: [400, 404],
      sample: async (world) => {
        const collectionId = await world.collection()
        return { params: { collectionId }, body: content, scope: { collectionAccess: [collectionId] } }
      },
      cases: [
        works('without folderId: at the root, every field as sent', async (world) => {
          const collectionId = await world.collection()
          return {
            params: { collectionId },
            body: content,
            check: ({ body }) => {
              const { id, createdAt, updatedAt, sortOrder, ...made } = fields(exactly(shape, body))
              const people = { createdByUserId: world.owner.id, updatedByUserId: world.owner.id }
              assert.equal(made, { ...content, ...defaults, collectionId, folderId: null, ...people })
            }
          }
        }),
        works('in a folder, with a marker', async (world) => {
          const collectionId = await world.collection()
          const folderId = await world.folder(collectionId)
          return {
            params: { collectionId },
            body: { ...content, folderId, marker: 'red' },
            check: ({ body }) => {
              const made = fields(exactly(shape, body))
              assert.equal([made.folderId, made.marker], [folderId, 'red'])
            }
          }
        }),
        refuses(400, 'Name must not be empty.', 'a blank name', async (world) => ({
          params: { collectionId: await world.collection() },
          body: { ...content, name: '' }
        })),
        refuses(404, 'Collection not found', 'an unknown collection', () => ({
          params: { collectionId: randomUUID() },
          body: content
        })),
        refuses(404, 'Folder not found', 'an unknown folder', async (world) => ({
          params: { collectionId: await world.collection() },
          body: { ...content, folderId: randomUUID() }
        })),
        refuses(404, 'Folder not found', 'a folder of another collection', async (world) => ({
          params: { collectionId: await world.collection() },
          body: { ...content, folderId: await elsewhere(world) }
        }))
      ]
    },
    {
      row: `GET /${path}/:id`,
      access: 'user',
      success: 200,
      refusals: [404],
      sample: one,
      cases: [
        works('it is there: the record', async (world) => ({
          ...(await one(world)),
          check: ({ body }) => exactly(shape, body)
        })),
        refuses(404, missing, 'an unknown one', unknown)
      ]
    },
    {
      row: `PUT /${path}/:id`,
      access: 'user',
      success: 200,
      refusals: [400, 404],
      sample: async (world) => {
        const { collectionId, params, scope } = await one(world)
        return { params, scope, body: { ...content, collectionId, name: 'Changed' } }
      },
      cases: [
        works('every field: the record with all of them', async (world) => {
          const { collectionId, params } = await one(world)
          const folderId = await world.folder(collectionId)
          const changed = { ...content, collectionId, folderId, name: 'Changed', marker: 'blue' }
          return {
            by: world.colleague,
            params,
            body: changed,
            check: ({ body }) => {
              const { createdAt, updatedAt, sortOrder, ...now } = fields(exactly(shape, body))
              const people = { createdByUserId: world.owner.id, updatedByUserId: world.colleague.id }
              assert.equal(now, { ...defaults, ...changed, ...params, ...people })
            }
          }
        }),
        works('without folderId: at the root', async (world) => {
          const collectionId = await world.collection()
          const id = await make(world, collectionId, await world.folder(collectionId))
          return {
            params: { id },
            body: { ...content, collectionId },
            check: ({ body }) => assert.is(fields(exactly(shape, body)).folderId, null)
          }
        }),
        refuses(400, null, 'no collectionId', async (world) => ({ ...(await one(world)), body: content })),
        refuses(400, 'Name must not be empty.', 'a blank name', async (world) => {
          const { collectionId, params } = await one(world)
          return { params, body: { ...content, collectionId, name: ' ' } }
        }),
        refuses(404, missing, 'an unknown one', async (world) => ({
          ...unknown(),
          body: { ...content, collectionId: await world.collection() }
        })),
        refuses(404, 'Collection not found', 'an unknown collection', async (world) => ({
          ...(await one(world)),
          body: { ...content, collectionId: randomUUID() }
        })),
        refuses(404, 'Folder not found', 'an unknown folder', async (world) => {
          const { collectionId, params } = await one(world)
          return { params, body: { ...content, collectionId, folderId: randomUUID() } }
        }),
        refuses(404, 'Folder not found', 'a folder of another collection', async (world) => {
          const { collectionId, params } = await one(world)
          return { params, body: { ...content, collectionId, folderId: await elsewhere(world) } }
        })
      ]
    },
    {
      row: `DELETE /${path}/:id`,
      access: 'user',
      success: 204,
      refusals: [403, 404],
      matrix: { 'a user with this id': 403, 'a user with *': 403 },
      sample: one,
      cases: [
        works('the caller created it: it goes', async (world) => {
          const { collectionId, params } = await one(world)
          return { params, check: async () => assert.equal(await idsOf(world, collectionId), []) }
        }),
        refuses(403, 'Forbidden', 'the caller did not create it', async (world) => ({
          ...(await one(world)),
          by: world.colleague
        })),
        refuses(404, missing, 'an unknown one', unknown)
      ]
    },
    {
      row: `PUT /collections/:collectionId/${path}/reorder`,
      access: 'user',
      success: 204,
      refusals: [404],
      sample: async (world) => {
        const { ids, ...rest } = await three(world)
        return { ...rest, body: { folderId: null, [ordered]: ids.toReversed() } }
      },
      cases: [
        works('null reorders at the root', async (world) => {
          const { ids, params } = await three(world)
          return {
            params,
            body: { folderId: null, [ordered]: ids.toReversed() },
            check: async () => assert.equal(await idsOf(world, params.collectionId), ids.toReversed())
          }
        }),
        works('nothing to reorder', async (world) => ({
          params: { collectionId: await world.collection() },
          body: { folderId: null, [ordered]: [] }
        })),
        refuses(400, null, 'no folderId', async (world) => {
          const { ids, params } = await three(world)
          return { params, body: { [ordered]: ids } }
        }),
        refuses(400, null, 'the same one twice', async (world) => {
          const { ids, params } = await three(world)
          return { params, body: { folderId: null, [ordered]: [...ids, ids[0]] } }
        }),
        refuses(404, 'Collection not found', 'an unknown collection', () => ({
          params: { collectionId: randomUUID() },
          body: { folderId: null, [ordered]: [] }
        })),
        refuses(404, 'Folder not found', 'a folder of another collection', async (world) => {
          const { ids, params } = await three(world)
          return { params, body: { folderId: await elsewhere(world), [ordered]: ids } }
        }),
        refuses(404, missing, 'an unknown one', async (world) => {
          const { ids, params } = await three(world)
          return { params, body: { folderId: null, [ordered]: [...ids, randomUUID()] } }
        }),
        refuses(404, missing, 'one of another collection', async (world) => {
          const [here, there] = [await three(world), await three(world)]
          return { params: here.params, body: { folderId: null, [ordered]: there.ids } }
        })
      ]
    },
    {
      row: `PUT /${path}/:id/move`,
      access: 'user',
      success: 204,
      refusals: [404],
      sample: async (world) => {
        const { collectionId, params, scope } = await one(world)
        return { params, scope, body: { folderId: await world.folder(collectionId), index: 0 } }
      },
      cases: [
        works('null moves to the root, at the index', async (world) => {
          const { ids, params } = await three(world)
          const id = await make(world, params.collectionId, await world.folder(params.collectionId))
          const [first, ...rest] = ids
          return {
            params: { id },
            body: { folderId: null, index: 1 },
            check: async () => assert.equal(await idsOf(world, params.collectionId), [first, id, ...rest])
          }
        }),
        refuses(400, null, 'no folderId', async (world) => ({ ...(await one(world)), body: { index: 0 } })),
        refuses(400, null, 'no index', async (world) => ({ ...(await one(world)), body: { folderId: null } })),
        refuses(400, null, 'a negative index', async (world) => ({
          ...(await one(world)),
          body: { folderId: null, index: -1 }
        })),
        refuses(404, missing, 'an unknown one', () => ({ ...unknown(), body: { folderId: null, index: 0 } })),
        refuses(404, 'Folder not found', 'an unknown folder', async (world) => ({
          ...(await one(world)),
          body: { folderId: randomUUID(), index: 0 }
        })),
        refuses(404, 'Folder not found', 'a folder of another collection', async (world) => ({
          ...(await one(world)),
          body: { folderId: await elsewhere(world), index: 0 }
        }))
      ]
    }
  ]
}
