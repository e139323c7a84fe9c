import * as assert from 'uvu/assert'
import { fields } from '../client.js'
import { type Case, type Endpoint, works } from '../endpoint.js'

const CHECKS = ['db', 'redis', 'schema', 'log', 'disk']
const CONTENT_CHECKS = ['projections', 'clock', 'search', 'webhooks', 'tasks']

const alive: Case = works('nobody asks: the status and the version', () => ({
  check: ({ body }) => {
    const { status, version, ...rest } = fields(body)
    assert.is(status, 'ok')
    assert.type(version, 'string')
    assert.equal(rest, {})
  }
}))

/** Section 4, Public: the probes and the metrics. What they say of failures has tests of its own. */
export const opsEndpoints: readonly Endpoint[] = [
  ...(['GET /health', 'GET /healthz'] as const).map(
    (row): Endpoint => ({ row, access: 'public', success: 200, refusals: [], sample: () => ({}), cases: [alive] })
  ),
  {
    row: 'GET /readyz',
    access: 'public',
    success: 200,
    refusals: [],
    sample: () => ({}),
    cases: [
      works('nobody asks: the status of each thing that requests need', () => ({
        check: ({ body, headers }) => {
          const { status, version, checks, ...rest } = fields(body)
          assert.equal([status, typeof version, rest], ['ok', 'string', {}])
          assert.equal(
            Object.entries(fields(checks)).map(([name, check]) => [name, fields(check).status]),
            CHECKS.map((name) => [name, 'ok'])
          )
          assert.is(headers['cache-control'], 'no-store')
        }
      }))
    ]
  },
  {
    row: 'GET /admin/status',
    access: 'admin',
    success: 200,
    refusals: [403],
    sample: () => ({}),
    cases: [
      works('the version, the log, the read tables, the search index, and what the checks find', (world) => ({
        check: ({ body }) => {
          const { version, uptimeSeconds, memory, log, projections, checks } = fields(body)
          assert.equal([typeof version, typeof uptimeSeconds], ['string', 'number'])
          for (const bytes of Object.values(fields(memory))) assert.ok(Number(bytes) > 0)
          const { lastEventAt, ...rest } = fields(log)
          assert.type(lastEventAt, 'string')
          assert.equal(rest, { position: world.position(), isSealed: false, checkpoint: null, verification: null })
          assert.is(fields(projections).rebuild, null)
          if (!Array.isArray(checks)) throw new Error('There are no checks.')
          const named = checks.map((one) => fields(one))
          assert.equal([...new Set(named.map(({ name }) => name))], [...CHECKS, ...CONTENT_CHECKS])
          assert.equal([...new Set(named.map(({ status }) => status))], ['ok'])
        }
      }))
    ]
  },
  {
    row: 'GET /metrics',
    access: 'public',
    success: 200,
    answers: 'metrics',
    refusals: [],
    sample: () => ({}),
    cases: [
      works('nobody asks, of a hub that this machine alone reaches: the metrics', () => ({
        check: ({ text }) => {
          for (const check of CHECKS) assert.match(text, `team_hub_ready{check="${check}"} 1`)
          assert.match(text, /^team_hub_log_position \d+$/m)
          assert.match(text, /^nodejs_eventloop_lag_seconds /m)
        }
      })),
      works('connections that readers share, where the database has such', ({ hub }) => ({
        check: ({ text }) => {
          const values = (series: string) =>
            text.split('\n').flatMap((line) => (line.startsWith(series) ? [Number(line.split(' ').at(-1))] : []))
          const isPooled = ['postgres', 'mysql'].includes(hub.place.db.driver)
          const connections = values('team_hub_db_pool_connections{')
          const open = connections.reduce((sum, count) => sum + count, 0)
          assert.equal([connections.length, open > 0], isPooled ? [3, true] : [0, false])
          assert.equal(values('team_hub_db_pool_max '), isPooled ? [6] : [])
          assert.is(values('team_hub_firestore_documents_total{').length, hub.place.db.driver === 'firestore' ? 3 : 0)
        }
      }))
    ]
  }
]
