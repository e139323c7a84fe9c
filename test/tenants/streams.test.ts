import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { fields, text } from '../http/client.js'
import { sqlite } from '../http/drivers.js'
import { until } from '../http/support.js'
import { succeeded, World } from '../http/world.js'
import { temporaryDirectory } from '../support/databases.js'
import { changeIn, startReceiver } from '../webhooks/receiver.js'
import { named, type Teams, teamsSuite } from './support.js'

const folder = await temporaryDirectory()
process.once('exit', () => void folder.remove())
let teams: Teams

const test = teamsSuite(
  'what follows the log of a tenant',
  sqlite,
  (made) => {
    teams = made
  },
  { config: { webhooks: { keyFile: join(folder.path, 'key'), allowPrivateAddresses: ['127.0.0.1'] } } }
)

function open(path: string, token: string, tenant: string): Promise<IncomingMessage> {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...named(tenant) }
  return new Promise((resolve, reject) => {
    get(`${teams.hub.url}${path}`, { headers, agent: false }, resolve).on('error', reject)
  })
}

/** What a stream has brought, and whether it has ended. */
function reading(response: IncomingMessage) {
  const seen = { all: '', isOver: false }
  response.setEncoding('utf8').on('data', (some: string) => {
    seen.all += some
  })
  response.once('close', () => {
    seen.isOver = true
  })
  response.on('error', () => {})
  return seen
}

test('streams of a tenant tell of its own log alone, and end when it is deleted', async () => {
  const [one, other] = [await teams.tenant('one'), await teams.tenant('other')]
  const [people, others] = [await World.of(one), await World.of(other)]
  const streams = await Promise.all(
    ['/changes', '/notices/stream'].map(async (path) => {
      const response = await open(path, people.owner.token, 'one')
      assert.is(response.statusCode, 200)
      return reading(response)
    })
  )
  const [changes] = streams
  const foreign = [await others.collection(), await World.of(teams.hub).then((itself) => itself.collection())]
  const own = await people.collection()
  await until(() => (changes?.all.includes(own) ? true : null))
  for (const id of foreign) assert.not.ok(changes?.all.includes(id))
  await teams.hub.run({ type: 'DeleteTenant', id: one.made.recordId })
  await until(() => (streams.every(({ isOver }) => isOver) ? true : null))
})

test('a reload closes no tenant, nor ends its streams, unless it changes something', async () => {
  const calm = await teams.tenant('calm')
  const stream = reading(await open('/changes', calm.admin.token, 'calm'))
  const lease = await teams.hub.tenants?.enter('calm')
  const reload = { method: 'POST', path: '/admin/config/reload', token: teams.hub.admin.token } as const
  const reloaded = async () => {
    assert.is((await teams.hub.send(reload)).status, 200)
    return lease?.retired.aborted
  }
  assert.is(await reloaded(), false)
  assert.is(stream.isOver, false)
  calm.reconfigure({ audit: { address: 'off' } })
  assert.is(await reloaded(), true)
  await until(() => (stream.isOver ? true : null))
  lease?.leave()
})

test('so many streams of one tenant are no fewer of another', async () => {
  const [full, free] = [await teams.tenant('full'), await teams.tenant('free')]
  const opened: IncomingMessage[] = []
  const statusOf = async (tenant: typeof full) => {
    const response = await open('/changes', tenant.admin.token, tenant.id)
    opened.push(response)
    response.on('error', () => {})
    return response.statusCode
  }
  let status: number | undefined = 200
  for (let i = 0; status === 200 && i < 20; i++) status = await statusOf(full)
  assert.is.not(status, 200)
  assert.is(await statusOf(free), 200)
  for (const response of opened) response.destroy()
})

test('webhooks of a tenant are told of its own changes alone', async () => {
  const receiver = await startReceiver()
  const [mine, theirs] = [await teams.tenant('mine'), await teams.tenant('theirs')]
  const [people, others] = [await World.of(mine), await World.of(theirs)]
  const { webhook } = fields(succeeded(await people.by(people.admin).post('/webhooks', { url: receiver.url })).body)
  assert.ok(text(webhook, 'id'))
  const foreign = [await others.collection(), await World.of(teams.hub).then((itself) => itself.collection())]
  const own = [await people.collection(), await people.collection()]
  const told = () => receiver.received.map((one) => changeIn(one).id)
  await until(() => (own.every((id) => told().includes(id)) ? true : null))
  for (const id of foreign) assert.not.ok(told().includes(id))
})

test.run()
