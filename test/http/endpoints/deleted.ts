import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields, records } from '../client.js'
import { requestContent } from '../content.js'
import { type Case, type Endpoint, refuses, works } from '../endpoint.js'
import type { Account } from '../support.js'
import { succeeded, type World } from '../world.js'

/** A collection that somebody has deleted. */
async function deletedCollection(world: World, as = world.owner): Promise<string> {
  const id = await world.collection('Gone', as)
  await world.request(id)
  succeeded(await world.by(as).delete(`/collections/${id}`))
  return id
}

/** What both lists tell of the same deletion; `by` asks. */
const told = (by: (world: World) => Account): Case =>
  works('what is deleted, newest first: by whom, where it was, and what went with it', async (world) => {
    const id = await deletedCollection(world)
    const kept = await world.collection('Kept')
    const request = await world.request(kept)
    succeeded(await world.by(world.owner).delete(`/requests/${request}`))
    const { id: deletedByUserId, name } = world.owner
    const deletedBy = { id: deletedByUserId, name }
    return {
      by: by(world),
      query: 'limit=2',
      check: (reply) => {
        const found = records(reply, 'deleted').map(({ position: _, deletedAt: __, ...rest }) => rest)
        const nothing = { folders: 0, requests: 0, documents: 0 }
        const of = { deletedByUserId, deletedBy }
        assert.equal(found, [
          {
            ...{ kind: 'request', id: request, name: requestContent.name, held: nothing, ...of },
            ...{ collectionId: kept, collection: { id: kept, name: 'Kept' } }
          },
          {
            ...{ kind: 'collection', id, name: 'Gone', held: { ...nothing, requests: 1 }, ...of },
            ...{ collectionId: id, collection: null }
          }
        ])
      }
    }
  })

const refusals: readonly Case[] = [
  refuses(409, 'Collection is not deleted.', 'something that is there', async (world) => ({
    body: { kind: 'collection', id: await world.collection() }
  })),
  refuses(
    409,
    'The collection that this belonged to is deleted. Bring the collection back first.',
    'a request of a collection that is deleted too',
    async (world) => {
      const collection = await world.collection()
      const id = await world.request(collection)
      succeeded(await world.by(world.owner).delete(`/requests/${id}`))
      succeeded(await world.by(world.owner).delete(`/collections/${collection}`))
      return { body: { kind: 'request', id } }
    }
  ),
  refuses(404, 'Request not found', 'what never was', () => ({ body: { kind: 'request', id: randomUUID() } })),
  refuses(400, null, 'a kind that is none', () => ({ body: { kind: 'user', id: randomUUID() } }))
]

/** What is deleted, and bringing it back. */
export const deletedEndpoints: readonly Endpoint[] = [
  {
    row: 'GET /deleted',
    access: 'user',
    success: 200,
    refusals: [400, 403],
    matrix: { 'a user without access': 200 },
    sample: () => ({}),
    cases: [
      told((world) => world.owner),
      works('what others have deleted is not in it', async (world) => {
        await deletedCollection(world, world.colleague)
        return {
          by: await world.user({ collectionAccess: ['*'] }),
          check: ({ body }) => assert.equal(body, { deleted: [] })
        }
      }),
      refuses(400, null, 'a limit that is none', () => ({ query: 'limit=0' }))
    ]
  },
  {
    row: 'POST /undelete',
    access: 'user',
    success: 200,
    refusals: [400, 403, 404, 409],
    matrix: { 'a user without access': 404, 'a user with this id': 404, 'a user with *': 404 },
    sample: async (world) => ({ body: { kind: 'collection', id: await deletedCollection(world) } }),
    cases: [
      works('what the caller has deleted, with what went with it', async (world) => {
        const id = await deletedCollection(world)
        return {
          body: { kind: 'collection', id },
          check: ({ body }) => assert.equal(fields(body).restored, { collection: 1, request: 1 })
        }
      }),
      refuses(404, 'Collection not found', 'what somebody else has deleted', async (world) => ({
        body: { kind: 'collection', id: await deletedCollection(world, world.colleague) }
      })),
      ...refusals
    ]
  },
  {
    row: 'GET /admin/deleted',
    access: 'admin',
    success: 200,
    refusals: [400, 403],
    sample: () => ({}),
    cases: [told((world) => world.admin), refuses(400, null, 'a limit that is none', () => ({ query: 'limit=0' }))]
  },
  {
    row: 'POST /admin/undelete',
    access: 'admin',
    success: 200,
    refusals: [400, 403, 404, 409],
    sample: async (world) => ({ body: { kind: 'collection', id: await deletedCollection(world) } }),
    cases: refusals
  }
]
