import * as assert from 'uvu/assert'
import { text } from './client.js'
import { postgres, sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { Listener } from './listener.js'
import { type Account, startBeside, until } from './support.js'
import { succeeded } from './world.js'

// How each store keeps tickets is in test/throttle/.
const { test, world } = hubSuite('tickets for streams', sqlite)

const ticketOf = async (account: Account) =>
  text(succeeded(await world.by(account).post('/changes/tickets')).body, 'ticket')
/** Opens a stream as a browser does: without a token of its own. */
const open = async (query: string, after?: number) => {
  const one = new Listener(world.hub.url, after)
  return { one, status: await one.open(`/changes?${query}`) }
}
const statusOf = async (query: string) => {
  const { one, status } = await open(query)
  one.close()
  return status
}
const told = ({ told }: Listener, id: string) => until(() => (told.some((one) => one.id === id) ? true : null))

test('a ticket opens one stream, which shows what its token may see, also behind the one before', async () => {
  const ticket = await ticketOf(world.owner)
  const { one, status } = await open(`ticket=${ticket}`)
  assert.is(status, 200)
  assert.match(one.headers['content-type'] ?? '', /event-stream/)
  assert.is(one.headers['ratelimit-policy'], '"streams";q=8;qu="concurrent-requests"')
  assert.is(one.headers.ratelimit, '"streams";r=7')
  const id = await world.collection()
  await told(one, id)
  one.close()
  assert.is(await statusOf(`ticket=${ticket}`), 401)
  const next = await open(`ticket=${await ticketOf(world.owner)}`, world.position() - 1)
  await told(next.one, id)
  next.one.close()
})

test('a ticket of a token that sees nothing shows nothing', async () => {
  const { one } = await open(`ticket=${await ticketOf(await world.user())}`)
  const id = await world.collection()
  const other = await open(`ticket=${await ticketOf(world.owner)}&after=${world.position() - 1}`)
  await told(other.one, id)
  assert.equal(one.told, [])
  for (const each of [one, other.one]) each.close()
})

test('what is no ticket is 401, and blocks nobody', async () => {
  for (let i = 0; i < 20; i++) assert.is(await statusOf(`ticket=hbt_${i}`), 401)
  for (const query of ['ticket=', 'ticket=a&ticket=b', `ticket=${'x'.repeat(600)}`, `ticket=${world.owner.token}`])
    assert.is(await statusOf(query), 401, query)
  assert.is((await world.by(world.owner).get('/changes?after=0')).status, 200)
})

test('a ticket is worth as much as its token is when it is used', async () => {
  const leaving = await world.user()
  const ticket = await ticketOf(leaving)
  succeeded(await world.by(world.admin).delete(`/admin/tokens/${leaving.tokenId}`))
  assert.is(await statusOf(`ticket=${ticket}`), 401)
})

test('it is not spent by HEAD, nor beside an Authorization header, nor anywhere else', async () => {
  const ticket = await ticketOf(world.owner)
  const path = `/changes?after=0&ticket=${ticket}`
  assert.is((await world.hub.send({ method: 'HEAD', path })).status, 401)
  assert.is((await world.by(world.owner).get(path)).status, 200)
  assert.is((await world.hub.send({ method: 'GET', path: `/collections?ticket=${ticket}` })).status, 401)
  assert.is(await statusOf(`ticket=${ticket}`), 200)
})

test('no line of the log holds a ticket', async () => {
  const ticket = await ticketOf(world.owner)
  await statusOf(`ticket=${ticket}`)
  const headers = { 'x-request-id': 'again' }
  await world.hub.send({ method: 'GET', path: `/changes?ticket=${ticket}&x=${ticket}`, headers })
  await until(() => world.hub.log.find(({ reqId }) => reqId === 'again') ?? null)
  assert.not.match(JSON.stringify(world.hub.log), ticket.slice(4))
})

test.run()

const { test: shared, world: there } = hubSuite('tickets for streams', postgres)

shared('where instances share a Redis, a ticket is good at any of them, once in all', async () => {
  const beside = await startBeside(there.hub)
  const { body } = succeeded(await there.by(there.owner).post('/changes/tickets'))
  const call = { method: 'GET', path: `/changes?after=0&ticket=${text(body, 'ticket')}` }
  assert.is((await beside.send(call)).status, 200)
  assert.is((await there.hub.send(call)).status, 401)
  await beside.close()
})

shared.run()
