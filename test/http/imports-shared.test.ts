import * as assert from 'uvu/assert'
import { LIMITS } from '../../src/limits.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'

const { test, world } = hubSuite('imports of one account', sqlite)

test('what an account sends at once beyond its files is to be sent again, and others import meanwhile', async () => {
  const content = Array.from({ length: 10_000 }, (_, i) => `k${i}: 1`).join('\n')
  const send = () => world.by(world.owner).post('/collections/import?preview=true', { content, format: 'openapi' })
  const all = Array.from({ length: LIMITS.importsOfOne.max * 3 }, send)
  const other = await world
    .by(world.colleague)
    .post('/collections/import?preview=true', { content: 'curl https://x.test' })
  assert.is(other.status, 200)
  const answers = await Promise.all(all)
  const refused = answers.filter(({ status }) => status === 429)
  assert.ok(refused.length > 0)
  for (const { headers } of refused) assert.ok(Number(headers['retry-after']) > 0)
  const read = answers.filter(({ status }) => status !== 429)
  assert.ok(read.length >= LIMITS.importsOfOne.max)
  for (const { status, text } of read) assert.is(status, 400, text)
})

test.run()
