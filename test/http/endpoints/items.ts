import * as assert from 'uvu/assert'
import { holds, records } from '../client.js'
import { type Row, works } from '../endpoint.js'
import { type ItemKind, items } from '../kinds.js'
import { listed, type World } from '../world.js'

/** Section 4, Saved requests and Collection documents. */
export const itemRows: readonly Row[] = items.flatMap(rowsOf)

function rowsOf({ path, content, ordered, defaults }: ItemKind): readonly Row[] {
  const make = (world: World, collectionId: string, folderId: string | null = null) =>
    world.make(`collections/${collectionId}/${path}`, { ...content, folderId })
  const one = async (world: World) => {
    const collectionId = await world.collection()
    const id = await make(world, collectionId)
    return { collectionId, params: { id }, scope: { collectionAccess: [collectionId] } }
  }
  const three = async (world: World) => {
    const collectionId = await world.collection()
    const ids: string[] = []
    for (let i = 0; i < 3; i++) ids.push(await make(world, collectionId))
    return { ids, params: { collectionId }, scope: { collectionAccess: [collectionId] } }
  }
  const idsIn = async (world: World, collectionId = '') =>
    (await listed(world, `/collections/${collectionId}/${path}`)).map(({ id }) => id)

  return [
    {
      row: `GET /collections/:collectionId/${path}`,
      sample: three,
      cases: [
        works('some at the root, some in folders: all of them', async (world) => {
          const { ids, params } = await three(world)
          const folder = await world.folder(params.collectionId)
          const inner = await make(world, params.collectionId, folder)
          return {
            params,
            check: (reply) => {
              const within = (id: string | null) =>
                records(reply, path).flatMap((record) => (record.folderId === id ? [record.id] : []))
              assert.equal([within(null), within(folder)], [ids, [inner]])
            }
          }
        })
      ]
    },
    {
      row: `GET /admin/collections/:collectionId/${path}`,
      sample: three,
      cases: [works('those of any collection', { check: (reply) => assert.is(records(reply, path).length, 3) })]
    },
    {
      row: `POST /collections/:collectionId/${path}`,
      sample: async (world) => {
        const collectionId = await world.collection()
        return { params: { collectionId }, body: content, scope: { collectionAccess: [collectionId] } }
      },
      cases: [
        works('without folderId: at the root, every field as sent', {
          check: ({ body }, { params }, { owner: { id } }) =>
            holds(body, {
              ...{ ...content, ...defaults, ...params, folderId: null },
              ...{ createdByUserId: id, updatedByUserId: id }
            })
        }),
        works('in a folder', async (world) => {
          const collectionId = await world.collection()
          const folderId = await world.folder(collectionId)
          return {
            params: { collectionId },
            body: { ...content, folderId },
            check: ({ body }) => holds(body, { folderId })
          }
        })
      ]
    },
    { row: `GET /${path}/:id`, sample: one },
    {
      row: `PUT /${path}/:id`,
      sample: async (world) => {
        const { collectionId, params, scope } = await one(world)
        return { params, scope, body: { ...content, collectionId, name: 'Changed' } }
      },
      cases: [
        works('every field: the record with all of them', async (world) => {
          const { collectionId, params } = await one(world)
          const folderId = await world.folder(collectionId)
          const changed = { ...content, collectionId, folderId, name: 'Changed', marker: 'blue' }
          const people = { createdByUserId: world.owner.id, updatedByUserId: world.colleague.id }
          return {
            ...{ by: 'colleague', params, body: changed },
            check: ({ body }) => holds(body, { ...defaults, ...changed, ...params, ...people })
          }
        }),
        works('without folderId: at the root', async (world) => {
          const collectionId = await world.collection()
          const id = await make(world, collectionId, await world.folder(collectionId))
          return {
            params: { id },
            body: { ...content, collectionId },
            check: ({ body }) => holds(body, { folderId: null })
          }
        })
      ]
    },
    {
      row: `DELETE /${path}/:id`,
      matrix: { 'a user with this id': 403, 'a user with *': 403 },
      sample: one,
      cases: [
        works('the caller created it: it goes', async (world) => {
          const { collectionId, params } = await one(world)
          return { params, check: async () => assert.equal(await idsIn(world, collectionId), []) }
        })
      ]
    },
    {
      row: `PUT /collections/:collectionId/${path}/reorder`,
      sample: async (world) => {
        const { ids, ...rest } = await three(world)
        return { ...rest, body: { folderId: null, [ordered]: ids.toReversed() } }
      },
      cases: [
        works('null reorders at the root', {
          check: async (_, { params, body }, world) =>
            assert.equal(await idsIn(world, params?.collectionId), Object(body)[ordered])
        }),
        works('nothing to reorder', { body: { [ordered]: [] } })
      ]
    },
    {
      row: `PUT /${path}/:id/move`,
      sample: async (world) => {
        const { collectionId, params, scope } = await one(world)
        return { params, scope, body: { folderId: await world.folder(collectionId), index: 0 } }
      }
    },
    ...(path === 'requests'
      ? [
          {
            row: 'DELETE /admin/requests/:id',
            sample: one,
            cases: [
              works('whoever created it: it goes', {
                check: async (_, { params }, { by, owner }) =>
                  assert.is((await by(owner).get(`/requests/${params?.id}`)).status, 404)
              })
            ]
          } as const
        ]
      : [])
  ]
}
