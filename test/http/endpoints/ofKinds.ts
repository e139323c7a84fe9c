import * as assert from 'uvu/assert'
import { fields, holds } from '../client.js'
import { environmentContent, snippetContent } from '../content.js'
import { type Case, type Row, refuses, works } from '../endpoint.js'
import { livePages, liveServers } from '../kinds.js'
import { listed, type World } from '../world.js'

const environment = (world: World, more = {}) => world.make('environments', { name: 'Environment', ...more })

/** What deleting a collection takes with it, whoever does it. */
const cascade = works('with nested folders, requests and documents: all of them go', async (world) => {
  const id = await world.collection()
  const folder = await world.folder(id)
  const requests = [await world.request(id, folder), await world.request(id)]
  const paths = [`folders/${folder}`, ...requests.map((id) => `requests/${id}`)]
  paths.push(`documents/${await world.document(id, folder)}`, `collections/${id}`)
  return {
    params: { id },
    check: async () => {
      for (const path of paths) assert.is((await world.by(world.owner).get(`/${path}`)).status, 404, path)
    }
  }
})

const keptPlace = (content: object) =>
  works('without sortOrder: it keeps the one that it had', async (world) => {
    const path = 'code' in content ? 'snippets' : 'root' in content ? 'live-servers' : 'live-pages'
    const id = await world.make(path, content)
    const { body } = await world.by(world.owner).put(`/${path}/${id}`, { ...content, sortOrder: -3 })
    holds(body, { sortOrder: -3 })
    return {
      params: { id },
      body: { ...content, name: 'Renamed' },
      check: ({ body }) => holds(body, { sortOrder: -3, name: 'Renamed' })
    }
  })

/** What live servers and live pages have beside what all lockable kinds share: many fields, and an order that clients give. */
const liveCases = Object.fromEntries(
  [liveServers, livePages].flatMap(({ path, content, defaults }): readonly (readonly [string, readonly Case[]])[] => [
    [
      `POST /${path}`,
      [
        works('sortOrder: kept, whatever others have', {
          body: { ...content, sortOrder: -1 },
          check: ({ body }) => holds(body, { sortOrder: -1 })
        })
      ]
    ],
    [
      `PUT /${path}/:id`,
      [
        keptPlace(content),
        works('what is left out: as it is when one is made; what the hub does not know: dropped', async (world) => ({
          params: { id: await world.make(path, content) },
          body: { name: 'Bare', unknown: 'dropped' },
          check: ({ body }) => holds(body, defaults)
        }))
      ]
    ]
  ])
)

/** More on rows whose common part the kinds share: what each has that the others have not. */
export const casesOfKinds: Readonly<Record<string, readonly Case[]>> = {
  'DELETE /collections/:id': [cascade],
  'DELETE /admin/collections/:id': [cascade],
  'POST /environments': [
    works('a parent: it is kept', async (world) => {
      const parentUuid = await environment(world)
      return { body: { name: 'Child', parentUuid }, check: ({ body }) => holds(body, { parentUuid }) }
    })
  ],
  'PUT /environments/:id': [
    works('without parentUuid: the parent stays', async (world) => {
      const parentUuid = await environment(world)
      return {
        params: { id: await environment(world, { parentUuid }) },
        body: environmentContent,
        check: ({ body }) => holds(body, { parentUuid })
      }
    }),
    works('parentUuid null: no parent', async (world) => ({
      params: { id: await environment(world, { parentUuid: await environment(world) }) },
      body: { ...environmentContent, parentUuid: null },
      check: ({ body }) => holds(body, { parentUuid: null })
    }))
  ],
  'DELETE /environments/:id': [
    works('it has children: they stay, without a parent', async (world) => {
      const id = await environment(world)
      const child = await environment(world, { parentUuid: id })
      return {
        params: { id },
        check: async () =>
          holds(
            (await listed(world, '/environments')).find((record) => record.id === child),
            { parentUuid: null }
          )
      }
    })
  ],
  'POST /snippets': [
    works('every field: behind all others', {
      body: snippetContent,
      check: async ({ body }, _, world) => {
        holds(body, snippetContent)
        const orders = (await listed(world, '/snippets')).map(({ sortOrder }) => Number(sortOrder))
        assert.is(fields(body).sortOrder, Math.max(...orders))
        assert.is(new Set(orders).size, orders.length)
      }
    })
  ],
  'PUT /snippets/:id': [
    works('sortOrder: it goes there', {
      body: { sortOrder: -5 },
      check: async ({ body }, _, world) => {
        holds(body, { sortOrder: -5 })
        assert.equal((await listed(world, '/snippets'))[0], body)
      }
    }),
    keptPlace(snippetContent)
  ],
  'PUT /admin/snippets/:id': [
    works('the lock and the text at once', async (world) => ({
      params: { id: await world.make('snippets', snippetContent) },
      body: { deletionLocked: true, name: 'Both' },
      check: ({ body }) => holds(body, { ...snippetContent, deletionLocked: true, name: 'Both' })
    })),
    refuses(400, null, 'nothing to change', async (world) => ({
      params: { id: await world.make('snippets', snippetContent) },
      body: {}
    }))
  ],
  ...liveCases,
  'POST /live-servers': [
    ...(liveCases['POST /live-servers'] ?? []),
    works('some of cors: the rest by default', {
      body: { cors: { enabled: true } },
      check: ({ body }) => holds(body, { cors: { ...fields(liveServers.defaults.cors), enabled: true } })
    })
  ],
  'POST /live-pages': [
    ...(liveCases['POST /live-pages'] ?? []),
    works('an auth block of a type that the hub does not know: kept as it is', {
      body: { auth: { type: 'oauth2', oauth2: { scope: 'all' } } },
      check: ({ body }) => holds(body, { auth: { type: 'oauth2', oauth2: { scope: 'all' } } })
    })
  ]
}

/** A route that clients call though the interface does not list it. */
export const adminSnippetRows: readonly Row[] = [
  {
    row: 'POST /admin/snippets',
    sample: () => ({ body: snippetContent }),
    cases: [works('every field: the full record', { check: ({ body }) => holds(body, snippetContent) })]
  }
]
