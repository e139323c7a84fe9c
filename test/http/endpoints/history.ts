import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields, records, text } from '../client.js'
import { requestContent } from '../content.js'
import { type Endpoint, refuses, type Sample, works } from '../endpoint.js'
import { changeList, exactly, versionList } from '../shapes.js'
import { succeeded, type World } from '../world.js'

interface Kind {
  readonly path: string
  readonly thing: string
  /** Makes a record of two versions, the first named One and the second Two. */
  readonly make: (world: World) => Promise<Sample & { readonly params: { readonly id: string } }>
}

const twice = async (
  world: World,
  path: string,
  id: string,
  body: (name: string) => object,
  method: 'put' | 'patch' = 'put'
) => {
  succeeded(await world.by(world.owner)[method](`/${path}/${id}`, body('Two')))
  return { params: { id } }
}

const collectionBody = (name: string) => ({
  name,
  variables: [],
  headers: [],
  auth: requestContent.auth,
  preRequestScript: '',
  postRequestScript: ''
})

const kinds: readonly Kind[] = [
  {
    path: 'collections',
    thing: 'Collection',
    async make(world) {
      const id = await world.collection('One')
      return { ...(await twice(world, 'collections', id, collectionBody)), scope: { collectionAccess: [id] } }
    }
  },
  {
    path: 'environments',
    thing: 'Environment',
    async make(world) {
      const id = await world.make('environments', { name: 'One' })
      const made = await twice(world, 'environments', id, (name) => ({ name, variables: [] }))
      return { ...made, scope: { environmentAccess: [id] } }
    }
  },
  {
    path: 'snippets',
    thing: 'Snippet',
    async make(world) {
      const snippet = (name: string) => ({ name, code: 'x()', scope: 'any' })
      const id = await world.make('snippets', snippet('One'))
      return { ...(await twice(world, 'snippets', id, snippet)), scope: { snippetAccess: [id] } }
    }
  },
  {
    path: 'live-servers',
    thing: 'Live server',
    async make(world) {
      const id = await world.make('live-servers', { name: 'One' })
      return { ...(await twice(world, 'live-servers', id, (name) => ({ name }))), scope: { liveServerAccess: [id] } }
    }
  },
  {
    path: 'live-pages',
    thing: 'Live page',
    async make(world) {
      const id = await world.make('live-pages', { name: 'One' })
      return { ...(await twice(world, 'live-pages', id, (name) => ({ name }))), scope: { livePageAccess: [id] } }
    }
  },
  {
    path: 'folders',
    thing: 'Folder',
    async make(world) {
      const collectionId = await world.collection()
      const id = await world.folder(collectionId, null, 'One')
      const made = await twice(world, 'folders', id, (name) => ({ name }), 'patch')
      return { ...made, scope: { collectionAccess: [collectionId] } }
    }
  },
  {
    path: 'requests',
    thing: 'Request',
    async make(world) {
      const collectionId = await world.collection()
      const request = (name: string) => ({ ...requestContent, name, collectionId, folderId: null })
      const id = await world.make(`collections/${collectionId}/requests`, request('One'))
      return { ...(await twice(world, 'requests', id, request)), scope: { collectionAccess: [collectionId] } }
    }
  },
  {
    path: 'documents',
    thing: 'Document',
    async make(world) {
      const collectionId = await world.collection()
      const document = (name: string) => ({ name, content: name, collectionId, folderId: null })
      const id = await world.make(`collections/${collectionId}/documents`, document('One'))
      return { ...(await twice(world, 'documents', id, document)), scope: { collectionAccess: [collectionId] } }
    }
  }
]

/** Single records for administrators, history, differences and restoring, of every kind of record alike. */
export const historyEndpoints: readonly Endpoint[] = kinds.flatMap(endpointsOf)

function endpointsOf({ path, thing, make }: Kind): readonly Endpoint[] {
  const missing = `${thing} not found`
  const unknown = () => ({ params: { id: randomUUID() } })
  return [
    {
      row: `GET /admin/${path}/:id`,
      access: 'admin',
      success: 200,
      refusals: [400, 403, 404],
      sample: make,
      cases: [
        works('the record of anybody', async (world) => {
          const made = await make(world)
          return { ...made, check: ({ body }) => assert.is(fields(body).id, made.params.id) }
        }),
        refuses(400, null, 'a moment that is none', async (world) => ({
          ...(await make(world)),
          query: 'at=sometime'
        })),
        refuses(404, missing, `an unknown ${thing}`, unknown)
      ]
    },
    {
      row: `GET /${path}/:id/history`,
      access: 'user',
      success: 200,
      refusals: [400, 403, 404],
      sample: make,
      cases: [
        works('the versions, newest first, with who and which fields', async (world) => ({
          ...(await make(world)),
          check: ({ body }) => {
            const { versions, count } = exactly(versionList, body)
            assert.is(count, 2)
            assert.equal(
              versions.map(({ version, by }) => [version, by.name]),
              [
                [2, world.owner.name],
                [1, world.owner.name]
              ]
            )
            assert.ok(versions[0]?.changed.includes('name'))
          }
        })),
        works('a page of it', async (world) => ({
          ...(await make(world)),
          query: 'limit=1&before=2',
          check: ({ body }) =>
            assert.equal(
              exactly(versionList, body).versions.map(({ version }) => version),
              [1]
            )
        })),
        refuses(400, null, 'a limit that is none', async (world) => ({ ...(await make(world)), query: 'limit=none' })),
        refuses(404, missing, `an unknown ${thing}`, unknown)
      ]
    },
    {
      row: `GET /${path}/:id/diff`,
      access: 'user',
      success: 200,
      refusals: [400, 403, 404],
      sample: async (world) => ({ ...(await make(world)), query: 'from=1&to=2' }),
      cases: [
        works('field by field', async (world) => ({
          ...(await make(world)),
          query: 'from=1&to=2',
          check: ({ body }) => {
            const { from, to, changes } = exactly(changeList, body)
            assert.equal([from, to], [1, 2])
            assert.equal(
              changes.find(({ path }) => path === '/name'),
              { path: '/name', from: 'One', to: 'Two' }
            )
          }
        })),
        refuses(400, null, 'versions are missing', make),
        refuses(
          404,
          'There is no such version: this record has versions 1 to 2.',
          'an unknown version',
          async (world) => ({
            ...(await make(world)),
            query: 'from=1&to=3'
          })
        ),
        refuses(404, missing, `an unknown ${thing}`, () => ({ ...unknown(), query: 'from=1&to=1' }))
      ]
    },
    {
      row: `POST /${path}/:id/restore`,
      access: 'user',
      success: 200,
      refusals: [400, 403, 404],
      sample: async (world) => ({ ...(await make(world)), body: { version: 1 } }),
      cases: [
        works('the record reads as it did, as one more version that tells where it comes from', async (world) => {
          const made = await make(world)
          return {
            ...made,
            body: { version: 1 },
            check: async (reply) => {
              assert.is(text(reply.body, 'name'), 'One')
              const { get } = world.by(world.owner)
              assert.is((await get(`/${path}/${made.params.id}`)).text, reply.text)
              const history = await get(`/${path}/${made.params.id}/history`)
              const [newest, , first] = exactly(versionList, history.body).versions
              assert.is(newest?.version, 3)
              assert.is(newest?.causation, first?.position)
            }
          }
        }),
        works('the version that is there: nothing happens', async (world) => {
          const made = await make(world)
          const before = world.position()
          return { ...made, body: { version: 2 }, check: () => assert.is(world.position(), before) }
        }),
        refuses(400, null, 'no version', async (world) => ({ ...(await make(world)), body: {} })),
        refuses(404, null, 'an unknown version', async (world) => ({ ...(await make(world)), body: { version: 9 } })),
        refuses(404, missing, `an unknown ${thing}`, () => ({ ...unknown(), body: { version: 1 } }))
      ]
    }
  ]
}

/** Collections as they were, and what happened in them. */
export const pastEndpoints: readonly Endpoint[] = [
  {
    row: 'GET /collections/:id/activity',
    access: 'user',
    success: 200,
    refusals: [400, 403, 404],
    sample: async (world) => {
      const id = await world.collection()
      return { params: { id }, scope: { collectionAccess: [id] } }
    },
    cases: [
      works('what happened in it, newest first', async (world) => {
        const id = await world.collection('Told')
        const request = await world.request(id)
        const { id: userId, name } = world.owner
        return {
          params: { id },
          query: 'limit=1',
          check: (reply) => {
            const [newest] = records(reply, 'events')
            const { position, at, commandId, ...rest } = fields(newest)
            const what = { type: 'RequestCreated', kind: 'request', id: request, name: requestContent.name }
            assert.equal(rest, { ...what, actor: { id: userId, name } })
            assert.equal([position, fields(reply.body).next], [world.position(), world.position()])
            assert.equal([typeof at, typeof commandId], ['string', 'string'])
          }
        }
      }),
      refuses(400, null, 'a page that is none', async (world) => ({
        params: { id: await world.collection() },
        query: 'limit=1000'
      })),
      refuses(404, 'Collection not found', 'an unknown collection', () => ({ params: { id: randomUUID() } }))
    ]
  },
  {
    row: 'GET /collections/:id/tree',
    access: 'user',
    success: 200,
    refusals: [400, 403, 404],
    sample: async (world) => {
      const id = await world.collection()
      return { params: { id }, scope: { collectionAccess: [id] } }
    },
    cases: [
      works('everything in it, as it is and as it was', async (world) => {
        const id = await world.collection()
        const folder = await world.folder(id)
        const request = await world.request(id, folder)
        const at = world.position()
        succeeded(await world.by(world.owner).delete(`/folders/${folder}`))
        const document = await world.document(id)
        const now = fields((await world.by(world.owner).get(`/collections/${id}/tree`)).body)
        assert.equal([now.folders, now.requests], [[], []])
        assert.is(idsIn(now.documents)[0], document)
        return {
          params: { id },
          query: `at=${at}`,
          check: ({ body }) => {
            const { folders, requests, documents, position } = fields(body)
            assert.equal([idsIn(folders), idsIn(requests), documents, position], [[folder], [request], [], at])
          }
        }
      }),
      refuses(404, 'Collection was not there at that time.', 'a time before it was made', async (world) => {
        const id = await world.collection()
        return { params: { id }, query: 'at=2020-01-01' }
      }),
      refuses(400, null, 'neither position nor time', async (world) => ({
        params: { id: await world.collection() },
        query: 'at=yesterday'
      })),
      refuses(400, null, 'a position that is not there yet', async (world) => ({
        params: { id: await world.collection() },
        query: 'at=99999999'
      })),
      refuses(404, 'Collection not found', 'an unknown collection', () => ({ params: { id: randomUUID() } }))
    ]
  }
]

function listIn(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${JSON.stringify(value)} is no list`)
  return value
}

function idsIn(value: unknown): readonly string[] {
  return listIn(value).map((one) => text(one, 'id'))
}
