import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { records } from '../client.js'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { comment, commentPage, exactly } from '../shapes.js'
import type { Access, World } from '../world.js'

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
const aRunResult = async (world: World): Promise<Thing> => ({
  params: { id: await world.make('run-results', { payload }) },
  scope: {}
})

/** A comment of the owner on a request, with the ids of both. */
async function aComment(world: World, body = 'Why?') {
  const { params, scope } = await aRequest(world)
  const id = await world.make(`requests/${params.id}/discussions`, { body })
  return { params: { id }, scope, requestId: params.id }
}

const things = [
  ['requests', 'request', aRequest],
  ['collections', 'collection', inCollection((_, id) => id)],
  ['folders', 'folder', inCollection((world, collectionId) => world.folder(collectionId))],
  ['run-results', 'runResult', aRunResult]
] as const

const EMPTY = 'Comment body is required'
const ENCRYPTED = 'Encrypted discussion payloads are only accepted on E2EE-enabled Team Hubs'
const ANOTHERS = 'You can only edit your own comments'
const NO_TARGET = 'Target entity not found'
const NO_COMMENT = 'Discussion comment not found'
const unknown = () => ({ params: { id: randomUUID() } })
const anywhere = { 'a user without access': 200 } as const

const ofThings = things.flatMap(([path, entityType, make]): readonly Endpoint[] => {
  const matrix = path === 'run-results' ? { matrix: anywhere } : {}
  const outsider = path === 'run-results' ? [] : [403]
  return [
    {
      row: `GET /${path}/:id/discussions`,
      access: 'user',
      success: 200,
      refusals: [400, 404, ...outsider],
      ...matrix,
      sample: make,
      cases: [
        works('there are comments: oldest first, without a cursor at the end', async (world) => {
          const { params } = await make(world)
          for (const body of ['One', 'Two']) await world.make(`${path}/${params.id}/discussions`, { body })
          return {
            params,
            check: ({ body }) => {
              const { comments, ...rest } = exactly(commentPage, body)
              assert.equal(
                comments.map((one) => [one.body, one.entityType, one.entityId]),
                ['One', 'Two'].map((text) => [text, entityType, params.id])
              )
              assert.equal(rest, {})
            }
          }
        }),
        works('there are none', async (world) => ({
          params: (await make(world)).params,
          check: ({ body }) => assert.equal(body, { comments: [] })
        })),
        works('an empty cursor is none', async (world) => ({ ...(await make(world)), query: 'cursor=' })),
        refuses(404, NO_TARGET, 'an unknown one', unknown),
        ...['limit=0', 'limit=101', 'limit=x', 'cursor=nonsense', 'cursor=2026-13-01T00:00:00Z'].map((query) =>
          refuses(400, null, query, async (world) => ({ params: (await make(world)).params, query }))
        )
      ]
    },
    {
      row: `POST /${path}/:id/discussions`,
      access: 'user',
      success: 200,
      refusals: [400, 404, ...outsider],
      ...matrix,
      sample: async (world) => ({ ...(await make(world)), body: { body: 'Why?' } }),
      cases: [
        works('a text: a comment of the caller, without the blanks around it', async (world) => {
          const { params } = await make(world)
          const { id: userId, name } = world.owner
          return {
            params,
            body: { body: ' Why 409 here? \n', parentCommentId: randomUUID() },
            check: ({ body }) => {
              const { id, createdAt, updatedAt, author, ...made } = exactly(comment, body)
              assert.is(createdAt, updatedAt)
              assert.equal([author.id, author.name], [userId, name])
              assert.equal(made, {
                ...{ entityType, entityId: params.id, parentCommentId: null, rootCommentId: id, depth: 1 },
                ...{ body: 'Why 409 here?', bodyFormat: 'plaintext', encryptedPayload: null },
                tombstoned: false
              })
            }
          }
        }),
        refuses(404, NO_TARGET, 'an unknown one', () => ({ ...unknown(), body: { body: 'Why?' } })),
        ...refusedTexts(async (world) => (await make(world)).params)
      ]
    }
  ]
})

/** What no route takes as the text of a comment. */
function refusedTexts(paramsOf: (world: World) => Promise<{ readonly id: string }>) {
  const refused = (error: string | null, when: string, body: object) =>
    refuses(400, error, when, async (world) => ({ params: await paramsOf(world), body }))
  return [
    refused(EMPTY, 'no text', {}),
    refused(EMPTY, 'an empty text', { body: '' }),
    refused(EMPTY, 'blanks', { body: ' \n\t ' }),
    refused(ENCRYPTED, 'an encrypted text', { encryptedPayload: { ciphertext: 'AA==' } }),
    refused(ENCRYPTED, 'an encrypted text beside another', { body: 'Why?', encryptedPayload: {} }),
    refused(null, 'a number', { body: 7 }),
    refused('body: Longer than 65536 characters', 'a text that is too long', { body: 'x'.repeat(65_537) })
  ]
}

/** What people say about requests, collections, folders and run results. */
export const discussionEndpoints: readonly Endpoint[] = [
  ...ofThings,
  {
    row: 'POST /discussion-comments/:id/replies',
    access: 'user',
    success: 200,
    refusals: [400, 404],
    sample: async (world) => ({ ...(await aComment(world)), body: { body: 'So' } }),
    cases: [
      works('a text: a comment below the other, in its thread', async (world) => {
        const { params, requestId } = await aComment(world)
        return {
          params,
          by: world.colleague,
          body: { body: 'So' },
          check: async (reply) => {
            const { parentCommentId, rootCommentId, depth, entityId, author } = exactly(comment, reply.body)
            assert.equal([parentCommentId, rootCommentId, depth, entityId], [params.id, params.id, 2, requestId])
            assert.is(author.id, world.colleague.id)
            const list = await world.by(world.owner).get(`/requests/${requestId}/discussions`)
            assert.equal(records(list, 'comments').at(-1), reply.body)
          }
        }
      }),
      refuses(400, 'Cannot reply to a deleted comment', 'it is retracted', async (world) => {
        const { params } = await aComment(world)
        await world.by(world.owner).delete(`/discussion-comments/${params.id}`)
        return { params, body: { body: 'So' } }
      }),
      refuses(404, NO_COMMENT, 'an unknown one', () => ({ ...unknown(), body: { body: 'So' } })),
      ...refusedTexts(async (world) => (await aComment(world)).params)
    ]
  },
  {
    row: 'PUT /discussion-comments/:id',
    access: 'user',
    success: 200,
    refusals: [400, 403, 404],
    matrix: { 'a user with this id': 403, 'a user with *': 403 },
    texts: { 'a user with this id': ANOTHERS, 'a user with *': ANOTHERS },
    sample: async (world) => ({ ...(await aComment(world)), body: { body: 'New' } }),
    cases: [
      works('a text: it takes the place of the other', async (world) => ({
        ...(await aComment(world)),
        body: { body: ' New ' },
        check: ({ body }) => {
          const { body: text, createdAt, updatedAt } = exactly(comment, body)
          assert.is(text, 'New')
          assert.ok(updatedAt >= createdAt)
        }
      })),
      refuses(403, ANOTHERS, 'somebody else wrote it', async (world) => ({
        ...(await aComment(world)),
        by: world.colleague,
        body: { body: 'New' }
      })),
      refuses(404, NO_COMMENT, 'an unknown one', () => ({ ...unknown(), body: { body: 'New' } })),
      ...refusedTexts(async (world) => (await aComment(world)).params)
    ]
  },
  {
    row: 'DELETE /discussion-comments/:id',
    access: 'any',
    success: 200,
    refusals: [403, 404],
    matrix: { 'a user without access': 403, 'a user with this id': 403, 'a user with *': 403 },
    sample: aComment,
    cases: [
      works('one’s own: its text is gone, and it keeps its place', async (world) => {
        const { params, requestId } = await aComment(world)
        return {
          params,
          check: async (reply) => {
            const { id, body, tombstoned } = exactly(comment, reply.body)
            assert.equal([id, body, tombstoned], [params.id, null, true])
            const list = await world.by(world.owner).get(`/requests/${requestId}/discussions`)
            assert.equal(records(list, 'comments'), [reply.body])
          }
        }
      }),
      works('an administrator: anybody’s', async (world) => ({ ...(await aComment(world)), by: world.admin })),
      refuses(403, 'Forbidden', 'somebody else wrote it', async (world) => ({
        ...(await aComment(world)),
        by: world.colleague
      })),
      refuses(404, NO_COMMENT, 'an unknown one', unknown)
    ]
  }
]
