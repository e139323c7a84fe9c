import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { BUILT_HERE } from '../../src/ledger/rebuild.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { type Fields, fields, records } from './client.js'
import { withHub } from './hub-suite.js'
import { type TestHub, until } from './support.js'
import { succeeded } from './world.js'

const test = suite('how a hub stands, for administrators')

const ask = async ({ send, admin }: TestHub) =>
  succeeded(await send({ method: 'GET', path: '/admin/status', token: admin.token }))
const status = async (hub: TestHub): Promise<Fields> => fields((await ask(hub)).body)

test('who follows the feed is counted, and since when the first of them does', () =>
  withHub({}, async (hub) => {
    const followers = async () => fields((await status(hub)).followers)
    assert.equal(await followers(), { count: 0, oldestSince: null })
    const before = new Date().toISOString()
    const [first, second] = [new AbortController(), new AbortController()]
    const headers = { authorization: `Bearer ${hub.admin.token}`, accept: 'text/event-stream' }
    for (const { signal } of [first, second]) await fetch(`${hub.url}/changes`, { headers, signal })
    const { count, oldestSince } = await followers()
    assert.is(count, 2)
    assert.ok(String(oldestSince) >= before)
    first.abort()
    const left = await until(async () => {
      const now = await followers()
      return now.count === 1 ? now : null
    })
    assert.ok(String(left.oldestSince) >= String(oldestSince))
    second.abort()
  }))

test('read tables that are being built are told, with how far they are', () =>
  withHub({}, async (hub) => {
    const { storage, readModel } = hub.hub.ledger
    assert.is(fields((await status(hub)).projections).rebuild, null)
    await storage.createGeneration(readModel.head.generation + 1, null, BUILT_HERE)
    const { generation, versions, rebuild } = fields((await status(hub)).projections)
    assert.equal([generation, rebuild], [1, { generation: 2, position: 0 }])
    assert.is(fields(versions).departures, 3)
  }))

test('a search index that is made anew is at 0, and lacks everything', () =>
  withHub({}, async (hub) => {
    const { indexer, readModel } = hub.hub.ledger
    await indexer.caughtUp()
    assert.equal((await status(hub)).search, {
      position: readModel.head.position,
      behind: 0,
      head: readModel.head.position
    })
    await indexer.stop()
    await indexer.restart()
    assert.equal((await status(hub)).search, {
      position: 0,
      behind: readModel.head.position,
      head: readModel.head.position
    })
  }))

test('models are told of without asking anybody, and no secret is told', () => {
  const secrets = { key: 'sk-of-the-provider', metrics: '0123456789abcdef-metrics' }
  const llm = { providers: { openai: { apiKey: secrets.key } } }
  return withHub({ config: { llm, metrics: { authToken: secrets.metrics } } }, async (hub) => {
    const reply = await ask(hub)
    const models = records({ ...reply, body: fields(reply.body) }, 'checks').find(({ name }) => name === 'models')
    assert.match(String(models?.text), /^\d+ models are on offer; they were called 0 times since the start\.$/)
    for (const secret of [...Object.values(secrets), hub.admin.token]) assert.not.ok(reply.text.includes(secret))
  })
})

test('a log that is sealed with a key says so, and not where the key is', async () => {
  const { path, remove } = await temporaryDirectory()
  await withHub({ config: { audit: { sealKeyFile: join(path, 'seal-key') } } }, async (hub) => {
    assert.is(fields((await status(hub)).log).isSealed, true)
    assert.not.match((await ask(hub)).text, /seal-key/)
  })
  await remove()
})

test.run()
