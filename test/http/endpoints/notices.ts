import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields, holds, records, text } from '../client.js'
import { requestContent } from '../content.js'
import { type Row, refuses, works } from '../endpoint.js'
import { succeeded, type World } from '../world.js'

/** A request that the colleague has saved: news to the owner. */
async function saved(world: World) {
  const collectionId = await world.collection()
  const id = await world.request(collectionId)
  succeeded(await world.by(world.colleague).put(`/requests/${id}`, { ...requestContent, collectionId, name: 'Next' }))
  return { params: { id } }
}

/** A thread of the owner about a request. */
async function thread(world: World) {
  const collectionId = await world.collection()
  const requestId = await world.request(collectionId)
  const id = await world.make(`requests/${requestId}/discussions`, { body: 'Why?' })
  return { params: { id }, scope: { collectionAccess: [collectionId] } }
}

const matrix = { 'a user without access': 200 } as const
const asked = { matrix, sample: () => ({}) }
const ofNobody = works('an unknown one', {
  params: { id: randomUUID() },
  check: ({ body }) => holds(body, { subscribed: false })
})
const subscriptionOf = async ({ by, colleague, owner }: World, id = '', as: 'owner' | 'colleague' = 'owner') =>
  (await by({ colleague, owner }[as]).get(`/discussion-threads/${id}/subscription`)).body

/** What users are told; how the stream goes on is in notices.test.ts. */
export const noticeRows: readonly Row[] = [
  {
    row: 'GET /notices',
    ...asked,
    cases: [
      works('what others have done, newest first', async (world) => {
        const ids = [(await saved(world)).params.id, (await saved(world)).params.id]
        return {
          query: 'limit=2',
          check: (reply) => {
            const [newest, ...older] = records(reply, 'notices')
            assert.equal([newest?.requestId, older[0]?.requestId], ids.toReversed())
            holds(newest, { eventType: 'request.updated', readAt: null })
            assert.is(text(newest?.actor, 'id'), world.colleague.id)
            assert.equal(newest?.displayMetadata, {
              ...{ actorName: world.colleague.name, targetLabel: 'Next', requestName: 'Next' },
              method: requestContent.method
            })
          }
        }
      }),
      works('an empty cursor is none', { query: 'cursor=' })
    ]
  },
  {
    row: 'GET /notices/unread-count',
    ...asked
  },
  {
    row: 'GET /notices/stream',
    ...asked,
    cases: [
      works('the stream begins at once', {
        check: ({ text }) => assert.ok(text.startsWith(': connected\n\n'), text)
      }),
      refuses(400, null, 'a last id that is none', { headers: { 'last-event-id': 'x' } })
    ]
  },
  {
    row: 'POST /notices/:id/read',
    // Who was not there when it happened is told nothing of it.
    matrix: { 'a user without access': 404, 'a user with this id': 404 },
    sample: saved,
    cases: [
      works('the notice, read; again: as it was read first', async (world) => {
        const { params } = await saved(world)
        const first = await world.by(world.owner).post(`/notices/${params.id}/read`)
        holds(first.body, { id: params.id })
        assert.is.not(fields(first.body).readAt, null)
        return { params, check: ({ body }) => assert.equal(body, first.body) }
      }),
      refuses(404, 'Notice not found', 'what the caller has done', async (world) => ({
        params: { id: await world.request(await world.collection()) }
      }))
    ]
  },
  {
    row: 'POST /notices/read-all',
    ...asked,
    cases: [works('nothing is unread then', { check: ({ body }) => assert.equal(body, { count: 0 }) })]
  },
  {
    row: 'GET /me/notification-settings',
    ...asked,
    cases: [
      works('an account that has chosen nothing gets all', {
        by: 'stranger',
        check: ({ body }) => assert.equal(body, { level: 'all', updatedAt: '1970-01-01T00:00:00.000Z' })
      })
    ]
  },
  {
    row: 'PUT /me/notification-settings',
    matrix,
    sample: () => ({ body: { level: 'all' } }),
    cases: [
      works('a choice, which stays', async (world) => {
        const by = await world.user()
        return {
          by,
          body: { level: 'none' },
          check: async ({ body }) => {
            holds(body, { level: 'none' })
            assert.equal((await world.by(by).get('/me/notification-settings')).body, body)
          }
        }
      })
    ]
  },
  {
    row: 'GET /discussion-threads/:id/subscription',
    matrix,
    sample: thread,
    cases: [
      works('whoever writes takes part', {
        check: ({ body }, { params }) => assert.equal(body, { subscribed: true, rootCommentId: params?.id })
      }),
      works('whoever does not, does not', {
        by: 'colleague',
        check: ({ body }, { params }) => assert.equal(body, { subscribed: false, rootCommentId: params?.id })
      }),
      ofNobody
    ]
  },
  {
    row: 'POST /discussion-threads/:id/subscribe',
    sample: thread,
    cases: [
      works('it is told of then, also when it was before', async (world) => {
        const { params } = await thread(world)
        succeeded(await world.by(world.colleague).post(`/discussion-threads/${params.id}/subscribe`))
        return {
          params,
          by: 'colleague',
          check: async ({ body }) => {
            assert.equal(body, { subscribed: true, rootCommentId: params.id })
            assert.equal(await subscriptionOf(world, params.id, 'colleague'), body)
          }
        }
      })
    ]
  },
  {
    row: 'POST /discussion-threads/:id/unsubscribe',
    matrix,
    sample: thread,
    cases: [
      works('not even who takes part is told of it then', {
        check: async ({ body }, { params }, world) => {
          assert.equal(body, { subscribed: false, rootCommentId: params?.id })
          assert.equal(await subscriptionOf(world, params?.id), body)
        }
      }),
      ofNobody
    ]
  }
]
