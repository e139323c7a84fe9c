import * as assert from 'uvu/assert'
import { collectionContent } from './content.js'
import { sqlite } from './drivers.js'
import { addressOf, everyParam, usualCaller } from './endpoint.js'
import { endpoints } from './endpoints/index.js'
import { hubSuite } from './hub-suite.js'
import { succeeded, type World } from './world.js'

/** Parts of a path that cannot be an id, as they stand in the URL. */
const NO_IDS = [
  '%00',
  'a%00b',
  '%20',
  'a%20b',
  '%F0%9F%98%80',
  '%E2%80%AE',
  '%ED%A0%80',
  '%zz',
  '%',
  'a'.repeat(65),
  'a'.repeat(300)
]
let world: World
const test = hubSuite('requests made to do harm', sqlite, (made) => {
  world = made
})

// Files of pages have names, which are known or not.
for (const endpoint of endpoints.filter(({ row }) => row.includes('/:') && !/^GET \/(docs|console)\//.test(row))) {
  test(`${endpoint.row} with what cannot be an id is 4xx`, async () => {
    const { token } = usualCaller(endpoint, world) ?? {}
    const sample = await endpoint.sample(world)
    for (const part of NO_IDS) {
      const call = { ...addressOf(endpoint, { params: everyParam(sample, part) }), token, body: sample.body }
      await world.refused(part.length > 200 ? 414 : 400, () => world.hub.send(call))
    }
  })
}

for (const [what, text] of [
  ['a __proto__ key', '{"__proto__":{"role":"admin"},"name":"x"}'],
  ['a __proto__ key further in', '{"name":"x","more":{"__proto__":{}}}'],
  ['a constructor with a prototype', '{"name":"x","constructor":{"prototype":{"role":"admin"}}}']
] as const) {
  test(`${what} is refused`, async () => {
    const headers = { 'content-type': 'application/json' }
    const call = { method: 'POST', path: '/collections', token: world.owner.token, text, headers }
    await world.refused(400, () => world.hub.send(call), /__proto__/)
    assert.is(Reflect.get({}, 'role'), undefined)
  })
}

test('JSON that nests more than 64 levels deep is refused wherever it stands, before it is parsed', async () => {
  const error = 'JSON may be nested at most 64 levels deep.'
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const headers = { 'content-type': 'application/json' }
  const post = (path: string, text: string) =>
    world.hub.send({ method: 'POST', path, token: world.owner.token, headers, text })
  const payload = `"harborclientExport":"request-run-results","results":[{}]`
  for (const depth of [65, 1000, 200_000]) {
    await world.refused(400, () => post('/collections', `{"name":"x","more":${deep(depth)}}`), error)
    await world.refused(400, () => post('/collections', deep(depth)), error)
    await world.refused(400, () => post('/collections', `{"name":${deep(depth)}}`), error)
    await world.refused(400, () => post('/run-results', `{"payload":{${payload},"deep":${deep(depth)}}}`), error)
  }
  succeeded(await post('/collections', `{"name":"x","more":${deep(63)}}`))
  succeeded(await post('/run-results', `{"payload":{${payload},"deep":${deep(62)}}}`))
})

test('half a million entries are refused before they are parsed, and thirty thousand wrong ones with the first', async () => {
  const id = await world.collection()
  const { put } = world.by(world.owner)
  const refused = async (entries: number, error: string | RegExp) => {
    const body = { ...collectionContent, variables: Array(entries).fill(1) }
    const reply = await world.refused(400, () => put(`/collections/${id}`, body), error)
    assert.ok(reply.duration_ms < 10_000, `it took ${reply.duration_ms} ms`)
    assert.ok(reply.text.length < 500)
  }
  await refused(500_000, 'JSON may have at most 262144 keys and list items.')
  await refused(45_000, 'variables: More than 40000 entries')
  await refused(30_000, /^variables\.0: /)
})

test.run()
