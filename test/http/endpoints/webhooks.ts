import * as assert from 'uvu/assert'
import { fields, holds, idsOf, records, text } from '../client.js'
import { type Case, type Row, refuses, works } from '../endpoint.js'
import { type Access, succeeded, type World } from '../world.js'

const URL = 'https://192.0.2.1/hook?token=abc'

/** One that everybody may have: of the owner, for a collection of the owner. */
async function made(world: World) {
  const collectionId = await world.collection()
  const { body } = succeeded(await world.by(world.owner).post('/webhooks', { url: URL, collectionId }))
  return {
    ...{ params: { id: text(fields(body).webhook, 'id') }, collectionId, secret: text(body, 'secret') },
    scope: { collectionAccess: [collectionId] } satisfies Access
  }
}

// An account may have only so many, and most of what is asked here changes nothing.
const shared = new WeakMap<World, ReturnType<typeof made>>()
function one(world: World): ReturnType<typeof made> {
  const found = shared.get(world) ?? made(world)
  shared.set(world, found)
  return found
}
const sent = async (world: World) => {
  const { params, scope } = await one(world)
  return { params, scope }
}
const content = async (world: World) => ({ body: { url: URL, collectionId: (await one(world)).collectionId } })

/** Whose it is and administrators; to others it is as if there were none. */
const owned = {
  matrix: { 'a user without access': 404, 'a user with this id': 404, 'a user with *': 404 },
  sample: sent
} as const

const wrong: readonly Case[] = [
  ...[
    'example.com',
    'ftp://example.com/',
    'https://user:password@example.com/',
    'https://user@example.com/',
    'https://example.com/#part',
    ''
  ].map((url) => refuses(400, null, `a URL that is none: ${url}`, { body: { url } })),
  refuses(400, 'url: Longer than 2000 characters', 'a URL that is too long as it is kept, and could not be sent back', {
    body: { url: `https://example.com/${'é'.repeat(500)}` }
  }),
  refuses(400, null, 'an unknown type', { body: { types: ['RequestChanged'] } })
]

/** Subscriptions of URLs to changes. */
export const webhookRows: readonly Row[] = [
  {
    row: 'GET /webhooks',
    sample: () => ({}),
    cases: [
      works('users see their own, without any secret', async (world) => {
        const { params, secret } = await one(world)
        return {
          by: world.owner,
          check: (reply) => {
            assert.ok(idsOf(reply, 'webhooks').includes(params.id))
            assert.ok(records(reply, 'webhooks').every((each) => each.ownerId === world.owner.id))
            assert.not.match(reply.text, secret)
          }
        }
      }),
      works('others see nothing of them', {
        by: 'colleague',
        check: ({ body }) => assert.equal(body, { webhooks: [] })
      }),
      works('administrators see all', async (world) => {
        const { id } = (await one(world)).params
        return { by: world.admin, check: (reply) => assert.ok(idsOf(reply, 'webhooks').includes(id)) }
      })
    ]
  },
  {
    row: 'POST /webhooks',
    matrix: { 'a user without access': 403 },
    sample: async (world) => ({ ...(await content(world)), scope: (await one(world)).scope }),
    cases: [
      works('with everything that may be said, and its secret', {
        body: { kinds: ['request', 'request'], types: ['RequestUpdated'], description: 'For the build' },
        check: ({ body }, _, { owner }) => {
          const { webhook, secret } = fields(body)
          assert.match(String(secret), /^whsec_/)
          holds(webhook, { kinds: ['request'], types: ['RequestUpdated'], description: 'For the build' })
          holds(webhook, { ownerId: owner.id, status: 'active', url: URL })
        }
      }),
      works('of an administrator, for everything', { by: 'admin', body: { collectionId: undefined } }),
      ...wrong
    ]
  },
  { row: 'GET /webhooks/:id', ...owned },
  {
    row: 'PUT /webhooks/:id',
    ...owned,
    sample: async (world) => ({ ...(await sent(world)), ...(await content(world)) }),
    cases: [
      works('it is changed and switched off', async (world) => {
        const { params, collectionId } = await made(world)
        return {
          params,
          body: { url: `${URL}2`, collectionId, isEnabled: false },
          check: ({ body }) => holds(body, { url: `${URL}2`, status: 'disabled', disabledReason: 'requested' })
        }
      }),
      ...wrong
    ]
  },
  {
    row: 'DELETE /webhooks/:id',
    ...owned,
    sample: async (world) => {
      const { params, scope } = await made(world)
      return { params, scope }
    },
    cases: [
      works('it is gone', {
        check: async (_, { params }, { by, owner }) =>
          assert.is((await by(owner).get(`/webhooks/${params?.id}`)).status, 404)
      })
    ]
  },
  {
    row: 'POST /webhooks/:id/rotate',
    ...owned,
    cases: [
      works('another secret', async (world) => {
        const { params, secret } = await made(world)
        return { params, check: ({ body }) => assert.is.not(fields(body).secret, secret) }
      })
    ]
  },
  { row: 'POST /webhooks/:id/enable', ...owned },
  {
    row: 'POST /webhooks/:id/replay',
    ...owned,
    sample: async (world) => ({ ...(await sent(world)), body: { after: world.position() } }),
    cases: [
      works('from the beginning', { body: { after: 0 } }),
      refuses(400, null, 'beyond the end of the log', { body: { after: 1_000_000 } })
    ]
  },
  {
    row: 'POST /webhooks/:id/test',
    ...owned,
    cases: [
      works('what came of it: a private address is not connected to', {
        check: ({ body }) =>
          holds(body, { status: null, error: 'The host is at an address that the hub does not connect to.' })
      })
    ]
  },
  {
    row: 'GET /webhooks/:id/deliveries',
    ...owned,
    cases: [works('where it stands', { check: ({ body }) => holds(body, { failing: null, deliveries: [] }) })]
  }
]
