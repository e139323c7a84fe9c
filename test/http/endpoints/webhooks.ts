import * as assert from 'uvu/assert'
import { z } from 'zod'
import { type Fields, fields, text } from '../client.js'
import { type Endpoint, refuses, type Who, works } from '../endpoint.js'
import { exactly } from '../shapes.js'
import { type Access, succeeded, type World } from '../world.js'

const timestamp = z.iso.datetime()
const webhook = z.strictObject({
  id: z.uuid(),
  ownerId: z.string(),
  url: z.string(),
  kinds: z.array(z.string()),
  types: z.array(z.string()),
  collectionId: z.uuid().nullable(),
  description: z.string(),
  isEnabled: z.boolean(),
  status: z.enum(['active', 'disabled']),
  disabledReason: z.string().nullable(),
  disabledAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
  rotatedAt: timestamp.nullable()
})
const webhooks = z.strictObject({ webhooks: z.array(webhook) })
const withSecret = z.strictObject({ webhook, secret: z.string().regex(/^whsec_/) })
const attempt = z.strictObject({
  messageId: z.string(),
  status: z.number().nullable(),
  error: z.string().nullable(),
  answer: z.string(),
  durationMs: z.number()
})
const report = z.strictObject({
  position: z.number(),
  end: z.number(),
  failing: z.null(),
  deliveries: z.array(z.unknown())
})

const URL = 'https://192.0.2.1/hook?token=abc'
const NOT_FOUND = 'Webhook not found'

/** One that everybody may have: of the owner, for a collection of the owner. */
async function made(
  world: World
): Promise<{ readonly id: string; readonly collectionId: string; readonly secret: string }> {
  const collectionId = await world.collection()
  const { body } = succeeded(await world.by(world.owner).post('/webhooks', { url: URL, collectionId }))
  const { webhook, secret } = exactly(withSecret, body)
  return { id: webhook.id, collectionId, secret }
}

// An account may have only so many, and most of what is asked here changes nothing.
const shared = new WeakMap<World, ReturnType<typeof made>>()
function one(world: World): ReturnType<typeof made> {
  const found = shared.get(world) ?? made(world)
  shared.set(world, found)
  return found
}

const params = async (world: World) => {
  const { id, collectionId } = await one(world)
  return { params: { id }, scope: { collectionAccess: [collectionId] } satisfies Access }
}

/** Whose it is and administrators; to others it is as if there were none. */
const matrix: Partial<Record<Who, number>> = {
  'a user without access': 404,
  'a user with this id': 404,
  'a user with *': 404
}

const missing = refuses(404, NOT_FOUND, 'there is none', () => ({ params: { id: 'none' } }))
const anothers = refuses(404, NOT_FOUND, "another user's", async (world) => ({
  by: world.colleague,
  params: { id: (await one(world)).id }
}))

const content = (changes: Fields) => async (world: World) => ({
  body: { url: URL, collectionId: (await one(world)).collectionId, ...changes }
})

const wrong = (row: (changes: Fields) => (world: World) => Promise<{ body: unknown }>) => [
  ...[
    'example.com',
    'ftp://example.com/',
    'https://user:password@example.com/',
    'https://user@example.com/',
    'https://example.com/#part',
    '',
    7,
    `https://example.com/${'x'.repeat(2000)}`
  ].map((url) => refuses(400, null, `a URL that is none: ${String(url).slice(0, 40)}`, row({ url }))),
  refuses(400, null, 'an unknown kind', row({ kinds: ['colection'] })),
  refuses(400, null, 'an unknown type', row({ types: ['RequestChanged'] })),
  refuses(400, null, 'more kinds than there may be', row({ kinds: Array(101).fill('request') })),
  refuses(400, null, 'a description that is too long', row({ description: 'x'.repeat(501) }))
]

/** Subscriptions of URLs to changes. */
export const webhookEndpoints: readonly Endpoint[] = [
  {
    row: 'GET /webhooks',
    access: 'any',
    success: 200,
    refusals: [],
    sample: () => ({}),
    cases: [
      works('users see their own, without any secret', async (world) => {
        const { id, secret } = await one(world)
        return {
          by: world.owner,
          check: ({ body, text }) => {
            const found = exactly(webhooks, body).webhooks
            assert.ok(found.some((each) => each.id === id))
            assert.ok(found.every((each) => each.ownerId === world.owner.id))
            assert.not.match(text, secret)
          }
        }
      }),
      works('others see nothing of them', (world) => ({
        by: world.colleague,
        check: ({ body }) => assert.equal(body, { webhooks: [] })
      })),
      works('administrators see all', async (world) => {
        const { id } = await one(world)
        return {
          by: world.admin,
          check: ({ body }) => assert.ok(exactly(webhooks, body).webhooks.some((each) => each.id === id))
        }
      })
    ]
  },
  {
    row: 'POST /webhooks',
    access: 'any',
    success: 201,
    refusals: [400, 403, 404],
    matrix: { 'a user without access': 403 },
    sample: async (world) => {
      const { collectionId } = await one(world)
      return { body: { url: URL, collectionId }, scope: { collectionAccess: [collectionId] } }
    },
    cases: [
      works('with everything that may be said, and its secret', async (world) => ({
        by: world.owner,
        body: {
          ...(await content({ kinds: ['request', 'request'], types: ['RequestUpdated'] })(world)).body,
          description: 'For the build'
        },
        check: ({ body }) => {
          const { webhook } = exactly(withSecret, body)
          assert.equal([webhook.kinds, webhook.types], [['request'], ['RequestUpdated']])
          assert.equal([webhook.ownerId, webhook.status, webhook.url], [world.owner.id, 'active', URL])
        }
      })),
      works('of an administrator, for everything', (world) => ({ by: world.admin, body: { url: URL } })),
      refuses(
        403,
        'Name a collectionId: only administrators can subscribe to all changes.',
        'everything, for a user',
        (world) => ({ by: world.owner, body: { url: URL } })
      ),
      refuses(404, 'Collection not found', 'a collection that is not there', (world) => ({
        by: world.admin,
        body: { url: URL, collectionId: 'none' }
      })),
      ...wrong(content)
    ]
  },
  {
    row: 'GET /webhooks/:id',
    access: 'any',
    success: 200,
    refusals: [404],
    matrix,
    sample: params,
    cases: [
      works('one, without its secret', async (world) => ({
        ...(await params(world)),
        check: ({ body }) => exactly(webhook, body)
      })),
      missing,
      anothers
    ]
  },
  {
    row: 'PUT /webhooks/:id',
    access: 'any',
    success: 200,
    refusals: [400, 403, 404, 412],
    matrix,
    sample: async (world) => {
      const { id, collectionId } = await one(world)
      return { params: { id }, body: { url: URL, collectionId }, scope: { collectionAccess: [collectionId] } }
    },
    cases: [
      works('it is changed and switched off', async (world) => {
        const { id, collectionId } = await made(world)
        return {
          params: { id },
          body: { url: `${URL}2`, collectionId, isEnabled: false },
          check: ({ body }) => {
            const { url, status, disabledReason } = exactly(webhook, body)
            assert.equal([url, status, disabledReason], [`${URL}2`, 'disabled', 'requested'])
          }
        }
      }),
      refuses(403, null, 'a collection that the owner may not see', async (world) => {
        const user = await world.user({ collectionAccess: [(await one(world)).collectionId] })
        const { collectionId } = await one(world)
        const { post } = world.by(user)
        const { body } = succeeded(await post('/webhooks', { url: URL, collectionId }))
        const other = await world.collection()
        return { by: user, params: { id: text(fields(body).webhook, 'id') }, body: { url: URL, collectionId: other } }
      }),
      refuses(412, null, 'it was changed since it was read', async (world) => ({
        params: { id: (await one(world)).id },
        headers: { 'if-match': '"1"' },
        ...(await content({ description: 'other' })(world))
      })),
      refuses(404, NOT_FOUND, 'there is none', async (world) => ({
        params: { id: 'none' },
        ...(await content({})(world))
      })),
      ...wrong((changes) => async (world) => ({
        params: { id: (await one(world)).id },
        ...(await content(changes)(world))
      }))
    ]
  },
  {
    row: 'DELETE /webhooks/:id',
    access: 'any',
    success: 204,
    refusals: [404],
    matrix,
    sample: async (world) => {
      const { id, collectionId } = await made(world)
      return { params: { id }, scope: { collectionAccess: [collectionId] } }
    },
    cases: [
      works('it is gone', async (world) => {
        const { id } = await made(world)
        return {
          params: { id },
          check: async () => assert.is((await world.by(world.owner).get(`/webhooks/${id}`)).status, 404)
        }
      }),
      missing,
      anothers
    ]
  },
  {
    row: 'POST /webhooks/:id/rotate',
    access: 'any',
    success: 200,
    refusals: [404],
    matrix,
    sample: params,
    cases: [
      works('another secret', async (world) => {
        const { id, secret } = await made(world)
        return { params: { id }, check: ({ body }) => assert.is.not(exactly(withSecret, body).secret, secret) }
      }),
      missing,
      anothers
    ]
  },
  {
    row: 'POST /webhooks/:id/enable',
    access: 'any',
    success: 200,
    refusals: [404],
    matrix,
    sample: params,
    cases: [works('it is active', async (world) => ({ params: { id: (await made(world)).id } })), missing, anothers]
  },
  {
    row: 'POST /webhooks/:id/replay',
    access: 'any',
    success: 200,
    refusals: [400, 404],
    matrix,
    sample: async (world) => ({ ...(await params(world)), body: { after: world.position() } }),
    cases: [
      works('from the beginning', async (world) => ({ params: { id: (await made(world)).id }, body: { after: 0 } })),
      refuses(400, null, 'beyond the end of the log', async (world) => {
        const { id } = await one(world)
        return { params: { id }, body: { after: world.position() + 1 } }
      }),
      refuses(400, null, 'no position', async (world) => ({
        params: { id: (await one(world)).id },
        body: { after: 'all' }
      })),
      refuses(404, NOT_FOUND, "another user's", async (world) => ({
        by: world.colleague,
        params: { id: (await one(world)).id },
        body: { after: 0 }
      }))
    ]
  },
  {
    row: 'POST /webhooks/:id/test',
    access: 'any',
    success: 200,
    refusals: [400, 404],
    matrix,
    sample: params,
    cases: [
      works('what came of it: a private address is not connected to', async (world) => ({
        params: { id: (await one(world)).id },
        check: ({ body }) => {
          const { status, error } = exactly(attempt, body)
          assert.equal([status, error], [null, 'The host is at an address that the hub does not connect to.'])
        }
      })),
      refuses(400, null, 'a key, which cannot be honoured', async (world) => ({
        params: { id: (await one(world)).id },
        headers: { 'idempotency-key': 'once' }
      })),
      missing,
      anothers
    ]
  },
  {
    row: 'GET /webhooks/:id/deliveries',
    access: 'any',
    success: 200,
    refusals: [404],
    matrix,
    sample: params,
    cases: [
      works('where it stands', async (world) => ({
        ...(await params(world)),
        check: ({ body }) => exactly(report, body)
      })),
      missing,
      anothers
    ]
  }
]
