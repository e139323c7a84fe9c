import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { postgres } from '../http/drivers.js'
import { withNetwork } from '../http/outage.js'
import { until } from '../http/support.js'
import { World } from '../http/world.js'
import { suite } from '../support/suite.js'
import { connectAgent, writingToken } from './support.js'

const test = suite('agents of a hub whose database is away', { needs: postgres.needs })

/** What nothing takes unless it waits for what never comes. */
const LIMIT_MS = 12_000

test('a call is refused at once, and the session goes on when the database is back', () =>
  withNetwork(postgres, async (hub, network) => {
    const world = await World.of(hub)
    const agent = await connectAgent(hub.url, (await writingToken(hub, world.owner)).secret)
    const collectionId = await world.collection()
    const { id, revision } = await agent.call('create_request', { collectionId, name: 'Before', url: '' })
    await network.down()
    for (const [tool, args] of [
      ['get_request', { id }],
      ['update_request', { id, revision, name: 'During' }]
    ] as const) {
      const refused = agent.call(tool, args).then(() => 'an answer', String)
      const text = await Promise.race([refused, sleep(LIMIT_MS, 'nothing in time', { ref: false })])
      assert.match(text, 'The database is not available. Try again in a moment.')
    }
    await network.up()
    await until(async () => {
      const { status } = await world.by(world.owner).get('/collections')
      return status === 200 ? true : null
    })
    await agent.call('update_request', { id, revision, name: 'After' })
    assert.is((await agent.call('list_requests', { collectionId })).next, null)
  }))

test.run()
