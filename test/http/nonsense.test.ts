import * as assert from 'uvu/assert'
import { fields } from './client.js'
import { collectionContent, requestContent } from './content.js'
import { usualDrivers } from './drivers.js'
import { addressOf, everyParam, usualCaller } from './endpoint.js'
import { endpoints } from './endpoints/index.js'
import { hubSuite } from './hub-suite.js'
import { items, lockables } from './kinds.js'
import { listed, succeeded, type World } from './world.js'

/** Parts of a path that could be an id, though nothing has it. */
const STRANGE_IDS = ['__proto__', 'constructor', '..%2F..%2Fadmin', '%27--']

const BROKEN = ['a\0b', 'a\u{dfff}b']
const BROKEN_NAME = 'Name must not contain NUL or broken characters.'
const TOO_LONG = 'Name must be at most 500 characters long.'
const TEXTS = [
  'a\0b',
  'lone \u{d83d} half',
  '\u{202e}right\u{2028}to\u{feff}left',
  '😀'.repeat(300),
  '\\u0000 "\\" \'; DROP--'
]

for (const driver of usualDrivers) {
  let world: World
  const test = hubSuite('nonsense', driver, (made) => {
    world = made
  })

  // One route for every kind of thing that is looked up by an id.
  for (const endpoint of endpoints.filter(({ row }) => /^(DELETE|GET .*:collectionId)/.test(row))) {
    test(`${endpoint.row} with a strange id answers as with an unknown one`, async () => {
      const { token } = usualCaller(endpoint, world) ?? {}
      const sample = await endpoint.sample(world)
      const send = (id: string) =>
        world.hub.send({ ...addressOf(endpoint, { params: everyParam(sample, id) }), token, body: sample.body })
      const usual = await send('00000000-0000-4000-8000-000000000001')
      for (const id of STRANGE_IDS) {
        const { status, text } = await send(id)
        assert.equal([status, text], [usual.status, usual.text], id)
      }
    })
  }

  const named = [
    ...lockables.map(({ path, content }) => ({ path, content: content as object })),
    ...[...items, { path: 'folders', content: {} }].map(({ path, content }) => ({ path, content: content as object })),
    { path: 'admin/users', content: { role: 'user' } },
    { path: 'admin/invited-users', content: { role: 'user' } }
  ]

  for (const { path, content } of named) {
    test(`${path}: a name holds 500 characters in composed form, no NUL and no half characters`, async () => {
      const inside = [...items.map((item) => item.path as string), 'folders'].includes(path)
      const base = inside ? `/collections/${await world.collection()}/${path}` : `/${path}`
      const { post } = world.by(path.startsWith('admin/') ? world.admin : world.owner)
      const create = (name: string) => post(base, { ...content, name })
      for (const name of BROKEN) await world.refused(400, () => create(name), BROKEN_NAME)
      await world.refused(400, () => create('x'.repeat(501)), TOO_LONG)
      await world.refused(400, () => create('x'.repeat(60_000)), TOO_LONG)
      const odd = ['😀'.repeat(240), 'Ame\u{301}lie', `"'; DROP TABLE x;--`].map((name) => path + name)
      for (const name of [path.padEnd(500, 'x'), ...odd]) {
        const { user, ...record } = fields(succeeded(await create(name)).body)
        assert.is(user === undefined ? record.name : fields(user).name, name.normalize('NFC'))
      }
    })
  }

  test('text that is not a name is kept as it came, whatever is in it', async () => {
    const { put, get } = world.by(world.owner)
    const id = await world.collection()
    for (const odd of TEXTS) {
      const variable = { key: odd, value: odd, defaultValue: odd, share: false }
      const body = { ...collectionContent, variables: [variable], preRequestScript: odd, marker: `m${odd}m` }
      succeeded(await put(`/collections/${id}`, body))
      const kept = fields((await get(`/collections/${id}`)).body)
      assert.equal([kept.preRequestScript, kept.marker], [odd, `m${odd}m`])
      assert.equal(kept.variables, [{ ...variable, enabled: true }])
      const made = await world.make(`collections/${id}/requests`, { ...requestContent, url: odd, body: odd })
      const [request] = (await listed(world, `/collections/${id}/requests`)).filter((one) => one.id === made)
      assert.equal([request?.url, request?.body], [odd, odd])
    }
  })

  for (const list of ['collectionAccess', 'environmentAccess', 'snippetAccess', 'llmModels']) {
    test(`an access list holds ids: ${list}`, async () => {
      const { id } = await world.user()
      const { put } = world.by(world.admin)
      const change = (value: unknown) => () => put(`/admin/users/${id}`, { [list]: value })
      for (const entry of [...BROKEN, 'a b', 'é', 'x'.repeat(201), 7, null, ['*']]) {
        await world.refused(400, change([entry]))
      }
      await world.refused(400, change(['']), 'Access entries must not be empty.')
      await world.refused(400, change(Array(20_000).fill('*')))
      await world.refused(400, change('*'))
    })
  }

  test('sixty folders inside each other are moved and deleted like one', async () => {
    const collectionId = await world.collection()
    const ids: string[] = []
    for (let i = 0; i < 60; i++) ids.push(await world.folder(collectionId, ids.at(-1) ?? null))
    const { put, delete: remove } = world.by(world.owner)
    await world.refused(400, () => put(`/folders/${ids[0]}/move`, { parentFolderId: ids.at(-1) }))
    assert.is((await remove(`/folders/${ids[0]}`)).status, 204)
    assert.equal(await listed(world, `/collections/${collectionId}/folders`), [])
  })

  test.run()
}
