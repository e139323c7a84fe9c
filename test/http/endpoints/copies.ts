import * as assert from 'uvu/assert'
import { fields, holds, records } from '../client.js'
import { environmentContent } from '../content.js'
import { type Row, refuses, works } from '../endpoint.js'
import { succeeded, type World } from '../world.js'

/** A collection with a request, a folder, a folder in that, and a request and a document in the inner one. */
async function aTree(world: World) {
  const collectionId = await world.collection()
  const outer = await world.folder(collectionId, null, 'Outer')
  const inner = await world.folder(collectionId, outer, 'Inner')
  await world.request(collectionId)
  await world.request(collectionId, inner)
  await world.document(collectionId, inner)
  return { collectionId, outer, inner, scope: { collectionAccess: [collectionId] } }
}

/** What a collection holds: of each record its content, and the names of the folders that it is in. */
async function heldIn({ by, owner }: World, collectionId: string) {
  const list = async (plural: string) => records(await by(owner).get(`/collections/${collectionId}/${plural}`), plural)
  const folders = new Map((await list('folders')).map((one) => [String(one.id), one]))
  const path = (id: unknown): string => {
    const folder = folders.get(String(id))
    return folder ? `${path(folder.parentFolderId)}/${String(folder.name)}` : ''
  }
  const items = [...(await list('requests')), ...(await list('documents'))]
  const told = items.map((one) => {
    const { id: _, collectionId: __, createdAt: _c, updatedAt: _u, folderId, ...content } = one
    return { ...content, in: path(folderId) }
  })
  return {
    folders: [...folders.keys()].map(path).toSorted(),
    items: told.toSorted(byPath),
    ids: [...folders.keys(), ...items.map(({ id }) => id)]
  }
}

const byPath = (a: { readonly in: string }, b: { readonly in: string }) => a.in.localeCompare(b.in)

/** Copies of collections, folders and environments, and folders that go to another collection. */
export const copyRows: readonly Row[] = [
  {
    row: 'POST /collections/:id/copy',
    matrix: { 'a user without access': 403, 'a user with this id': 403 },
    // They may look at it, and make none of the kind.
    texts: { 'a viewer': 'Forbidden' },
    sample: async (world) => {
      const { collectionId, scope } = await aTree(world)
      return { params: { id: collectionId }, scope, body: { name: 'Another' } }
    },
    cases: [
      works('all that it holds is there twice, under ids of its own', {
        check: async ({ body }, { params }, world) => {
          const [was, is] = [await heldIn(world, String(params?.id)), await heldIn(world, String(fields(body).id))]
          holds(body, { name: 'Another', createdByUserId: world.owner.id })
          assert.equal([is.folders, is.items], [was.folders, was.items])
          assert.is(is.ids.filter((id) => was.ids.includes(id)).length, 0)
        }
      })
    ]
  },
  {
    row: 'POST /folders/:id/copy',
    sample: async (world) => {
      const { outer, scope } = await aTree(world)
      return { params: { id: outer }, scope, body: { name: 'Outer again' } }
    },
    cases: [
      works('with what is in it, behind the last one beside it', async (world) => {
        const { collectionId, outer } = await aTree(world)
        await world.folder(collectionId, null, 'Last')
        const before = await heldIn(world, collectionId)
        return {
          params: { id: outer },
          body: { name: 'Outer again' },
          check: async ({ body }) => {
            const after = await heldIn(world, collectionId)
            holds(body, { name: 'Outer again', collectionId, parentFolderId: null, sortOrder: 2 })
            assert.equal(after.folders.toSorted(), [...before.folders, '/Outer again', '/Outer again/Inner'].toSorted())
            const inside = (held: typeof after, at: string) =>
              held.items.filter((one) => one.in === at).map((one) => ({ ...one, in: '' }))
            assert.equal(inside(after, '/Outer again/Inner'), inside(before, '/Outer/Inner'))
            assert.is(after.items.length, before.items.length + 2)
          }
        }
      })
    ]
  },
  {
    row: 'POST /folders/:id/transfer',
    sample: async (world) => {
      const [{ collectionId, outer }, there] = [await aTree(world), await world.collection()]
      const scope = { collectionAccess: [collectionId, there] }
      return { params: { id: outer }, scope, body: { collectionId: there } }
    },
    isSpent: true,
    cases: [
      works('with what is in it, behind the last one there; requests and documents keep their ids', async (world) => {
        const [{ collectionId, outer }, there] = [await aTree(world), await world.collection()]
        await world.folder(there, null, 'First')
        const before = await heldIn(world, collectionId)
        const moved = before.items.filter((one) => one.in === '/Outer/Inner')
        return {
          params: { id: outer },
          body: { collectionId: there },
          check: async ({ body }) => {
            const [left, after] = [await heldIn(world, collectionId), await heldIn(world, there)]
            holds(body, { name: 'Outer', collectionId: there, parentFolderId: null, sortOrder: 1 })
            assert.equal(left.folders, [])
            assert.equal(after.folders, ['/First', '/Outer', '/Outer/Inner'])
            assert.equal(
              after.items.map(({ in: at }) => at),
              ['/Outer/Inner', '/Outer/Inner']
            )
            assert.equal([after.items, after.ids.filter((id) => before.ids.includes(id)).length], [moved, 2])
            assert.equal(left.items.length, before.items.length - moved.length)
          }
        }
      }),
      refuses(400, /is in that collection already/, 'where it is', async (world) => {
        const { collectionId, outer } = await aTree(world)
        return { params: { id: outer }, body: { collectionId } }
      }),
      refuses(404, 'Parent folder not found in collection', 'below a folder of another', async (world) => {
        const [{ outer }, there, { inner }] = [await aTree(world), await world.collection(), await aTree(world)]
        return { params: { id: outer }, body: { collectionId: there, parentFolderId: inner } }
      })
    ]
  },
  {
    row: 'POST /environments/:id/copy',
    matrix: { 'a user without access': 403, 'a user with this id': 403 },
    // They may look at it, and make none of the kind.
    texts: { 'a viewer': 'Forbidden' },
    sample: async ({ by, owner }) => {
      const send = by(owner)
      const made = succeeded(await send.post('/environments', { name: 'Staging' }))
      const id = String(fields(made.body).id)
      succeeded(await send.put(`/environments/${id}`, environmentContent))
      return { params: { id }, scope: { environmentAccess: [id] }, body: { name: 'Staging (copy)' } }
    },
    cases: [
      works('all values are in it, those too that are not shared', {
        check: ({ body }) => holds(body, { ...environmentContent, name: 'Staging (copy)' })
      })
    ]
  }
]
