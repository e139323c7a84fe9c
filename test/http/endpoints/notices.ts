import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields, records, text } from '../client.js'
import { requestContent } from '../content.js'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { exactly, notice, noticePage, noticeSettings } from '../shapes.js'
import { succeeded, type World } from '../world.js'

/** A request that the colleague has saved: news to the owner. */
async function saved(world: World): Promise<string> {
  const collectionId = await world.collection()
  const id = await world.request(collectionId)
  succeeded(await world.by(world.colleague).put(`/requests/${id}`, { ...requestContent, collectionId, name: 'Next' }))
  return id
}

/** A thread of the owner about a request. */
async function thread(world: World) {
  const collectionId = await world.collection()
  const requestId = await world.request(collectionId)
  const id = await world.make(`requests/${requestId}/discussions`, { body: 'Why?' })
  return { params: { id }, scope: { collectionAccess: [collectionId] } }
}

const everybody = { 'a user without access': 200 } as const
/** Who was not there when it happened is told nothing of it. */
const nobodyNew = { 'a user without access': 404, 'a user with this id': 404 } as const
const unknown = () => ({ params: { id: randomUUID() } })

/** What users are told; how the stream goes on is in notices.test.ts. */
export const noticeEndpoints: readonly Endpoint[] = [
  {
    row: 'GET /notices',
    access: 'user',
    success: 200,
    refusals: [400, 403],
    matrix: everybody,
    sample: () => ({}),
    cases: [
      works('what others have done, newest first', async (world) => {
        const [first, second] = [await saved(world), await saved(world)]
        return {
          query: 'limit=2',
          check: ({ body }) => {
            const { notices, nextCursor } = exactly(noticePage, body)
            assert.equal(
              notices.map(({ requestId }) => requestId),
              [second, first]
            )
            assert.type(nextCursor, nextCursor === undefined ? 'undefined' : 'string')
            const [newest] = notices
            assert.equal(
              [newest?.eventType, newest?.readAt, newest?.actor.id],
              ['request.updated', null, world.colleague.id]
            )
            assert.equal(newest?.displayMetadata, {
              ...{ actorName: world.colleague.name, targetLabel: 'Next', requestName: 'Next' },
              method: requestContent.method
            })
          }
        }
      }),
      works('an empty cursor is none', () => ({ query: 'cursor=' })),
      ...['limit=0', 'limit=101', 'limit=x', 'cursor=nonsense', 'cursor=2026-13-01T00:00:00Z'].map((query) =>
        refuses(400, null, query, () => ({ query }))
      )
    ]
  },
  {
    row: 'GET /notices/unread-count',
    access: 'user',
    success: 200,
    refusals: [403],
    matrix: everybody,
    sample: () => ({}),
    cases: [
      works('as many as the list has unread', async (world) => {
        await saved(world)
        const { get } = world.by(world.owner)
        const list = records(succeeded(await get('/notices?limit=100')), 'notices')
        const count = list.filter(({ readAt }) => readAt === null).length
        return { check: ({ body }) => assert.equal(body, { count }) }
      })
    ]
  },
  {
    row: 'GET /notices/stream',
    access: 'user',
    success: 200,
    answers: 'events',
    refusals: [400, 403],
    matrix: everybody,
    sample: () => ({}),
    cases: [
      works('the stream begins at once', () => ({
        check: ({ text }) => assert.ok(text.startsWith(': connected\n\n'), text)
      })),
      refuses(400, null, 'a last id that is none', () => ({ headers: { 'last-event-id': 'x' } }))
    ]
  },
  {
    row: 'POST /notices/:id/read',
    access: 'user',
    success: 200,
    refusals: [400, 403, 404],
    matrix: nobodyNew,
    sample: async (world) => ({ params: { id: await saved(world) } }),
    cases: [
      works('the notice, read', async (world) => {
        const id = await saved(world)
        return {
          params: { id },
          check: ({ body }) => {
            const read = exactly(notice, body)
            assert.is(read.id, id)
            assert.ok(read.readAt !== null)
          }
        }
      }),
      works('again: as it was read first', async (world) => {
        const params = { id: await saved(world) }
        const first = await world.by(world.owner).post(`/notices/${params.id}/read`)
        return { params, check: ({ body }) => assert.equal(body, first.body) }
      }),
      refuses(404, 'Notice not found', 'an unknown one', unknown),
      refuses(404, 'Notice not found', 'what the caller has done', async (world) => ({
        params: { id: await world.request(await world.collection()) }
      })),
      refuses(400, null, 'a key', async (world) => ({
        params: { id: await saved(world) },
        headers: { 'idempotency-key': 'k' }
      }))
    ]
  },
  {
    row: 'POST /notices/read-all',
    access: 'user',
    success: 200,
    refusals: [400, 403],
    matrix: everybody,
    sample: () => ({}),
    cases: [
      works('nothing is unread then', async (world) => {
        await saved(world)
        return {
          check: async ({ body }) => {
            assert.equal(body, { count: 0 })
            const { get } = world.by(world.owner)
            assert.equal((await get('/notices/unread-count')).body, { count: 0 })
            const [newest] = exactly(noticePage, (await get('/notices')).body).notices
            assert.ok(newest?.readAt)
          }
        }
      }),
      refuses(400, null, 'a key', () => ({ headers: { 'idempotency-key': 'k' } }))
    ]
  },
  {
    row: 'GET /me/notification-settings',
    access: 'user',
    success: 200,
    refusals: [403],
    matrix: everybody,
    sample: () => ({}),
    cases: [
      works('an account that has chosen nothing gets all', async (world) => ({
        by: await world.user(),
        check: ({ body }) => assert.equal(body, { level: 'all', updatedAt: '1970-01-01T00:00:00.000Z' })
      }))
    ]
  },
  {
    row: 'PUT /me/notification-settings',
    access: 'user',
    success: 200,
    refusals: [400, 403],
    matrix: everybody,
    sample: () => ({ body: { level: 'all' } }),
    cases: [
      works('a choice, which stays', async (world) => {
        const by = await world.user()
        return {
          by,
          body: { level: 'none' },
          check: async ({ body }) => {
            assert.is(exactly(noticeSettings, body).level, 'none')
            assert.equal((await world.by(by).get('/me/notification-settings')).body, body)
          }
        }
      }),
      refuses(400, null, 'no level', () => ({ body: {} })),
      refuses(400, null, 'an unknown one', () => ({ body: { level: 'some' } }))
    ]
  },
  {
    row: 'GET /discussion-threads/:id/subscription',
    access: 'user',
    success: 200,
    refusals: [403],
    matrix: everybody,
    sample: thread,
    cases: [
      works('whoever writes takes part', async (world) => {
        const { params } = await thread(world)
        return { params, check: ({ body }) => assert.equal(body, { subscribed: true, rootCommentId: params.id }) }
      }),
      works('whoever does not, does not', async (world) => {
        const { params } = await thread(world)
        return {
          ...{ params, by: world.colleague },
          check: ({ body }) => assert.equal(body, { subscribed: false, rootCommentId: params.id })
        }
      }),
      works('an unknown one', () => ({ ...unknown(), check: ({ body }) => assert.is(fields(body).subscribed, false) }))
    ]
  },
  {
    row: 'POST /discussion-threads/:id/subscribe',
    access: 'user',
    success: 200,
    refusals: [400, 403, 404],
    sample: thread,
    cases: [
      works('it is told of then, also when it was before', async (world) => {
        const { params } = await thread(world)
        const { post, get } = world.by(world.colleague)
        succeeded(await post(`/discussion-threads/${params.id}/subscribe`))
        return {
          ...{ params, by: world.colleague },
          check: async ({ body }) => {
            assert.equal(body, { subscribed: true, rootCommentId: params.id })
            assert.equal((await get(`/discussion-threads/${params.id}/subscription`)).body, body)
          }
        }
      }),
      refuses(404, 'Discussion thread not found', 'an unknown one', unknown),
      refuses(404, 'Discussion thread not found', 'an answer', async (world) => {
        const { params } = await thread(world)
        const reply = await world.by(world.owner).post(`/discussion-comments/${params.id}/replies`, { body: 'So' })
        return { params: { id: text(reply.body, 'id') } }
      }),
      refuses(400, null, 'a key', async (world) => ({
        ...(await thread(world)),
        headers: { 'idempotency-key': 'k' }
      }))
    ]
  },
  {
    row: 'POST /discussion-threads/:id/unsubscribe',
    access: 'user',
    success: 200,
    refusals: [400, 403],
    matrix: everybody,
    sample: thread,
    cases: [
      works('not even who takes part is told of it then', async (world) => {
        const { params } = await thread(world)
        const { get } = world.by(world.owner)
        return {
          params,
          check: async ({ body }) => {
            assert.equal(body, { subscribed: false, rootCommentId: params.id })
            assert.equal((await get(`/discussion-threads/${params.id}/subscription`)).body, body)
          }
        }
      }),
      works('an unknown one', () => ({ ...unknown(), check: ({ body }) => assert.is(fields(body).subscribed, false) })),
      refuses(400, null, 'a key', async (world) => ({
        ...(await thread(world)),
        headers: { 'idempotency-key': 'k' }
      }))
    ]
  }
]
