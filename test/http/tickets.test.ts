import { get, type IncomingMessage } from 'node:http'
import * as assert from 'uvu/assert'
import { text } from './client.js'
import { postgres, sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { type Account, startBeside, until } from './support.js'
import { succeeded, type World } from './world.js'

/** Opens a stream as a browser does: without a header of its own but for what it accepts. */
function open(world: World, query: string, headers = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = { headers: { accept: 'text/event-stream', ...headers }, agent: false } as const
    get(`${world.hub.url}/changes?${query}`, asked, resolve).on('error', reject)
  })
}

const ticketOf = async (world: World, account: Account) =>
  text(succeeded(await world.by(account).post('/changes/tickets')).body, 'ticket')

/** What a stream has brought, which goes on coming. */
function reading(response: IncomingMessage): () => string {
  let all = ''
  response.setEncoding('utf8')
  response.on('data', (some: string) => {
    all += some
  })
  response.on('error', () => {})
  return () => all
}

// One whose tickets are in its own memory, and one whose are in Redis.
for (const driver of [sqlite, postgres]) {
  let world: World
  const test = hubSuite('tickets for streams', driver, (made) => {
    world = made
  })

  test('a ticket opens one stream, which shows what its token may see', async () => {
    const { owner } = world
    const ticket = await ticketOf(world, owner)
    const response = await open(world, `ticket=${ticket}`)
    assert.is(response.statusCode, 200)
    assert.match(response.headers['content-type'] ?? '', /event-stream/)
    assert.is(response.headers['ratelimit-policy'], '"streams";q=8;qu="concurrent-requests"')
    assert.is(response.headers.ratelimit, '"streams";r=7')
    const read = reading(response)
    const id = await world.collection()
    await until(() => (read().includes(id) ? true : null))
    response.destroy()
    const again = await open(world, `ticket=${ticket}`)
    assert.is(again.statusCode, 401)
    again.resume()
  })

  test('a ticket of a token that sees nothing shows nothing', async () => {
    const stranger = await world.user()
    const response = await open(world, `ticket=${await ticketOf(world, stranger)}`)
    const read = reading(response)
    const id = await world.collection()
    const other = await open(world, `ticket=${await ticketOf(world, world.owner)}&after=${world.position() - 1}`)
    const readOther = reading(other)
    await until(() => (readOther().includes(id) ? true : null))
    assert.not.match(read(), id)
    response.destroy()
    other.destroy()
  })

  test('a stream goes on where the one before ended, with a ticket of its own', async () => {
    const id = await world.collection()
    const ticket = await ticketOf(world, world.owner)
    const response = await open(world, `ticket=${ticket}`, { 'last-event-id': String(world.position() - 1) })
    const read = reading(response)
    await until(() => (read().includes(id) ? true : null))
    response.destroy()
  })

  test('what is no ticket is 401, and blocks nobody', async () => {
    for (let i = 0; i < 20; i++) {
      const { statusCode } = (await open(world, `ticket=hbt_${i}`)).resume()
      assert.is(statusCode, 401)
    }
    for (const query of ['ticket=', 'ticket=a&ticket=b', `ticket=${'x'.repeat(600)}`, `ticket=${world.owner.token}`])
      assert.is((await open(world, query)).resume().statusCode, 401, query)
    assert.is((await world.by(world.owner).get('/changes?after=0')).status, 200)
  })

  test('a ticket is worth as much as its token is when it is used', async () => {
    const leaving = await world.user()
    const ticket = await ticketOf(world, leaving)
    succeeded(await world.by(world.admin).delete(`/admin/tokens/${leaving.tokenId}`))
    assert.is((await open(world, `ticket=${ticket}`)).resume().statusCode, 401)
  })

  test('it is not spent by HEAD, nor beside an Authorization header, nor anywhere else', async () => {
    const ticket = await ticketOf(world, world.owner)
    const path = `/changes?after=0&ticket=${ticket}`
    assert.is((await world.hub.send({ method: 'HEAD', path })).status, 401)
    assert.is((await world.by(world.owner).get(path)).status, 200)
    assert.is((await world.hub.send({ method: 'GET', path: `/collections?ticket=${ticket}` })).status, 401)
    const response = await open(world, `ticket=${ticket}`)
    assert.is(response.statusCode, 200)
    response.destroy()
  })

  test('no line of the log holds a ticket', async () => {
    const ticket = await ticketOf(world, world.owner)
    const response = await open(world, `ticket=${ticket}`)
    response.destroy()
    const again = await open(world, `ticket=${ticket}&x=${ticket}`, { 'x-request-id': 'again' })
    again.resume()
    await until(() => world.hub.log.find(({ reqId }) => reqId === 'again') ?? null)
    assert.not.match(JSON.stringify(world.hub.log), ticket.slice(4))
  })

  if (driver === postgres) {
    test('where instances share a Redis, a ticket is good at any of them, once in all', async () => {
      const beside = await startBeside(world.hub)
      const ticket = await ticketOf(world, world.owner)
      const path = `/changes?after=0&ticket=${ticket}`
      assert.is((await beside.send({ method: 'GET', path })).status, 200)
      assert.is((await open(world, `ticket=${ticket}`)).resume().statusCode, 401)
      await beside.close()
    })
  }

  test.run()
}
