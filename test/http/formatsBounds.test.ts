import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { LIMITS } from '../../src/limits.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { succeeded } from './world.js'

const { test, world } = hubSuite('imports that are bounded by the configuration', sqlite, {
  config: { import: { maxItems: 2, maxContentMb: 0.001, maxFiles: 2, maxValues: 60, maxYamlParts: 100 } }
})

const send = (content: string, more: object = {}) =>
  world.by(world.owner).post('/collections/import?preview=true', { content, ...more })
const curl = (count: number) => 'curl https://x.test\n'.repeat(count)
const zip = (count: number) => {
  const files = Array.from({ length: count }, (_, i) => [`${i}.md`, strToU8('x')] as const)
  return Buffer.from(zipSync(Object.fromEntries(files))).toString('base64')
}

test('what is larger is refused with the setting that has it so, and what is not is taken', async () => {
  succeeded(await send(curl(2)))
  const raise = (setting: string) =>
    new RegExp(`Import it in parts, or ask who runs the hub to raise import\\.${setting}\\.$`)
  await world.refused(413, () => send(curl(3)), raise('maxItems'))
  await world.refused(413, () => send(`curl https://x.test -d '${'x'.repeat(2000)}'`), raise('maxContentMb'))
  await world.refused(413, () => send(zip(3), { encoding: 'base64' }), raise('maxFiles'))
  await world.refused(413, () => send(JSON.stringify(Array.from({ length: 61 }, () => 1))), raise('maxValues'))
  await world.refused(413, () => send('- a\n'.repeat(50)), raise('maxYamlParts'))
})

test.run()

const { test: shared, world: everybody } = hubSuite('imports of one account', sqlite)

shared('what an account sends at once beyond its files is to be sent again, and others import meanwhile', async () => {
  const content = Array.from({ length: 10_000 }, (_, i) => `k${i}: 1`).join('\n')
  const send = () =>
    everybody.by(everybody.owner).post('/collections/import?preview=true', { content, format: 'openapi' })
  const all = Array.from({ length: LIMITS.importsOfOne.max * 3 }, send)
  const other = await everybody
    .by(everybody.colleague)
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

shared('what is no base64 is refused at once, however much of it is blank', async () => {
  const content = `A${' '.repeat(200_000)}!`
  const began = process.cpuUsage()
  const send = () => everybody.by(everybody.owner).post('/collections/import', { content, encoding: 'base64' })
  await everybody.refused(400, send, /it is no base64/)
  const { user } = process.cpuUsage(began)
  assert.ok(user < 2_000_000, `${user / 1000} ms of the processor`)
})

shared.run()
