import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields, holds, records } from '../client.js'
import { type Row, works } from '../endpoint.js'
import { type Access, succeeded, type World } from '../world.js'

/** Something that can be discussed, as the parameters of a request about it, and the access that opens it. */
interface Thing {
  readonly params: { readonly id: string }
  readonly scope: Access
}

/** A thing in a collection of its own. */
const inCollection =
  (make: (world: World, collectionId: string) => string | Promise<string>) =>
  async (world: World): Promise<Thing> => {
    const collectionId = await world.collection()
    return { params: { id: await make(world, collectionId) }, scope: { collectionAccess: [collectionId] } }
  }

const aRequest = inCollection((world, collectionId) => world.request(collectionId))
const payload = { harborclientExport: 'request-run-results', results: [{ status: 'passed' }] }
const things = [
  ['requests', 'request', aRequest],
  ['collections', 'collection', inCollection((_, id) => id)],
  ['folders', 'folder', inCollection((world, collectionId) => world.folder(collectionId))],
  [
    'run-results',
    'runResult',
    async (world: World): Promise<Thing> => ({
      params: { id: await world.make('run-results', { payload }) },
      scope: {}
    })
  ]
] as const

/** A comment of the owner on a request, with the ids of both. */
async function aComment(world: World) {
  const { params, scope } = await aRequest(world)
  const id = await world.make(`requests/${params.id}/discussions`, { body: 'Why?' })
  return { params: { id }, scope, requestId: params.id }
}

const ANOTHERS = 'You can only edit your own comments'

const ofThings = things.flatMap(([path, entityType, make]): readonly Row[] => {
  const matrix = path === 'run-results' ? { matrix: { 'a user without access': 200 } } : {}
  return [
    {
      row: `GET /${path}/:id/discussions`,
      ...matrix,
      sample: make,
      cases: [
        works('there are comments: oldest first, without a cursor at the end', async (world) => {
          const { params } = await make(world)
          for (const body of ['One', 'Two']) await world.make(`${path}/${params.id}/discussions`, { body })
          return {
            params,
            check: (reply) => {
              assert.equal(
                records(reply, 'comments').map((one) => [one.body, one.entityType, one.entityId]),
                ['One', 'Two'].map((text) => [text, entityType, params.id])
              )
              assert.equal(Object.keys(fields(reply.body)), ['comments'])
            }
          }
        }),
        works('there are none; an empty cursor is none', {
          query: 'cursor=',
          check: ({ body }) => assert.equal(body, { comments: [] })
        })
      ]
    },
    {
      row: `POST /${path}/:id/discussions`,
      ...matrix,
      sample: async (world) => ({ ...(await make(world)), body: { body: 'Why?' } }),
      cases: [
        works('a text: a comment of the caller, without the blanks around it', {
          body: { body: ' Why 409 here? \n', parentCommentId: randomUUID() },
          check: ({ body }, { params }, { owner }) => {
            const { id, author, createdAt, updatedAt } = fields(body)
            assert.is(createdAt, updatedAt)
            holds(author, { id: owner.id, name: owner.name })
            holds(body, {
              ...{ entityType, entityId: params?.id, parentCommentId: null, rootCommentId: id, depth: 1 },
              ...{ body: 'Why 409 here?', bodyFormat: 'plaintext', encryptedPayload: null, tombstoned: false }
            })
          }
        })
      ]
    }
  ]
})

const ofThreads: readonly Row[] = [
  {
    row: 'POST /discussion-threads/:id/resolve',
    sample: aComment,
    cases: [
      works('it is open: who resolved it, and when, is beside its first comment from then on', async (world) => {
        const { params, requestId } = await aComment(world)
        const { colleague } = world
        return {
          params,
          by: colleague,
          check: async ({ body }) => {
            holds(body, { id: params.id, body: 'Why?' })
            const { createdAt, updatedAt, resolvedAt, resolvedBy } = fields(body)
            assert.is(updatedAt, createdAt)
            assert.is(typeof resolvedAt, 'string')
            holds(resolvedBy, { id: colleague.id, name: colleague.name })
            const again = await world.by(world.owner).post(`/discussion-threads/${params.id}/resolve`)
            assert.equal(again.body, body)
            const list = await world.by(world.owner).get(`/requests/${requestId}/discussions`)
            assert.equal(records(list, 'comments'), [body])
          }
        }
      })
    ]
  },
  {
    row: 'POST /discussion-threads/:id/reopen',
    sample: aComment,
    cases: [
      works('it is resolved: it is as if it had never been', async (world) => {
        const { params, requestId } = await aComment(world)
        const by = world.by(world.owner)
        const before = await by.get(`/requests/${requestId}/discussions`)
        succeeded(await by.post(`/discussion-threads/${params.id}/resolve`))
        return {
          params,
          check: async ({ body }) => {
            const { text } = await by.get(`/requests/${requestId}/discussions`)
            assert.is(text, before.text)
            assert.equal(records(before, 'comments'), [body])
          }
        }
      })
    ]
  }
]

/** What people say about requests, collections, folders and run results. */
export const discussionRows: readonly Row[] = [
  ...ofThings,
  ...ofThreads,
  {
    row: 'POST /discussion-comments/:id/replies',
    sample: async (world) => ({ ...(await aComment(world)), body: { body: 'So' } }),
    cases: [
      works('a text: a comment below the other, in its thread', async (world) => {
        const { params, requestId } = await aComment(world)
        const { colleague, owner } = world
        return {
          params,
          by: colleague,
          body: { body: 'So' },
          check: async ({ body }) => {
            holds(body, { parentCommentId: params.id, rootCommentId: params.id, depth: 2, entityId: requestId })
            holds(fields(body).author, { id: colleague.id })
            const list = await world.by(owner).get(`/requests/${requestId}/discussions`)
            assert.equal(records(list, 'comments').at(-1), body)
          }
        }
      })
    ]
  },
  {
    row: 'PUT /discussion-comments/:id',
    matrix: { 'a user with this id': 403, 'a user with *': 403 },
    texts: { 'a user with this id': ANOTHERS, 'a user with *': ANOTHERS },
    sample: async (world) => ({ ...(await aComment(world)), body: { body: 'New' } }),
    cases: [
      works('a text: it takes the place of the other', {
        body: { body: ' New ' },
        check: ({ body }) => holds(body, { body: 'New' })
      })
    ]
  },
  {
    row: 'DELETE /discussion-comments/:id',
    matrix: { 'a user without access': 403, 'a user with this id': 403, 'a user with *': 403 },
    sample: aComment,
    cases: [
      works('one’s own: its text is gone, and it keeps its place', async (world) => {
        const { params, requestId } = await aComment(world)
        return {
          ...{ params, by: world.owner },
          check: async ({ body }) => {
            holds(body, { id: params.id, body: null, tombstoned: true })
            const list = await world.by(world.owner).get(`/requests/${requestId}/discussions`)
            assert.equal(records(list, 'comments'), [body])
          }
        }
      })
    ]
  }
]
