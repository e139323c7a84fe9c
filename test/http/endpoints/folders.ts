import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { records } from '../client.js'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { exactly, folder, listOf } from '../shapes.js'
import type { World } from '../world.js'

/** A folder in a collection of its own, as the parameters of a request to it. */
async function aFolder(world: World) {
  const collectionId = await world.collection()
  const id = await world.folder(collectionId)
  return { collectionId, params: { id }, scope: { collectionAccess: [collectionId] } }
}

/** A collection with three folders, as the parameters of a request to it. */
async function threeFolders(world: World) {
  const collectionId = await world.collection()
  const ids = []
  for (const name of ['One', 'Two', 'Three']) ids.push(await world.folder(collectionId, null, name))
  return { ids, params: { collectionId }, scope: { collectionAccess: [collectionId] } }
}

const unknown = (): { params: { id: string } } => ({ params: { id: randomUUID() } })

/** Section 4, Folders. */
export const folderEndpoints: readonly Endpoint[] = [
  {
    row: 'GET /collections/:collectionId/folders',
    access: 'user',
    success: 200,
    refusals: [],
    sample: threeFolders,
    cases: [
      works('there are folders: by sortOrder', async (world) => {
        const { params } = await threeFolders(world)
        return {
          params,
          check: (reply) => {
            exactly(listOf('folders', folder), reply.body)
            assert.equal(
              records(reply, 'folders').map(({ name }) => name),
              ['One', 'Two', 'Three']
            )
          }
        }
      }),
      works('there are none: an empty list', async (world) => ({
        params: { collectionId: await world.collection() },
        check: ({ body }) => assert.equal(body, { folders: [] })
      }))
    ]
  },
  {
    row: 'POST /collections/:collectionId/folders',
    access: 'user',
    success: 200,
    refusals: [400],
    sample: async (world) => {
      const collectionId = await world.collection()
      return { params: { collectionId }, body: { name: 'New' }, scope: { collectionAccess: [collectionId] } }
    },
    cases: [
      works('a name: at the root, behind its siblings', async (world) => {
        const { params } = await threeFolders(world)
        return {
          params,
          body: { name: ' Four ' },
          check: async ({ body }) => {
            const created = exactly(folder, body)
            const { name, parentFolderId, collectionId, createdByUserId } = created
            assert.equal(
              { name, parentFolderId, collectionId, createdByUserId },
              { name: 'Four', parentFolderId: null, ...params, createdByUserId: world.owner.id }
            )
            const list = records(await world.by(world.owner).get(`/collections/${collectionId}/folders`), 'folders')
            assert.equal(list.at(-1), created)
          }
        }
      }),
      works('a parent folder and a marker: both are kept', async (world) => {
        const { collectionId, params } = await aFolder(world)
        return {
          params: { collectionId },
          body: { name: 'Inner', parentFolderId: params.id, marker: ' #ff0000 ' },
          check: ({ body }) => {
            const { parentFolderId, marker } = exactly(folder, body)
            assert.equal({ parentFolderId, marker }, { parentFolderId: params.id, marker: '#ff0000' })
          }
        }
      }),
      refuses(400, 'Name must not be empty.', 'a blank name', async (world) => ({
        params: { collectionId: await world.collection() },
        body: { name: ' ' }
      })),
      refuses(404, 'Collection not found', 'an unknown collection', () => ({
        params: { collectionId: randomUUID() },
        body: { name: 'New' }
      })),
      refuses(404, 'Parent folder not found in collection', 'a parent folder in another collection', async (world) => {
        const { params } = await aFolder(world)
        return {
          params: { collectionId: await world.collection() },
          body: { name: 'New', parentFolderId: params.id }
        }
      })
    ]
  },
  {
    row: 'GET /folders/:id',
    access: 'user',
    success: 200,
    refusals: [404],
    sample: aFolder,
    cases: [
      works('it is there: the record', async (world) => ({
        ...(await aFolder(world)),
        check: ({ body }) => exactly(folder, body)
      })),
      refuses(404, 'Folder not found', 'an unknown folder', unknown)
    ]
  },
  {
    row: 'PATCH /folders/:id',
    access: 'user',
    success: 200,
    refusals: [400, 404],
    sample: async (world) => ({ ...(await aFolder(world)), body: { name: 'Renamed' } }),
    cases: [
      works('a name: the renamed folder, its marker as it was', async (world) => {
        const { collectionId } = await aFolder(world)
        const { post } = world.by(world.owner)
        const made = await post(`/collections/${collectionId}/folders`, { name: 'Old', marker: 'red' })
        const before = exactly(folder, made.body)
        return {
          params: { id: before.id },
          body: { name: 'Renamed' },
          check: ({ body }) => {
            const { name, marker, createdAt } = exactly(folder, body)
            assert.equal({ name, marker, createdAt }, { name: 'Renamed', marker: 'red', createdAt: before.createdAt })
          }
        }
      }),
      refuses(400, 'Name must not be empty.', 'a blank name', async (world) => ({
        ...(await aFolder(world)),
        body: { name: '' }
      })),
      refuses(404, 'Folder not found', 'an unknown folder', () => ({ ...unknown(), body: { name: 'New' } }))
    ]
  },
  {
    row: 'PUT /folders/:id/move',
    access: 'user',
    success: 200,
    refusals: [400, 404],
    sample: async (world) => {
      const folder = await aFolder(world)
      return { ...folder, body: { parentFolderId: await world.folder(folder.collectionId) } }
    },
    cases: [
      works('another parent: the record as it is now', async (world) => {
        const { collectionId, params } = await aFolder(world)
        const parentFolderId = await world.folder(collectionId)
        return {
          params,
          body: { parentFolderId },
          check: ({ body }) => assert.is(exactly(folder, body).parentFolderId, parentFolderId)
        }
      }),
      refuses(400, 'Cannot move a folder under itself or a descendant.', 'into itself', async (world) => {
        const { params } = await aFolder(world)
        return { params, body: { parentFolderId: params.id } }
      }),
      refuses(
        400,
        'Cannot move a folder under itself or a descendant.',
        'into a folder two levels inside it',
        async (world) => {
          const { collectionId, params } = await aFolder(world)
          const inner = await world.folder(collectionId, await world.folder(collectionId, params.id))
          return { params, body: { parentFolderId: inner } }
        }
      ),
      refuses(400, null, 'no parentFolderId', async (world) => ({ ...(await aFolder(world)), body: { sortOrder: 0 } })),
      refuses(404, 'Folder not found', 'an unknown folder', () => ({ ...unknown(), body: { parentFolderId: null } })),
      refuses(404, 'Parent folder not found in collection', 'a parent in another collection', async (world) => {
        const [one, other] = [await aFolder(world), await aFolder(world)]
        return { params: one.params, body: { parentFolderId: other.params.id } }
      })
    ]
  },
  {
    row: 'DELETE /folders/:id',
    access: 'user',
    success: 204,
    refusals: [404],
    sample: aFolder,
    cases: [
      works('it is there: it goes, with the folders and saved requests inside', async (world) => {
        const { collectionId, params } = await aFolder(world)
        const inner = await world.folder(collectionId, params.id)
        const gone = [await world.request(collectionId, params.id), await world.request(collectionId, inner)]
        const kept = await world.request(collectionId)
        return {
          params,
          check: async () => {
            const { get } = world.by(world.owner)
            for (const id of gone) assert.is((await get(`/requests/${id}`)).status, 404)
            assert.is((await get(`/folders/${inner}`)).status, 404)
            assert.equal((await get(`/collections/${collectionId}/folders`)).body, { folders: [] })
            const left = records(await get(`/collections/${collectionId}/requests`), 'requests')
            assert.equal(
              left.map(({ id }) => id),
              [kept]
            )
          }
        }
      }),
      refuses(404, 'Folder not found', 'an unknown folder', unknown)
    ]
  },
  {
    row: 'PUT /collections/:collectionId/folders/reorder',
    access: 'user',
    success: 204,
    refusals: [404],
    sample: async (world) => {
      const { ids, ...rest } = await threeFolders(world)
      return { ...rest, body: { orderedFolderIds: ids.toReversed() } }
    },
    cases: [
      works('all siblings: that order', async (world) => {
        const { ids, params } = await threeFolders(world)
        return {
          params,
          body: { orderedFolderIds: ids.toReversed() },
          check: async () => {
            const list = await world.by(world.owner).get(`/collections/${params.collectionId}/folders`)
            assert.equal(
              records(list, 'folders').map(({ id }) => id),
              ids.toReversed()
            )
          }
        }
      }),
      refuses(400, null, 'the same folder twice', async (world) => {
        const { ids, params } = await threeFolders(world)
        return { params, body: { orderedFolderIds: [...ids, ids[0]] } }
      }),
      refuses(404, 'Collection not found', 'an unknown collection', () => ({
        params: { collectionId: randomUUID() },
        body: { orderedFolderIds: [] }
      })),
      refuses(404, 'Folder not found', 'an unknown folder', async (world) => {
        const { ids, params } = await threeFolders(world)
        return { params, body: { orderedFolderIds: [...ids, randomUUID()] } }
      }),
      refuses(404, 'Folder not found', 'a folder of another collection', async (world) => {
        const { params } = await threeFolders(world)
        const { ids } = await threeFolders(world)
        return { params, body: { orderedFolderIds: ids } }
      })
    ]
  }
]
