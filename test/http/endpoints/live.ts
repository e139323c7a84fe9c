import * as assert from 'uvu/assert'
import { type Case, refuses, works } from '../endpoint.js'
import { type LockableKind, livePages, liveServers } from '../kinds.js'
import { exactly } from '../shapes.js'
import type { World } from '../world.js'

/** What live servers and live pages have beside what all lockable kinds share: many fields, and an order that clients give. */
export const liveCases: Readonly<Record<string, readonly Case[]>> = {
  ...casesOf(liveServers, { faviconDataUrl: 'dropped' }),
  ...casesOf(livePages, { root: 'dropped' }),
  'POST /live-servers': [
    ...ordered(liveServers),
    refuses(400, null, 'a port that is none', () => ({ body: { name: 'Docs', port: 70_000 } })),
    refuses(400, null, 'a switch that is no boolean', () => ({ body: { name: 'Docs', watch: 'yes' } })),
    refuses(400, null, 'a list that is none', () => ({ body: { name: 'Docs', indexFiles: 'index.html' } })),
    refuses(400, null, 'half a header', () => ({ body: { name: 'Docs', headers: [{ name: 'x' }] } })),
    works('some of cors: the rest by default', () => ({
      body: { name: 'Docs', cors: { enabled: true } },
      check: ({ body }) => {
        const { cors } = exactly(liveServers.shape, body) as { cors: object }
        assert.equal(cors, { ...Object(liveServers.defaults.cors), enabled: true })
      }
    }))
  ],
  'POST /live-pages': [
    ...ordered(livePages),
    refuses(400, null, 'a URL that is no text', () => ({ body: { name: 'Shop', url: 7 } })),
    refuses(400, null, 'an icon that is too large', () => ({
      body: { name: 'Shop', faviconDataUrl: 'x'.repeat(64 * 1024 + 1) }
    })),
    works('an auth block of a type that the hub does not know: kept as it is', () => ({
      body: { name: 'Shop', auth: { type: 'oauth2', oauth2: { scope: 'all' } } },
      check: ({ body }) => {
        assert.equal(Object(body).auth, { type: 'oauth2', oauth2: { scope: 'all' } })
      }
    }))
  ]
}

function casesOf(kind: LockableKind, unknown: object): Readonly<Record<string, readonly Case[]>> {
  const { path, shape, content } = kind
  const one = async (world: World, body: object = content) => ({ params: { id: await world.make(path, body) } })
  return {
    [`PUT /${path}/:id`]: [
      works('without sortOrder: it keeps the one that it had', async (world) => ({
        ...(await one(world, { ...content, sortOrder: -3 })),
        body: { ...content, name: 'Renamed' },
        check: ({ body }) => assert.is(Object(exactly(shape, body)).sortOrder, -3)
      })),
      works('what is left out: as it is when one is made', async (world) => ({
        ...(await one(world)),
        body: { name: 'Bare', ...unknown },
        check: ({ body }) => {
          const now = Object(exactly(shape, body))
          assert.equal({ ...now, ...kind.defaults }, now)
        }
      })),
      refuses(400, null, 'a sort order that is no whole number', async (world) => ({
        ...(await one(world)),
        body: { ...content, sortOrder: 1.5 }
      }))
    ]
  }
}

function ordered({ shape, content }: LockableKind): readonly Case[] {
  return [
    works('sortOrder: kept, whatever others have', () => ({
      body: { ...content, sortOrder: -1 },
      check: ({ body }) => assert.is(Object(exactly(shape, body)).sortOrder, -1)
    })),
    refuses(400, null, 'a sort order beyond what numbers take', () => ({ body: { ...content, sortOrder: 3e9 } }))
  ]
}
