import { get, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { fields } from '../http/client.js'
import { sqlite } from '../http/drivers.js'
import { startBeside, until } from '../http/support.js'
import { succeeded, World } from '../http/world.js'
import { named, type Teams, type TestTenant, teamsSuite } from './support.js'

let teams: Teams
let beside: Awaited<ReturnType<typeof startBeside>>
const made: TestTenant[] = []
const NAMES = Array.from({ length: 100 }, (_, i) => `team-${i}`)
const config = { multitenancy: { peerHost: '127.0.0.1' } }

const test = teamsSuite(
  'tenants that several processes share',
  sqlite,
  async (begun) => {
    teams = begun
    beside = await startBeside(teams.hub, { config: teams.sections })
    const { spread } = teams.hub
    await until(() => (NAMES.some((id) => spread?.ownerOf(id)) ? true : null))
    const mine = NAMES.filter((id) => spread?.ownerOf(id) === null)
    const theirs = NAMES.filter((id) => spread?.ownerOf(id))
    for (const id of [...mine.slice(0, 2), ...theirs.slice(0, 2)]) made.push(await teams.tenant(id))
  },
  { config }
)
test.after(() => beside.close())

/** The tenants that the first process serves itself, and those that the other one does. */
const shared = () => ({
  here: made.filter(({ id }) => teams.hub.spread?.ownerOf(id) === null),
  there: made.filter(({ id }) => teams.hub.spread?.ownerOf(id) !== null)
})
const asked = (to: { send: TestTenant['send'] }, { id, admin }: TestTenant, path = '/auth/session') =>
  to.send({ method: 'GET', path, token: admin.token, headers: named(id) })

test('a request is answered alike by whichever process it comes to, and its tenant is open in one of them', async () => {
  const { here, there } = shared()
  assert.equal([here.length, there.length], [2, 2])
  for (const one of made) {
    const [mine, theirs] = [await asked(teams.hub, one), await asked(beside, one)]
    assert.equal([mine.status, theirs.status], [200, 200])
    assert.equal(fields(mine.body), fields(theirs.body))
  }
  assert.is(beside.tenants?.count, there.length)
})

test('the log has the address of the client and the id of its request, wherever it is served', async () => {
  const [one] = shared().there
  if (!one) throw new Error('The other process serves none.')
  const people = await World.of(one)
  const headers = {
    ...{ authorization: `Bearer ${people.owner.token}`, 'content-type': 'application/json' },
    ...{ 'x-request-id': 'asked-for-it', ...named(one.id) }
  }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(
      `${teams.hub.url}/collections`,
      { method: 'POST', headers, localAddress: '127.0.0.2', agent: false },
      resolve
    )
      .on('error', reject)
      .end('{"name":"from elsewhere"}')
  })
  answer.resume()
  assert.equal([answer.statusCode, answer.headers['x-request-id']], [200, 'asked-for-it'])
  const { body } = await asked(teams.hub, one, '/admin/audit?request=asked-for-it')
  assert.match(JSON.stringify(body), '"127.0.0.2"')
})

test('large bodies pass, and those that are too large are refused as anywhere', async () => {
  const [one] = shared().there
  if (!one) throw new Error('The other process serves none.')
  const people = await World.of(one)
  const content = 'x'.repeat(5 * 1024 * 1024)
  const place = await people.collection()
  const document = await people.by(people.owner).post(`/collections/${place}/documents`, { name: 'long', content })
  assert.is(document.status, 200)
  const refused = await people.by(people.owner).post('/collections', { name: 'x'.repeat(1024 * 1024) })
  assert.ok(refused.status === 400 || refused.status === 413)
})

test('a stream of a tenant comes through the process that the client is connected to', async () => {
  const [one] = shared().there
  if (!one) throw new Error('The other process serves none.')
  const people = await World.of(one)
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${people.owner.token}`, ...named(one.id) }
  const stream = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${teams.hub.url}/changes`, { headers, agent: false }, resolve).on('error', reject)
  })
  assert.is(stream.statusCode, 200)
  let seen = ''
  stream.setEncoding('utf8').on('data', (some: string) => {
    seen += some
  })
  const id = await people.collection()
  await until(() => (seen.includes(id) ? true : null))
  stream.destroy()
})

test('a client that leaves before its answer takes no tenant from the process that serves it', async () => {
  const [one] = shared().there
  if (!one) throw new Error('The other process serves none.')
  const headers = { authorization: 'Bearer hbk_wrong', ...named(one.id) }
  for (let i = 0; i < 3; i++) {
    // Refusals at a tenant are held back, so this one is on its way for long enough.
    const asked = request(`${teams.hub.url}/auth/session`, { headers, agent: false }).on('error', () => {})
    asked.end()
    await sleep(100)
    asked.destroy()
    await sleep(50)
    assert.ok(teams.hub.spread?.ownerOf(one.id))
  }
})

test('nobody learns from where a request is served which tenants there are', async () => {
  const strangers = ['nobody-1', 'nobody-2', 'nobody-3', 'nobody-4', 'nobody-5', 'nobody-6']
  const answers = await Promise.all(
    [...strangers, ...made.map(({ id }) => id)].map((id) =>
      teams.hub.send({ method: 'GET', path: '/auth/session', token: 'hbk_wrong', headers: named(id) })
    )
  )
  const told = ({ status, body, headers }: (typeof answers)[number]) =>
    JSON.stringify([status, body, Object.keys(headers).toSorted()])
  assert.equal(new Set(answers.map(told)).size, 1)
})

test('the door between the processes takes nothing that no process vouches for', async () => {
  const entry = await teams.hub.hub.ledger.storage.state.get('processes')
  const { members } = JSON.parse(entry?.text ?? '')
  assert.is(members.length, 2)
  const [one] = made
  for (const { host, port } of members) {
    const status = await new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${one?.admin.token}`,
        'x-hub-handed-on': 'x y z',
        ...named(one?.id ?? '')
      }
      request({ host, port, path: '/auth/session', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .on('error', reject)
        .end()
    })
    assert.is(status, 403)
  }
})

test('what a client says of having been handed on is not believed', async () => {
  const [one] = shared().there
  if (!one) throw new Error('The other process serves none.')
  const headers = { ...named(one.id), 'x-hub-handed-on': 'x y z' }
  const { status } = await teams.hub.send({ method: 'GET', path: '/auth/session', token: one.admin.token, headers })
  assert.is(status, 200)
})

test('where a process cannot be reached its tenants are served by the others, and nothing is refused', async () => {
  const { there } = shared()
  await beside.spread?.close()
  for (const one of there) {
    assert.is((await asked(teams.hub, one)).status, 200)
    const people = await World.of(one)
    succeeded(await people.by(people.owner).post('/collections', { name: 'on this side' }))
  }
  assert.ok(there.every(({ id }) => teams.hub.spread?.ownerOf(id) === null))
})

test.run()
