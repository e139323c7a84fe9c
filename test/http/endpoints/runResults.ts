import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { records } from '../client.js'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { exactly, listOf, runResult, runResultDetail } from '../shapes.js'
import { listed, type World } from '../world.js'

const payload = {
  harborclientExport: 'collection-run-results',
  collection: { name: 'Orders' },
  results: [{ status: 'passed' }, { status: 'failed', error: 'timeout' }, { status: 'passed' }, { status: 'skipped' }]
}

async function shared(world: World) {
  const reply = await world.by(world.owner).post('/run-results', { payload })
  return { params: { id: exactly(runResultDetail, reply.body).id } }
}

const unknown = () => ({ params: { id: randomUUID() } })
const missing = refuses(404, 'Run result not found', 'an unknown one', unknown)

/** Shared run results: routes that clients call though the interface does not list them. */
export const runResultEndpoints: readonly Endpoint[] = [
  {
    row: 'GET /run-results',
    access: 'any',
    success: 200,
    refusals: [],
    sample: shared,
    cases: [
      works('one’s own, newest first, without payload', async (world) => {
        const by = await world.user()
        for (const label of ['first', 'second']) await world.by(by).post('/run-results', { label, payload })
        await shared(world)
        return {
          by,
          check: (reply) => {
            exactly(listOf('runResults', runResult), reply.body)
            assert.equal(
              records(reply, 'runResults').map(({ label }) => label),
              ['second', 'first']
            )
          }
        }
      }),
      works('an administrator has none', (world) => ({
        by: world.admin,
        check: ({ body }) => assert.equal(body, { runResults: [] })
      }))
    ]
  },
  {
    row: 'POST /run-results',
    access: 'user',
    success: 200,
    refusals: [400],
    matrix: { 'a user without access': 200 },
    sample: () => ({ body: { payload } }),
    cases: [
      works('an export: what the list shows is read off it', (world) => ({
        body: { payload },
        check: ({ body }) => {
          const { id, createdAt, label, ...made } = exactly(runResultDetail, body)
          assert.match(label, /^Orders — \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
          assert.equal(made, {
            kind: 'collection-run-results',
            collectionName: 'Orders',
            requestName: null,
            summary: { passed: 2, failed: 1, skipped: 1 },
            createdByUserId: world.owner.id,
            payload
          })
        }
      })),
      works('a label: kept, trimmed', () => ({
        body: { label: ' Nightly ', payload },
        check: ({ body }) => assert.is(exactly(runResultDetail, body).label, 'Nightly')
      })),
      refuses(400, 'The payload has no results.', 'no results', () => ({
        body: { payload: { ...payload, results: [] } }
      })),
      refuses(400, 'The payload is not an export of run results.', 'another export', () => ({
        body: { payload: { ...payload, harborclientExport: 'collection' } }
      }))
    ]
  },
  {
    row: 'GET /run-results/:id',
    access: 'user',
    success: 200,
    refusals: [404],
    matrix: { 'a user without access': 200 },
    sample: shared,
    cases: [
      works('anybody’s, with its payload', async (world) => ({
        ...(await shared(world)),
        by: await world.user(),
        check: ({ body }) => assert.equal(exactly(runResultDetail, body).payload, payload)
      })),
      missing
    ]
  },
  {
    row: 'DELETE /run-results/:id',
    access: 'user',
    success: 204,
    refusals: [403, 404],
    matrix: { 'a user with this id': 403, 'a user with *': 403 },
    sample: shared,
    cases: [
      works('the caller shared it: it goes', async (world) => {
        const { params } = await shared(world)
        return {
          params,
          check: async () => {
            const left = (await listed(world, '/run-results', 'runResults')).map(({ id }) => id)
            assert.not.ok(left.includes(params.id))
          }
        }
      }),
      refuses(403, 'Forbidden', 'somebody else shared it', async (world) => ({
        ...(await shared(world)),
        by: world.colleague
      })),
      missing
    ]
  },
  {
    row: 'GET /admin/run-results',
    access: 'admin',
    success: 200,
    refusals: [403],
    sample: shared,
    cases: [
      works('everybody’s', async (world) => {
        const { params } = await shared(world)
        return {
          check: (reply) => {
            exactly(listOf('runResults', runResult), reply.body)
            assert.is(records(reply, 'runResults')[0]?.id, params.id)
          }
        }
      })
    ]
  },
  {
    row: 'DELETE /admin/run-results/:id',
    access: 'admin',
    success: 204,
    refusals: [403, 404],
    sample: shared,
    cases: [works('anybody’s', shared), missing]
  }
]
