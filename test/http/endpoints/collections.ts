import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { records } from '../client.js'
import { type Case, type Endpoint, refuses, works } from '../endpoint.js'
import { document, exactly, folder, listOf, savedRequest } from '../shapes.js'
import type { World } from '../world.js'

const KINDS = { folders: folder, requests: savedRequest, documents: document }

/** A collection with one of everything in a folder of it. */
async function filled(world: World) {
  const collectionId = await world.collection()
  const folderId = await world.folder(collectionId)
  const inside = [await world.request(collectionId, folderId), await world.request(collectionId)]
  const documentId = await world.document(collectionId, folderId)
  const paths = [`/folders/${folderId}`, ...inside.map((id) => `/requests/${id}`), `/documents/${documentId}`]
  return { params: { collectionId }, paths: [`/collections/${collectionId}`, ...paths] }
}

/** What deleting a collection takes with it, whoever does it. */
const cascade = works('with nested folders, requests and documents: all of them go', async (world) => {
  const { params, paths } = await filled(world)
  return {
    params: { id: params.collectionId },
    check: async () => {
      for (const path of paths) assert.is((await world.by(world.owner).get(path)).status, 404, path)
    }
  }
})

/** More on rows whose common part the lockable kinds share. */
export const collectionCases: Readonly<Record<string, readonly Case[]>> = {
  'DELETE /collections/:id': [cascade],
  'DELETE /admin/collections/:id': [cascade]
}

/** Section 4, Administration: what is inside a collection. */
export const adminCollectionEndpoints: readonly Endpoint[] = Object.entries(KINDS).map(([name, shape]) => ({
  row: `GET /admin/collections/:collectionId/${name}`,
  access: 'admin',
  success: 200,
  refusals: [403, 404],
  sample: filled,
  cases: [
    works(`the ${name} of any collection`, async (world) => ({
      ...(await filled(world)),
      check: (reply) => {
        exactly(listOf(name, shape), reply.body)
        assert.is(records(reply, name).length, name === 'requests' ? 2 : 1)
      }
    })),
    refuses(404, 'Collection not found', 'an unknown collection', () => ({ params: { collectionId: randomUUID() } }))
  ]
}))
