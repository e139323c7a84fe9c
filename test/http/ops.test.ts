import { rename } from 'node:fs/promises'
import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { postgres, sqlite } from './drivers.js'
import { withHub } from './hub-suite.js'
import { withNetwork } from './outage.js'
import { startHub, type TestHub, until } from './support.js'

const test = suite('probes, metrics and request lines')
const outage = suite('probes of a database that hangs', { needs: postgres.needs })
const AUTH_TOKEN = 'a-token-for-prometheus'
/** What nothing takes that is bounded by two seconds, also on a busy machine. */
const LIMIT_MS = 10_000

const get = (hub: TestHub, path: string, token?: string) => hub.send({ method: 'GET', path, token })

test('metrics with a token are for whoever brings it', () =>
  withHub({ config: { metrics: { authToken: AUTH_TOKEN, path: '/ops/metrics' } } }, async (hub) => {
    for (const token of [undefined, 'wrong', `${AUTH_TOKEN}x`, hub.admin.token]) {
      const { status, body } = await get(hub, '/ops/metrics', token)
      assert.equal([status, body], [401, { error: 'Unauthorized' }])
    }
    assert.match((await get(hub, '/ops/metrics', AUTH_TOKEN)).text, /^team_hub_info\{version=/m)
    assert.is((await get(hub, '/metrics', AUTH_TOKEN)).status, 404)
  }))

test('metrics without a token are not served beyond this machine, unless somebody says so', async () => {
  const server = { host: '0.0.0.0', port: 1 }
  const proxied = { host: '127.0.0.1', port: 1, trustedProxies: ['10.0.0.1'] }
  for (const config of [{ server }, { server: proxied }, { metrics: { enabled: false } }])
    await withHub({ config }, async (hub) => assert.is((await get(hub, '/metrics')).status, 404))
  for (const config of [
    { server, metrics: { enabled: true } },
    { server, metrics: { authToken: AUTH_TOKEN } }
  ])
    await withHub({ config }, async (hub) => assert.is((await get(hub, '/metrics', AUTH_TOKEN)).status, 200))
})

test('a path of the hub’s own is refused for metrics', async () => {
  let message = ''
  await withHub({ config: { metrics: { path: '/collections' } } }, async () => {}).catch((error: Error) => {
    message = error.message
  })
  assert.match(message, /^metrics\.path: \/collections is a path of the hub's own/)
})

test('requests are counted by route, and what has no route is one series however many URLs are tried', () =>
  withHub({}, async (hub) => {
    for (let i = 0; i < 50; i++) await get(hub, `/nothing/${i}?x=${i}`)
    for (let i = 0; i < 3; i++) await get(hub, `/collections/${crypto.randomUUID()}/tree`, hub.admin.token)
    await get(hub, '/auth/session', hub.admin.token)
    const { text } = await get(hub, '/metrics')
    const series = text.split('\n').filter((line) => line.startsWith('team_hub_http_requests_total{'))
    assert.ok(series.includes('team_hub_http_requests_total{method="GET",route="unknown",status_code="404"} 50'))
    assert.ok(
      series.includes('team_hub_http_requests_total{method="GET",route="/collections/:id/tree",status_code="403"} 3'),
      series.join('\n')
    )
    assert.is(series.length, 3)
    const took = /^team_hub_http_request_duration_seconds_count\{.*route="\/auth\/session".*\} 1$/m
    assert.match(text, took)
    assert.match(text, /^team_hub_http_request_duration_seconds_bucket\{le="\+Inf",.*route="\/auth\/session".*\} 1$/m)
    assert.not.match(text, new RegExp(hub.admin.id))
  }))

test('metrics tell what was written, and whom the throttle turned away', () =>
  withHub({ limits: { maxFailures: 2 } }, async (hub) => {
    const value = async (name: string) => {
      const line = (await get(hub, '/metrics')).text.split('\n').find((one) => one.startsWith(`${name} `))
      return Number(line?.split(' ').at(-1))
    }
    const before = await value('team_hub_log_events_total')
    await hub.send({
      method: 'POST',
      path: '/admin/users',
      token: hub.admin.token,
      body: { name: 'Ada', role: 'user' }
    })
    const { position } = hub.hub.ledger.readModel.head
    assert.ok((await value('team_hub_log_events_total')) > before)
    assert.is(await value('team_hub_log_position'), position)
    for (let i = 0; i < 3; i++) await get(hub, '/auth/session', 'hbk_wrong')
    assert.is(await value('team_hub_auth_throttled_total{scope="oneSecret"}'), 1)
    assert.is(await value('team_hub_auth_blocks_total{scope="oneSecret"}'), 1)
    assert.is(await value('team_hub_log_queue'), 0)
  }))

test('with logging.requests each request is one line that says who asked for what, no secret, and as much of the address as is to be kept', () =>
  withHub({ config: { logging: { requests: true }, audit: { address: 'truncated' } } }, async (hub) => {
    await get(hub, '/auth/session?token=hush', hub.admin.token)
    const line = await until(() => hub.log.find(({ route }) => route === '/auth/session') ?? null)
    const { method, status, user, msg, reqId, duration_ms, level, address } = line
    assert.is(address, '127.0.0.0')
    assert.equal([method, status, user, msg, level], ['GET', 200, hub.admin.id, 'request completed', 30])
    assert.equal([typeof reqId, typeof duration_ms], ['string', 'number'])
    assert.not.match(JSON.stringify(line), /hush|hbk_/)
    assert.is(hub.log.filter(({ route }) => route === '/auth/session').length, 1)
    hub.reconfigure({ logging: { requests: true }, audit: { address: 'off' } })
    await hub.send({ method: 'POST', path: '/admin/config/reload', token: hub.admin.token })
    await get(hub, '/health')
    const next = await until(() => hub.log.find(({ route }) => route === '/health') ?? null)
    assert.is(next.address, null, 'a reload may have it kept no more')
  }))

test('lines at debug hold no more of an address than is to be kept', () =>
  withHub({ config: { audit: { address: 'truncated' } } }, async (hub) => {
    await get(hub, '/auth/session', hub.admin.token)
    const line = await until(() => hub.log.find(({ msg }) => msg === 'request') ?? null)
    assert.equal([line.url, line.address], ['/auth/session', '127.0.0.0'])
  }))

test('GET /readyz is 503 while the file of the database is gone, and so is every write', async () => {
  const hub = await startHub(sqlite)
  try {
    const { db } = hub.place
    assert.ok(db.driver === 'sqlite')
    const create = (name: string) =>
      hub.send({ method: 'POST', path: '/admin/users', token: hub.admin.token, body: { name, role: 'user' } })
    assert.is((await create('Before')).status, 201)
    await rename(db.path, `${db.path}.away`)
    assert.is((await create('Lost')).status, 503)
    const refused = await get(hub, '/readyz')
    assert.is(refused.status, 503)
    assert.match(refused.text, /"db":\{"status":"error"/)
    await rename(`${db.path}.away`, db.path)
    assert.is((await create('After')).status, 201)
  } finally {
    await hub.close()
  }
})

test.run()

outage('GET /readyz is 503 in time, says what fails and nothing else, and is 200 again afterwards', () =>
  withNetwork(postgres, async (hub, network) => {
    assert.is((await get(hub, '/readyz')).status, 200)
    network.freeze()
    const refused = await until(async () => {
      const reply = await get(hub, '/readyz')
      return reply.status === 503 ? reply : null
    })
    assert.ok(refused.duration_ms < LIMIT_MS, `it took ${refused.duration_ms} ms`)
    assert.match(refused.text, /"redis":\{"status":"ok"\}/)
    assert.match(refused.text, /"db":\{"status":"error","error":"T[^"]*"\}/)
    assert.not.match(refused.text, /127\.0\.0\.1|postgres|password/i)
    const asked = Array.from({ length: 20 }, () => get(hub, '/auth/session', hub.admin.token))
    assert.equal([...new Set((await Promise.all(asked)).map(({ status }) => status))], [503])
    network.thaw()
    await until(async () => ((await get(hub, '/readyz')).status === 200 ? true : null))
    const over = await until(() => hub.log.find(({ msg }) => msg === 'the database answers again') ?? null)
    assert.is(over.requests, 20)
    const begun = hub.log.filter(({ msg }) => msg === 'the database does not answer: requests are refused')
    assert.is(begun.length, 1)
    assert.equal(
      hub.log.filter(({ msg }) => msg === 'request failed'),
      []
    )
  })
)

outage.run()
