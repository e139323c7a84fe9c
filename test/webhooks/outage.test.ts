import * as assert from 'uvu/assert'
import { codec } from '../../commands/index.js'
import { subjectOf } from '../../src/log/event.js'
import { type Driver, postgres } from '../http/drivers.js'
import { type Network, startNetwork } from '../race/network.js'
import { settleUser } from '../race/world.js'
import { afterwards } from '../support/afterwards.js'
import { suite } from '../support/suite.js'
import { startReceiver, subjects } from './receiver.js'
import { startDelivering, until } from './support.js'

let network: Network
/** Postgres behind a network that the test takes down. */
const behind: Driver = {
  ...postgres,
  async open(label, limits) {
    const place = await postgres.open(label, limits)
    if (place.db.driver !== 'postgres') throw new Error('This is no Postgres.')
    network = await startNetwork(place.db, { isCommit: () => false, isAnswer: () => false })
    return { ...place, db: { ...place.db, host: '127.0.0.1', port: network.port } }
  }
}

const test = suite('webhooks while the database is away', { needs: ['postgres', 'redis'] })

test(
  'nothing is missing afterwards, and what comes twice has the same id',
  async () => {
    const [hub, receiver] = [await startDelivering({ driver: behind }), await startReceiver()]
    afterwards(() => network.stop())
    afterwards(() => hub.stop())
    const ada = await settleUser(hub.ledger, 'ada')
    await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
    let isOver = false
    let refused = 0
    const writing = (async () => {
      while (!isOver) await hub.change(ada).catch(() => refused++)
    })()
    for (let outage = 1; outage <= 2; outage++) {
      const before = receiver.received.length
      await until(() => receiver.received.length >= before + 20)
      await network.down()
      await until(() => refused >= 3 * outage)
      await network.up()
    }
    const before = receiver.received.length
    await until(() => receiver.received.length >= before + 20)
    isOver = true
    await writing
    const events = await hub.ledger.storage.readLog(0, 100_000)
    const made = events.filter(({ type }) => codec.knows(type) && type === 'CollectionCreated')
    const wanted = made.map(({ stream }) => subjectOf(stream))
    await until(() => new Set(subjects(receiver)).size >= wanted.length)
    const first = new Map(receiver.received.map((one) => [one.messageId, one]))
    assert.is(first.size, wanted.length, 'a repeat has the id of the first')
    assert.equal([...new Set(subjects(receiver))], wanted)
    assert.ok(refused > 0)
    const told = hub.log.filter((line) => line.includes('webhooks could not be delivered'))
    assert.ok(told.length <= 4, `an outage is told once, not ${told.length} times`)
  },
  { timeout_ms: 90_000 }
)

test.run()
