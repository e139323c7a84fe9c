import { get, type IncomingMessage } from 'node:http'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { suite } from '../support/suite.js'
import { withId } from './client.js'
import { lives, PATIENT, startTeam, teamSuite, until } from './workers.js'
import { writing } from './writing.js'

const issued = z.object({ secret: z.string(), token: z.object({ id: z.string() }) })
const standing = z.object({ followers: z.object({ count: z.number() }) })
const report = z.object({
  sections: z.array(z.object({ section: z.string(), status: z.string(), error: z.string().optional() })),
  fatalError: z.string().optional()
})
const entries = z.object({ entries: z.array(z.object({ type: z.string() })) })
const listed = z.object({ folders: z.array(withId) })

const { test, patiently, hub } = teamSuite('a hub that two workers serve')

patiently('is one hub, whoever answers: metrics, writes, revocations, streams, repeats', async () => {
  const { call, admin, user } = hub()
  assert.match(hub().server.stdout(), 'Requests are answered by 2 workers.')

  const answers = await hub().askSome(user, { path: '/auth/session' })
  assert.equal(new Set(answers.map(({ status }) => status)), new Set([200]))
  const { body: metrics } = await hub().ask('', { path: '/metrics' })
  for (const worker of [1, 2])
    assert.match(metrics, new RegExp(`requests_total\\{.*route="/auth/session".*worker="${worker}"\\} [1-9]`))
  assert.is(metrics.split('# TYPE team_hub_http_requests_total ').length, 2)
  assert.is((await hub().both()).length, 2, 'the log names both')

  const headers = { 'idempotency-key': 'the-same-every-time' }
  const creating = { method: 'POST', path: '/collections', body: { name: 'Payments' }, headers }
  const made = await hub().askSome(user, creating)
  assert.equal(new Set(made.map(({ status }) => status)), new Set([200]))
  const [id = '', ...others] = new Set(made.map(({ body }) => withId.parse(JSON.parse(body)).id))
  assert.equal(others, [], 'it happened once')
  for (const { body } of await hub().askSome(user, { path: '/collections' })) assert.match(body, id)

  const stream = await follow(user)
  const statuses = await hub().askSome(admin, { path: '/admin/status' })
  for (const { body } of statuses) assert.is(standing.parse(JSON.parse(body)).followers.count, 1)
  const folders = await hub().askSome(user, {
    method: 'POST',
    path: `/collections/${id}/folders`,
    body: { name: 'New' }
  })
  const ids = folders.map(({ body }) => withId.parse(JSON.parse(body)).id)
  await until(() => ids.every((one) => stream.text().includes(one)))
  stream.close()

  const bob = { name: 'bob', role: 'user', collectionAccess: ['*'] }
  const { secret, token } = issued.parse(await call(admin, 'POST', '/admin/users', bob))
  for (const { status } of await hub().askSome(secret, { path: '/auth/session' })) assert.is(status, 200)
  await call(admin, 'DELETE', `/admin/tokens/${token.id}`)
  for (const { status } of await hub().askSome(secret, { path: '/auth/session' })) assert.is(status, 401)
  assert.is((await hub().server.stop()).code, 0)
})

patiently('follows its configuration file in both workers, and tells the log once', async () => {
  const { call, admin, user } = hub()
  const catalogs = async () => (await hub().askSome(user, { path: '/plugins/sources' })).map(({ body }) => body)
  hub().configure({ more: 'plugins: {catalogs: ["https://plugins.example.com/1"]}' })
  const { sections } = report.parse(await call(admin, 'POST', '/admin/config/reload'))
  assert.is(sections.find(({ section }) => section === 'plugins')?.status, 'reloaded')
  for (const body of await catalogs()) assert.match(body, 'example.com/1')

  hub().configure({ more: 'plugins: {catalogs: ["https://plugins.example.com/2"]}' })
  process.kill(hub().server.pid, 'SIGHUP')
  await until(() => hub().server.stdout().includes('config reloaded'))
  for (const body of await catalogs()) assert.match(body, 'example.com/2')
  assert.is(hub().server.stdout().split('config reloaded').length, 2, 'it is told once')
  const asked = await call(admin, 'GET', '/admin/audit?type=ConfigurationReloaded')
  assert.is(entries.parse(asked).entries.length, 2)

  hub().configure({ workers: 3 })
  const more = report.parse(await call(admin, 'POST', '/admin/config/reload'))
  assert.equal(more.sections.at(-1), {
    section: 'server',
    status: 'restart-required',
    error: 'Changes to server.workers require a full process restart.'
  })
  hub().configure({ workers: 1, redis: '{driver: memory}' })
  const refused = await hub().ask(admin, { method: 'POST', path: '/admin/config/reload' })
  assert.is(refused.status, 400)
  assert.match(refused.body, /Each of 2 workers would count failed authentications for itself\..*needs a restart/)

  // The file is of no use now; whoever takes a worker's place serves what is in force.
  const [worker = 0] = await hub().both()
  process.kill(worker, 'SIGKILL')
  await until(() => !lives(worker))
  const from = hub().server.stdout().length
  await until(async () => {
    for (const body of await catalogs()) assert.match(body, /"catalogs":\[\]/)
    return hub().workers(from).size === 2
  })
})

patiently('puts another worker in the place of one that is killed, and serves meanwhile', async () => {
  const { call, user } = hub()
  const { id } = withId.parse(await call(user, 'POST', '/collections', { name: 'Payments' }))
  const [first = 0, second = 0] = await hub().both()
  const failures: string[] = []
  let isOver = false
  const acknowledged: string[] = []
  const client = async () => {
    while (!isOver) {
      const path = `/collections/${id}/folders`
      await hub()
        .ask(user, { method: 'POST', path, body: { name: 'Folder' } })
        .then(
          ({ status, body }) => {
            if (status < 300) acknowledged.push(withId.parse(JSON.parse(body)).id)
            else failures.push(String(status))
          },
          (error: NodeJS.ErrnoException) => failures.push(error.code ?? error.message)
        )
    }
  }
  const clients = Array.from({ length: 4 }, client)
  await until(() => acknowledged.length > 20)
  process.kill(first, 'SIGKILL')
  await until(() => hub().workers().size === 3)
  assert.ok(lives(second), 'the other one is still there')
  isOver = true
  await Promise.all(clients)
  assert.not.ok(failures.includes('ECONNREFUSED'), 'the port was served all the while')
  assert.ok(failures.length <= 4, `what was in flight failed, and nothing else: ${failures.join(', ')}`)
  assert.match(hub().server.stdout(), `"workerPid":${first},"code":null,"signal":"SIGKILL"`)
  const { folders } = listed.parse(await call(user, 'GET', `/collections/${id}/folders`))
  const found = new Set(folders.map((folder) => folder.id))
  assert.equal(
    acknowledged.filter((one) => !found.has(one)),
    [],
    'nothing that was acknowledged is missing'
  )
})

test.run()

/** Follows the feed over a connection of its own. */
async function follow(token: string): Promise<{ readonly text: () => string; readonly close: () => void }> {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get({ host: '127.0.0.1', port: hub().port, path: '/changes', headers, agent: false }, resolve).on('error', reject)
  )
  assert.is(response.statusCode, 200)
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return { text: () => text, close: () => response.destroy() }
}

const spread = teamSuite('tenants that two workers share', 'multitenancy: {enabled: true, peerHost: 127.0.0.1}')
spread.patiently('are served whichever of them a request comes to first', async () => {
  const team = spread.hub()
  for (const tenant of ['acme', 'umbrella', 'initech']) {
    const made = await team.home.hub('tenant', 'create', tenant, '--name', tenant)
    assert.is(made.code, 0, made.stderr)
    const ada = ['--name', 'ada', '--role', 'user', '--collection-access', '*', '--json']
    const { stdout } = await team.home.hub('user', 'create', '--tenant', tenant, ...ada)
    const { secret } = z.object({ secret: z.string() }).parse(JSON.parse(stdout))
    const headers = { 'x-harbor-tenant': tenant }
    const body = { name: 'Payments' }
    for (const { status, body: said } of await team.askSome(secret, { path: '/auth/session', headers }))
      assert.is(status, 200, said)
    for (const made of await team.askSome(secret, { method: 'POST', path: '/collections', headers, body }))
      assert.ok(made.status < 300, made.body)
  }
  const { body: metrics } = await team.ask('', { path: '/metrics' })
  for (const worker of [1, 2])
    assert.match(metrics, new RegExp(`method="POST",route="/collections",.*worker="${worker}"\\} [1-9]`))
  assert.is((await team.server.stop()).code, 0)
})
spread.test.run()

const embedded = suite('a hub that two workers serve on SQLite', { needs: ['redis'] })
embedded(
  'loses nothing though both write to one file, and its read tables equal a replay',
  async () => {
    const team = await startTeam('{driver: sqlite, path: data/hub.sqlite}')
    try {
      const { call, user, home } = team
      const { id } = withId.parse(await call(user, 'POST', '/collections', { name: 'Payments' }))
      const once = async (...[token, method, path, body]: Parameters<typeof call>) => {
        const answered = await team.ask(token, { method, path, body })
        assert.ok(answered.status < 300, answered.body)
        return JSON.parse(answered.body)
      }
      const writers = writing(once, user, id)
      await writers.until(300)
      await writers.stop()
      assert.is(team.workers().size, 2)
      const { folders } = listed.parse(await call(user, 'GET', `/collections/${id}/folders`))
      assert.equal(folders.map((folder) => folder.id).sort(), [...writers.acknowledged].sort())
      for (const what of ['projections', 'audit']) {
        const { code, stdout, stderr } = await home.hub(what, 'verify')
        assert.is(code, 0, stdout + stderr)
      }
      assert.is((await team.server.stop()).code, 0)
    } finally {
      await team.remove()
    }
  },
  PATIENT
)
embedded.run()
