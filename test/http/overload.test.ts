import * as assert from 'uvu/assert'
import { isTooMuch } from '../../src/http/load.js'
import { LIMITS } from '../../src/limits.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { succeeded } from './world.js'

const guard = { isOverloaded: false, stop() {} }
const { test, world } = hubSuite('overload', sqlite, { guard })

test('an overloaded hub refuses requests with 503 before it works on them, and tells its health', async () => {
  const { get, post } = world.by(world.owner)
  guard.isOverloaded = true
  try {
    const refusal = 'The hub is overloaded. Try again in a moment.'
    const reply = await world.refused(503, () => get('/collections'), refusal)
    assert.is(reply.headers['retry-after'], '1')
    assert.ok(reply.headers['x-request-id'])
    await world.refused(503, () => post('/collections', { name: 'Never' }), refusal)
    // Nobody is looked up for it either.
    await world.refused(503, () => world.hub.send({ method: 'GET', path: '/collections', token: 'wrong' }), refusal)
    for (const path of ['/health', '/healthz', '/readyz', '/metrics'])
      assert.ok(succeeded(await world.hub.send({ method: 'GET', path })).headers['x-request-id'], path)
  } finally {
    guard.isOverloaded = false
  }
  succeeded(await get('/collections'))
})

test('slow turns, a full heap and full memory are overload, each alone', () => {
  const { loopDelay, heapShare, memoryShare } = LIMITS
  const most = { delay_ms: loopDelay.max, heapPercent: heapShare.max, memoryPercent: memoryShare.max }
  assert.is(isTooMuch(most), false)
  for (const [name, value] of Object.entries(most)) assert.is(isTooMuch({ ...most, [name]: value + 1 }), true, name)
})

test.run()
