import * as assert from 'uvu/assert'
import { eachOf, fields, holds, records, text } from '../client.js'
import { type Case, type Row, refuses, works } from '../endpoint.js'
import { succeeded, type World } from '../world.js'

const asked = { sample: () => ({}) }
const CHECKS = ['db', 'redis', 'schema', 'log', 'disk']
const CONTENT_CHECKS = ['projections', 'clock', 'search', 'webhooks', 'tasks']
const QUERY = 'url=https%3A%2F%2Fhub.example.com&name=Ada&role=user&exp=2099-01-01T00%3A00%3A00.000Z'

const leads: readonly Case[] = [
  works('nobody asks: where the console is, from here', {
    check: ({ headers }) => assert.is(headers.location, 'console/')
  })
]
const shows = (what: string | RegExp): readonly Case[] => [
  works('nobody asks: the page or the file', { check: ({ text }) => assert.match(text, what) })
]

/** Section 4, Public: probes, metrics, the description, the pages. What they say and are served with has tests of its own. */
const publicRows: readonly Row[] = [
  { row: 'GET /health', ...asked },
  { row: 'GET /healthz', ...asked },
  {
    row: 'GET /readyz',
    ...asked,
    cases: [
      works('nobody asks: the status of each thing that requests need', {
        check: ({ body, headers }) => {
          const checks = Object.entries(fields(fields(body).checks)).map(([name, check]) => [
            name,
            fields(check).status
          ])
          assert.equal(
            checks,
            CHECKS.map((name) => [name, 'ok'])
          )
          assert.is(headers['cache-control'], 'no-store')
        }
      })
    ]
  },
  {
    row: 'GET /metrics',
    ...asked,
    cases: [
      works('nobody asks, of a hub that this machine alone reaches: the metrics', {
        check: ({ text, headers }) => {
          assert.is(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
          for (const check of CHECKS) assert.match(text, `team_hub_ready{check="${check}"} 1`)
          assert.match(text, /^team_hub_log_position \d+$/m)
          assert.match(text, /^nodejs_eventloop_lag_seconds /m)
        }
      }),
      works('connections that readers share, where the database has such', {
        check: ({ text }, _, { hub }) => {
          const values = (series: string) =>
            text.split('\n').flatMap((line) => (line.startsWith(series) ? [Number(line.split(' ').at(-1))] : []))
          const isPooled = ['postgres', 'mysql'].includes(hub.place.db.driver)
          const connections = values('team_hub_db_pool_connections{')
          const open = connections.reduce((sum, count) => sum + count, 0)
          assert.equal([connections.length, open > 0], isPooled ? [3, true] : [0, false])
          assert.equal(values('team_hub_db_pool_max '), isPooled ? [6] : [])
          assert.is(values('team_hub_firestore_documents_total{').length, hub.place.db.driver === 'firestore' ? 3 : 0)
        }
      })
    ]
  },
  { row: 'GET /openapi.json', ...asked },
  { row: 'GET /docs', ...asked, cases: shows('docs/reference.js') },
  { row: 'GET /docs/:asset', sample: () => ({ params: { asset: 'reference.js' } }), cases: shows('openapi.json') },
  { row: 'GET /', ...asked, cases: leads },
  { row: 'GET /console', ...asked, cases: leads },
  { row: 'GET /console/', ...asked, cases: shows('./assets/index-') },
  {
    row: 'GET /console/assets/:file',
    sample: () => ({ params: { file: 'index-Stand1nB.js' } }),
    cases: shows('hub.token')
  },
  { row: 'GET /join', sample: () => ({ query: QUERY }), cases: shows('Ada') }
]

const none = { dataApi: false, managementApi: false, llm: false, communication: false, discussionE2ee: false }
const ofUser = { ...none, dataApi: true, communication: true }

const sessionRows: readonly Row[] = [
  {
    row: 'GET /auth/session',
    ...asked,
    cases: [
      works('a user token: dataApi, and llm only with llmAccess', {
        check: ({ body }, _, { owner: { id, name, tokenId, token } }) => {
          holds(fields(body).user, { id, name, role: 'user' })
          holds(body, { token: { id: tokenId, prefix: token.slice(0, 12) }, capabilities: ofUser })
          holds(body, { tenantId: '__default__' })
        }
      }),
      works('a user token with llmAccess: llm too', async (world) => {
        const by = await world.user()
        await world.by(world.admin).put(`/admin/users/${by.id}`, { llmAccess: true })
        return { by, check: ({ body }) => holds(body, { capabilities: { ...ofUser, llm: true } }) }
      }),
      works('an admin token: managementApi only', {
        by: 'admin',
        check: ({ body }, _, { admin: { id, name } }) => {
          holds(fields(body).user, { id, name, role: 'admin' })
          holds(body, { capabilities: { ...none, managementApi: true } })
        }
      }),
      works('a token of an auditor: none of them', async (world) => ({
        by: await world.user({}, 'auditor'),
        check: ({ body }) => {
          holds(fields(body).user, { role: 'user', exactRole: 'auditor' })
          holds(body, { capabilities: none })
        }
      })),
      works('roles on records: what they only look at, and what they share', async (world) => {
        const by = await world.user()
        const [viewed, managed] = [await world.collection(), await world.collection()]
        const grant = (id: string, role: string) => ({ kind: 'collection', id, role })
        const groups = await world.by(world.admin).post('/admin/groups', {
          ...{ name: `Managers of ${managed}`, grants: [grant(managed, 'manager')] }
        })
        const { id } = fields(succeeded(groups).body)
        succeeded(await world.by(world.admin).put(`/admin/groups/${id}/members/${by.id}`))
        succeeded(
          await world.by(world.admin).put(`/admin/users/${by.id}/grants`, { grants: [grant(viewed, 'viewer')] })
        )
        return { by, check: ({ body }) => holds(body, { viewed: [viewed], managed: [managed] }) }
      })
    ]
  },
  {
    row: 'GET /plugins/sources',
    ...asked,
    cases: [
      works('no plugins section: both lists are empty', {
        check: ({ body }) => assert.equal(body, { catalogs: [], trusted: [] })
      })
    ]
  }
]

/** The feed, as pollers ask for it; what follows it over an open connection is in changes.test.ts. */
const changeRows: readonly Row[] = [
  {
    row: 'POST /changes/tickets',
    ...asked,
    cases: [
      works('a ticket that is good for half a minute', {
        check: ({ body }) => {
          const left_ms = Date.parse(text(body, 'expiresAt')) - Date.now()
          assert.ok(left_ms > 0 && left_ms <= 30_000, `${left_ms}`)
        }
      }),
      refuses(
        429,
        'There were 100 tickets for this token in the last 30 seconds. Wait a moment.',
        'too many',
        async (world) => {
          const by = await world.user()
          for (let i = 0; i < 100; i++) succeeded(await world.by(by).post('/changes/tickets'))
          return { by }
        }
      )
    ]
  },
  {
    row: 'GET /changes',
    sample: () => ({ query: 'after=0' }),
    cases: [
      works('a page of what happened behind a position', async (world) => {
        const after = world.position()
        const id = await world.collection()
        return {
          query: `after=${after}`,
          check: (reply) => {
            assert.equal(eachOf(records(reply, 'changes'), 'id'), [id])
            holds(reply.body, { position: after + 1, more: false })
          }
        }
      }),
      refuses(400, null, 'a position beyond the end of the log', { query: 'after=99999999' })
    ]
  }
]

/** Blocks of an address that nothing else of these tests comes from. */
async function blocked({ hub: { hub } }: World, address: string) {
  const policy = { maxFailures: 1, windowSeconds: 60, blockSeconds: 60 }
  for (const secret of ['any', 'invitation', 'none']) await hub.throttle.fail([{ key: `${address}:${secret}`, policy }])
  return { params: { address: encodeURIComponent(address) } }
}

const adminRows: readonly Row[] = [
  {
    row: 'GET /admin/status',
    ...asked,
    cases: [
      works('the version, the log, the read tables, the search index, and what the checks find', {
        check: (reply, _, world) => {
          const { memory, log, projections } = fields(reply.body)
          for (const bytes of Object.values(fields(memory))) assert.ok(Number(bytes) > 0)
          holds(log, { position: world.position(), isSealed: false, checkpoint: null, verification: null })
          holds(projections, { rebuild: null })
          const checks = records(reply, 'checks')
          assert.equal([...new Set(checks.map(({ name }) => name))], [...CHECKS, ...CONTENT_CHECKS])
          assert.equal([...new Set(checks.map(({ status }) => status))], ['ok'])
        }
      })
    ]
  },
  {
    row: 'GET /admin/throttle',
    ...asked,
    cases: [
      works('each address with what it failed with; never a secret or its hash', async (world) => {
        await blocked(world, '192.0.2.61')
        return {
          check: (reply) => {
            const own = records(reply, 'blocks').filter(({ address }) => address === '192.0.2.61')
            const failed = own.map(({ failuresWith }) => failuresWith).toSorted()
            assert.equal(failed, ['anySecret', 'invitations', 'oneSecret'])
          }
        }
      })
    ]
  },
  {
    row: 'DELETE /admin/throttle/:address',
    sample: (world) => blocked(world, '192.0.2.62'),
    cases: [
      works('the address may try again, and the log has who let it', async (world) => {
        const sent = await blocked(world, '192.0.2.63')
        return {
          ...sent,
          check: async () => {
            const { get } = world.by(world.admin)
            assert.not.match((await get('/admin/throttle')).text, '192.0.2.63')
            const [entry] = records(succeeded(await get('/admin/audit?type=LoginsUnblocked&limit=1')), 'entries')
            holds(entry?.actor, { name: world.admin.name })
          }
        }
      }),
      works('a network, as it is told of', (world) => blocked(world, '2001:db8:7:7::/64')),
      refuses(404, 'Block not found', 'an address that is not blocked', { params: { address: '192.0.2.64' } })
    ]
  }
]

const introduction = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'client', version: '1' } }
}
const ONLY_POST = 'Send MCP messages to this address with POST: it keeps no sessions and streams nothing.'
const nothing = {
  ...asked,
  // It depends on no record.
  ...{ success: 405, matrix: { 'a user without access': 405 } },
  cases: [refuses(405, ONLY_POST, 'whatever is asked', {})]
} as const

/** The hub as an MCP server; what its tools do is in `test/agents/`. */
const agentRows: readonly Row[] = [
  {
    row: 'POST /mcp',
    matrix: { 'a user without access': 200 },
    sample: () => ({ body: introduction }),
    cases: [
      works('a client that says who it is', {
        check: ({ body, headers }) => {
          holds(body, { id: 1 })
          holds(fields(body).result, { protocolVersion: '2025-11-25' })
          assert.is(typeof headers['mcp-session-id'], 'string')
        }
      })
    ]
  },
  { row: 'GET /mcp', ...nothing },
  { row: 'DELETE /mcp', ...nothing }
]

/** What is asked of the hub itself, whatever it holds. */
export const hubRows: readonly Row[] = [...publicRows, ...sessionRows, ...changeRows, ...adminRows, ...agentRows]
