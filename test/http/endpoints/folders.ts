import * as assert from 'uvu/assert'
import { eachOf, holds, idsOf, records } from '../client.js'
import { type Row, works } from '../endpoint.js'
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
const inOrder = works('by sortOrder', {
  check: (reply) => assert.equal(eachOf(records(reply, 'folders'), 'name'), ['One', 'Two', 'Three'])
})

/** Section 4, Folders. */
export const folderRows: readonly Row[] = [
  { row: 'GET /collections/:collectionId/folders', sample: threeFolders, cases: [inOrder] },
  { row: 'GET /admin/collections/:collectionId/folders', sample: threeFolders, cases: [inOrder] },
  {
    row: 'POST /collections/:collectionId/folders',
    sample: async (world) => {
      const { params, scope } = await threeFolders(world)
      return { params, scope, body: { name: 'New' } }
    },
    cases: [
      works('a name: at the root, behind its siblings', {
        body: { name: ' Four ' },
        check: async ({ body }, { params }, { by, owner }) => {
          holds(body, { name: 'Four', parentFolderId: null, ...params, createdByUserId: owner.id })
          const list = records(await by(owner).get(`/collections/${params?.collectionId}/folders`), 'folders')
          assert.equal(list.at(-1), body)
        }
      }),
      works('a parent folder: it is kept', async (world) => {
        const { collectionId, params } = await aFolder(world)
        const parentFolderId = params.id
        return {
          params: { collectionId },
          body: { name: 'Inner', parentFolderId },
          check: ({ body }) => holds(body, { parentFolderId })
        }
      })
    ]
  },
  { row: 'GET /folders/:id', sample: aFolder },
  {
    row: 'PATCH /folders/:id',
    sample: async (world) => ({ ...(await aFolder(world)), body: { name: 'Renamed' } }),
    cases: [works('a name: the renamed folder', { check: ({ body }) => holds(body, { name: 'Renamed' }) })]
  },
  {
    row: 'PUT /folders/:id/move',
    sample: async (world) => {
      const { collectionId, ...folder } = await aFolder(world)
      return { ...folder, body: { parentFolderId: await world.folder(collectionId) } }
    },
    cases: [
      works('another parent: the record as it is now', {
        check: ({ body }, sent) => holds(body, Object(sent.body))
      })
    ]
  },
  {
    row: 'DELETE /folders/:id',
    sample: aFolder,
    cases: [
      works('it goes, with the folders and saved requests inside', async (world) => {
        const { collectionId, params } = await aFolder(world)
        const inner = await world.folder(collectionId, params.id)
        const gone = [await world.request(collectionId, params.id), await world.request(collectionId, inner)]
        const kept = await world.request(collectionId)
        return {
          params,
          check: async () => {
            const { get } = world.by(world.owner)
            for (const path of [...gone.map((id) => `requests/${id}`), `folders/${inner}`])
              assert.is((await get(`/${path}`)).status, 404)
            assert.equal((await get(`/collections/${collectionId}/folders`)).body, { folders: [] })
            assert.equal(idsOf(await get(`/collections/${collectionId}/requests`), 'requests'), [kept])
          }
        }
      })
    ]
  },
  {
    row: 'PUT /collections/:collectionId/folders/reorder',
    sample: async (world) => {
      const { ids, ...rest } = await threeFolders(world)
      return { ...rest, body: { orderedFolderIds: ids.toReversed() } }
    },
    cases: [
      works('all siblings: that order', {
        check: async (_, { params, body }, { by, owner }) => {
          const list = await by(owner).get(`/collections/${params?.collectionId}/folders`)
          assert.equal(idsOf(list, 'folders'), Object(body).orderedFolderIds)
        }
      })
    ]
  }
]
