import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { type Reply, text } from '../client.js'
import { collectionContent } from '../content.js'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { auditEntry, exactly } from '../shapes.js'
import { succeeded, type World } from '../world.js'

const page = z.strictObject({ entries: z.array(auditEntry), next: z.int().nullable() })
const count = z.int()
const facets = z.strictObject({
  counted: count,
  isWhole: z.boolean(),
  kinds: z.array(z.strictObject({ kind: z.string(), count })),
  types: z.array(z.strictObject({ type: z.string(), count })),
  actors: z.array(z.strictObject({ id: z.string(), name: z.string().nullable(), count })),
  days: z.array(z.strictObject({ day: z.string(), count })),
  more: z.strictObject({ kinds: count, types: count, actors: count, days: count })
})
const entriesIn = (reply: Reply) => exactly(page, reply.body).entries

/** A collection that was made, changed and locked, and that somebody then wanted to delete. */
async function story(world: World): Promise<string> {
  const id = await world.collection('Before')
  succeeded(await world.by(world.owner).put(`/collections/${id}`, { ...collectionContent, name: 'After' }))
  await world.lock('collections', id)
  assert.is((await world.by(world.owner).delete(`/collections/${id}`)).status, 403)
  return id
}

/** The log, as administrators read it. */
export const auditEndpoints: readonly Endpoint[] = [
  {
    row: 'GET /admin/audit',
    access: 'admin',
    success: 200,
    refusals: [400, 403],
    // Each look is in the log itself, so only a look at what is past finds the same again.
    sample: () => ({ query: 'to=3' }),
    cases: [
      works('what happened to a collection: newest first, with who, from where and what changed', async (world) => {
        const id = await story(world)
        return {
          query: `kind=collection&id=${id}`,
          check: (reply) => {
            const entries = entriesIn(reply)
            assert.equal(
              entries.map(({ type }) => type),
              ['DeletionRefused', 'CollectionDeletionLocked', 'CollectionUpdated', 'CollectionCreated']
            )
            const [refusal, lock, update, creation] = entries
            assert.equal(refusal?.resource, { kind: 'collection', id, name: null })
            assert.equal([refusal?.actor.name, lock?.actor.name], [world.owner.name, world.admin.name])
            assert.is(update?.token?.id, world.owner.tokenId)
            assert.is(update?.address, '127.0.0.1')
            assert.equal(lock?.changes, [{ path: '/deletionLocked', from: false, to: true }])
            assert.equal(
              update?.changes.find(({ path }) => path === '/name'),
              { path: '/name', from: 'Before', to: 'After' }
            )
            assert.is(creation?.resource.name, 'Before')
          }
        }
      }),
      works('secrets in variables and auth blocks are masked', async (world) => {
        const id = await story(world)
        return {
          query: `id=${id}&type=CollectionUpdated`,
          check: (reply) => {
            const { variables, auth } = collectionContent
            for (const secret of [variables[0].value, variables[0].defaultValue, auth.basic.password]) {
              assert.not.ok(reply.text.includes(secret), secret)
            }
            assert.match(reply.text, /\[masked\]/)
          }
        }
      }),
      works('page by page, from the oldest', async (world) => {
        const id = await story(world)
        const { get } = world.by(world.admin)
        const first = exactly(page, (await get(`/admin/audit?id=${id}&order=oldest&limit=3`)).body)
        assert.equal(
          first.entries.map(({ type }) => type),
          ['CollectionCreated', 'CollectionUpdated', 'CollectionDeletionLocked']
        )
        return {
          query: `id=${id}&order=oldest&limit=3&cursor=${first.next}`,
          check: (reply) =>
            assert.equal(
              entriesIn(reply).map(({ type }) => type),
              ['DeletionRefused']
            )
        }
      }),
      works('by actor, token, address, request and time', async (world) => {
        const id = await story(world)
        const { name, tokenId } = world.owner
        const requestId = randomUUID()
        await world.by(world.owner).post('/collections', { name: 'Traced' }, { 'x-request-id': requestId })
        const { get } = world.by(world.admin)
        const types = async (query: string) => entriesIn(await get(`/admin/audit?${query}`)).map(({ type }) => type)
        assert.equal(await types(`request=${requestId}`), ['CollectionCreated'])
        assert.equal(await types(`id=${id}&actor=${encodeURIComponent(name)}`), [
          'DeletionRefused',
          'CollectionUpdated',
          'CollectionCreated'
        ])
        assert.equal(await types(`id=${id}&token=${tokenId}&type=CollectionUpdated`), ['CollectionUpdated'])
        assert.equal(await types(`id=${id}&address=10.9.8.7`), [])
        assert.equal(await types(`id=${id}&to=2020-01-01`), [])
        return { query: `id=${id}&from=2020-01-01&address=127.0.0.1`, check: (r) => assert.is(entriesIn(r).length, 4) }
      }),
      works('and that it was read is in the log too', async (world) => {
        await world.by(world.admin).get('/admin/audit?type=Nothing')
        return {
          query: 'type=AuditRead&limit=1',
          check: (reply) =>
            assert.equal(entriesIn(reply)[0]?.changes, [{ path: '', to: { filter: { type: 'Nothing' } } }])
        }
      }),
      refuses(400, null, 'a filter that there is not', () => ({ query: 'who=me' })),
      refuses(400, null, 'a time that is none', () => ({ query: 'from=yesterday' })),
      refuses(400, null, 'too large a page', () => ({ query: 'limit=5000' }))
    ]
  },
  {
    row: 'GET /admin/audit/facets',
    access: 'admin',
    success: 200,
    refusals: [400, 403],
    sample: () => ({ query: 'to=3' }),
    cases: [
      works('what happened to a collection, counted', async (world) => {
        const id = await story(world)
        const { owner, admin } = world
        return {
          query: `id=${id}&kind=collection`,
          check: ({ body }) => {
            const { days, types, ...rest } = exactly(facets, body)
            assert.equal(rest, {
              counted: 4,
              isWhole: true,
              kinds: [
                { kind: 'collection', count: 3 },
                { kind: 'audit', count: 1 }
              ],
              actors: [
                { id: owner.id, name: owner.name, count: 3 },
                { id: admin.id, name: admin.name, count: 1 }
              ],
              more: { kinds: 0, types: 0, actors: 0, days: 0 }
            })
            assert.equal([types.length, days.reduce((sum, { count }) => sum + count, 0)], [4, 4])
          }
        }
      }),
      works('of what there is nothing of', () => ({
        query: 'to=2020-01-01',
        check: ({ body }) => {
          const { counted, isWhole, actors } = exactly(facets, body)
          assert.equal([counted, isWhole, actors], [0, true, []])
        }
      })),
      refuses(400, null, 'a filter that there is not', () => ({ query: 'limit=5' })),
      refuses(400, null, 'a time that is none', () => ({ query: 'from=yesterday' }))
    ]
  },
  {
    row: 'GET /admin/audit/:position',
    access: 'admin',
    success: 200,
    refusals: [400, 403, 404],
    sample: () => ({ params: { position: '1' } }),
    cases: [
      works('one entry in full', async (world) => {
        const id = await world.collection('x'.repeat(500))
        return {
          params: { position: String(world.position()) },
          check: ({ body }) => {
            const entry = exactly(auditEntry, body)
            assert.is(entry.resource.id, id)
            assert.is(text(entry.changes[0]?.to, 'name').length, 500)
          }
        }
      }),
      refuses(404, 'Event not found', 'beyond the end', () => ({ params: { position: '99999999' } })),
      refuses(400, null, 'no position', () => ({ params: { position: 'last' } }))
    ]
  }
]
