import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { type Fields, fields, holds, type Reply, records, text } from '../client.js'
import { collectionContent } from '../content.js'
import { type Row, refuses, works } from '../endpoint.js'
import { succeeded, type World } from '../world.js'

const STORY = ['DeletionRefused', 'CollectionDeletionLocked', 'CollectionUpdated', 'CollectionCreated']
const typesIn = (reply: Reply) => records(reply, 'entries').map(({ type }) => type)
const changesOf = (entry: Fields | undefined) => records({ text: '', body: entry }, 'changes')

/** A collection that was made, changed and locked, and that somebody then wanted to delete. */
async function story(world: World): Promise<string> {
  const id = await world.collection('Before')
  succeeded(await world.by(world.owner).put(`/collections/${id}`, { ...collectionContent, name: 'After' }))
  await world.lock('collections', id)
  assert.is((await world.by(world.owner).delete(`/collections/${id}`)).status, 403)
  return id
}

// Each look is in the log itself, so only a look at what is past finds the same again.
const ofThePast = () => ({ query: 'to=2020-01-01' })

/** The log, as administrators read it. */
export const auditRows: readonly Row[] = [
  {
    row: 'GET /admin/audit',
    sample: ofThePast,
    cases: [
      works('what happened to a collection: newest first, with who, from where and what changed', async (world) => {
        const id = await story(world)
        return {
          query: `kind=collection&id=${id}`,
          check: (reply) => {
            assert.equal(typesIn(reply), STORY)
            const [refusal, lock, update, creation] = records(reply, 'entries')
            holds(refusal, { resource: { kind: 'collection', id, name: null } })
            const names = [refusal, lock].map((entry) => text(entry?.actor, 'name'))
            assert.equal(names, [world.owner.name, world.admin.name])
            holds(update?.token, { id: world.owner.tokenId })
            holds(update, { address: '127.0.0.1' })
            assert.equal(changesOf(lock), [{ path: '/deletionLocked', from: false, to: true }])
            assert.equal(
              changesOf(update).find(({ path }) => path === '/name'),
              { path: '/name', from: 'Before', to: 'After' }
            )
            holds(creation?.resource, { name: 'Before' })
          }
        }
      }),
      works('secrets in variables and auth blocks are masked', async (world) => ({
        query: `id=${await story(world)}&type=CollectionUpdated`,
        check: ({ text }) => {
          const { variables, auth } = collectionContent
          for (const secret of [variables[0].value, variables[0].defaultValue, auth.basic.password])
            assert.not.ok(text.includes(secret), secret)
          assert.match(text, /\[masked\]/)
        }
      })),
      works('page by page, from the oldest', async (world) => {
        const query = `id=${await story(world)}&order=oldest&limit=3`
        const first = await world.by(world.admin).get(`/admin/audit?${query}`)
        assert.equal(typesIn(first), STORY.slice(1).toReversed())
        return {
          query: `${query}&cursor=${fields(first.body).next}`,
          check: (reply) => assert.equal(typesIn(reply), ['DeletionRefused'])
        }
      }),
      works('by actor, token, address, request and time', async (world) => {
        const id = await story(world)
        const { name, tokenId } = world.owner
        const requestId = randomUUID()
        await world.by(world.owner).post('/collections', { name: 'Traced' }, { 'x-request-id': requestId })
        for (const [query, found] of [
          [`request=${requestId}`, ['CollectionCreated']],
          [`id=${id}&actor=${encodeURIComponent(name)}`, ['DeletionRefused', 'CollectionUpdated', 'CollectionCreated']],
          [`id=${id}&token=${tokenId}&type=CollectionUpdated`, ['CollectionUpdated']],
          [`id=${id}&address=10.9.8.7`, []],
          [`id=${id}&to=2020-01-01`, []]
        ] as const)
          assert.equal(typesIn(await world.by(world.admin).get(`/admin/audit?${query}`)), found, query)
        return {
          query: `id=${id}&from=2020-01-01&address=127.0.0.1`,
          check: (reply) => assert.equal(typesIn(reply), STORY)
        }
      }),
      works('and that it was read is in the log too', async (world) => {
        await world.by(world.admin).get('/admin/audit?type=Nothing')
        return {
          query: 'type=AuditRead&limit=1',
          check: (reply) =>
            assert.equal(changesOf(records(reply, 'entries')[0]), [{ path: '', to: { filter: { type: 'Nothing' } } }])
        }
      }),
      refuses(400, null, 'a filter that there is not', { query: 'who=me' })
    ]
  },
  {
    row: 'GET /admin/audit/facets',
    sample: ofThePast,
    cases: [
      works('what happened to a collection, counted', async (world) => {
        const { owner, admin } = world
        return {
          query: `id=${await story(world)}&kind=collection`,
          check: ({ body }) => {
            holds(body, {
              ...{ counted: 4, isWhole: true, more: { kinds: 0, types: 0, actors: 0, days: 0 } },
              kinds: [
                { kind: 'collection', count: 3 },
                { kind: 'audit', count: 1 }
              ],
              actors: [
                { id: owner.id, name: owner.name, count: 3 },
                { id: admin.id, name: admin.name, count: 1 }
              ]
            })
            assert.is(Object(body).types.length, 4)
          }
        }
      }),
      works('before a cursor, as many as an export from there has', async (world) => {
        const id = await story(world)
        const entries = records(await world.by(world.admin).get(`/admin/audit?id=${id}&kind=collection`), 'entries')
        return {
          query: `id=${id}&kind=collection&cursor=${Number(entries[0]?.position)}`,
          check: ({ body }) => holds(body, { counted: entries.length - 1, isWhole: true })
        }
      }),
      refuses(400, null, 'a filter that there is not', { query: 'limit=5' })
    ]
  },
  {
    row: 'GET /admin/audit/:position',
    sample: () => ({ params: { position: '1' } }),
    cases: [
      works('one entry in full', async (world) => {
        const id = await world.collection('x'.repeat(500))
        return {
          params: { position: String(world.position()) },
          check: ({ body }) => {
            holds(fields(body).resource, { id })
            assert.is(text(changesOf(fields(body))[0]?.to, 'name').length, 500)
          }
        }
      }),
      refuses(404, 'Event not found', 'beyond the end', { params: { position: '99999999' } })
    ]
  }
]
