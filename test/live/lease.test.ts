import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { Lease } from '../../src/app/lease.js'
import { holdLimit_ms } from '../../src/app/live.js'
import { parse } from '../config/parsing.js'
import { suite } from '../support/suite.js'

const test = suite('connections that a reload leaves behind')

function leased() {
  let isClosed = false
  const lease = new Lease({
    async close() {
      isClosed = true
    }
  })
  return { lease, isClosed: () => isClosed }
}

test('are closed at once when nobody uses them', async () => {
  const { lease, isClosed } = leased()
  await lease.retire(1000, () => assert.unreachable())
  assert.ok(isClosed())
})

test('are not closed under whoever still uses them, however long that takes, and it is said once', async () => {
  const { lease, isClosed } = leased()
  let told = 0
  lease.enter()
  lease.enter()
  const retiring = lease.retire(10, () => void told++)
  await setTimeout(50)
  lease.leave()
  await setTimeout(20)
  assert.equal([isClosed(), told], [false, 1])
  lease.leave()
  await retiring
  assert.equal([isClosed(), told], [true, 1])
})

test('are closed once where two find that they have to be, and both hear of it', async () => {
  const { lease, isClosed } = leased()
  lease.enter()
  const both = Promise.all([lease.retire(1000, () => assert.unreachable()), lease.retire(1000, () => {})])
  lease.leave()
  await both
  assert.ok(isClosed())
})

test('may be used for as long as a step of a chat may take, and a while for recording it', () => {
  const limit_ms = (seconds: number) =>
    holdLimit_ms(parse({ llm: `llm: {providers: {openai: {apiKey: sk-1}}, stepTimeoutSeconds: ${seconds}}` }).config)
  assert.is(holdLimit_ms(parse().config), 180_000)
  assert.is(limit_ms(110), 180_000)
  assert.is(limit_ms(900), 960_000)
})

test.run()
