import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { carryOutUndo, planUndo } from '../../src/records/history/undo.js'
import { type Fields, fields, records, text } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { everything, listed, succeeded } from './world.js'

const { test, world } = hubSuite('environments of imports', sqlite)

const value = (key: string, value: string, type = 'default') => ({ key, value, type, enabled: true })
/** A file of Postman with one environment. */
const file = (id: string, host: string) =>
  JSON.stringify({
    ...{ id, name: `Env ${id}`, _postman_variable_scope: 'environment' },
    values: [value('host', host), value('token', 't', 'secret')]
  })
/** A collection of Bruno as its export, with these environments. */
const collection = (name: string, ...environments: readonly string[]) =>
  JSON.stringify({
    ...{ name, version: '1', items: [{ type: 'http', name: 'R', request: { url: 'https://x.test', method: 'GET' } }] },
    environments: environments.map((one) => ({ name: one, variables: [{ name: 'host', value: one, enabled: true }] }))
  })
const send = async (content: string, more: object = {}, as = world.owner): Promise<Fields> =>
  fields(succeeded(await world.by(as).post('/collections/import', { content, ...more })).body)
const changesOf = (report: Fields) =>
  records({ text: '', body: report }, 'changes')
    .filter(({ kind }) => kind === 'environment')
    .map(({ change, name, reason }) => `${change} ${name}${reason === undefined ? '' : `: ${reason}`}`)
const named = async (name: string) => (await listed(world, '/environments')).filter((one) => one.name === name)

test('a file of an environment makes one, whose secrets are kept from others, and no collection', async () => {
  const before = (await listed(world, '/collections')).length
  const report = await send(file('a', 'https://a.test'))
  assert.equal([report.brings, report.collection], ['environments', { id: null, name: '' }])
  assert.equal(changesOf(report), ['create Env a'])
  const [made] = await named('Env a')
  assert.equal(
    fields(made).variables,
    [
      ['host', 'https://a.test', true],
      ['token', 't', false]
    ].map(([key, value, share]) => ({ key, value, defaultValue: '', share, enabled: true }))
  )
  assert.is((await listed(world, '/collections')).length, before)
})

test('the same file again changes nothing, and another version of it only where it is to be replaced', async () => {
  await send(file('b', 'https://b.test'))
  assert.equal((await send(file('b', 'https://b.test'))).position, null)
  const next = file('b', 'https://next.test')
  assert.equal(changesOf(await send(next)), ['conflict Env b: it is here in another form'])
  assert.equal(changesOf(await send(next, { overwrite: true })), ['update Env b'])
  assert.is((await named('Env b')).length, 1)
})

test('a file that keeps values out, as those of HarborClient do, takes none away that is here', async () => {
  const { get, post, put } = world.by(world.owner)
  const hidden = { key: 'token', value: 'secret', defaultValue: '', share: false, enabled: true }
  const [content, environment] = await Promise.all(
    ['collections', 'environments'].map(async (kind) => {
      const made = fields(succeeded(await post(`/${kind}`, { name: `Hidden ${kind}` })).body)
      succeeded(await put(`/${kind}/${made.id}`, { ...made, variables: [hidden] }))
      return succeeded(await get(`/${kind}/${made.id}/export?format=harborclient`)).text
    })
  )
  assert.not.match(`${content}${environment}`, /secret/)
  const [first, next] = ['one', 'two'].map((name) => `${environment}`.replace('Hidden environments', name))
  await send(`${first}`.replace('"value": ""', '"value": "mine"'))
  await send(`${next}`, { overwrite: true })
  assert.equal(fields((await named('two'))[0]).variables, [{ ...hidden, value: 'mine' }])
  const made = await send(`${content}`.replace('"value": ""', '"value": "mine"'))
  const { id } = fields(made.collection)
  assert.is((await send(`${content}`, { collectionId: id, overwrite: true })).position, null)
  assert.equal(fields(succeeded(await get(`/collections/${id}`)).body).variables, [{ ...hidden, value: 'mine' }])
})

test('an environment that was deleted here stays away, until it is to be replaced', async () => {
  await send(file('c', 'https://c.test'))
  const [{ id } = fields({})] = await named('Env c')
  succeeded(await world.by(world.owner).delete(`/environments/${id}`))
  assert.equal(changesOf(await send(file('c', 'https://c.test'))), ['conflict Env c: it was deleted here'])
  assert.equal(changesOf(await send(file('c', 'https://c.test'), { overwrite: true })), ['create Env c'])
  assert.equal(changesOf(await send(file('c', 'https://d.test'))), ['conflict Env c: it is here in another form'])
})

test('an environment is brought again however often it was deleted here', async () => {
  for (let times = 1; times <= 23; times++) {
    assert.equal(changesOf(await send(file('often', 'https://often.test'), { overwrite: true })), ['create Env often'])
    const [made] = await named('Env often')
    succeeded(await world.by(world.owner).delete(`/environments/${text(fields(made), 'id')}`))
  }
})

test('a collection comes with its environments, in one commit that is taken back as a whole', async () => {
  const from = { position: world.position() }
  const report = await send(collection('With two', 'One', 'Two'), {}, world.colleague)
  assert.equal([report.brings, changesOf(report)], ['collection', ['create One', 'create Two']])
  const headers = await world.hub.hub.ledger.storage.readHeaders(from.position, 20)
  assert.equal(
    [headers.map(({ type }) => type), new Set(headers.map(({ commandId }) => commandId)).size],
    [['EnvironmentCreated', 'EnvironmentCreated', 'CollectionCreated', 'RequestCreated', 'SourceImported'], 1]
  )
  const { ledger } = world.hub.hub
  const plan = await planUndo(ledger, { filter: { tokenId: world.colleague.tokenId }, from })
  assert.equal(await carryOutUndo(ledger, plan, from.position, 'undo'), [])
  assert.equal([await named('One'), await named('Two')], [[], []])
})

test('collections with environments of the same name keep each their own', async () => {
  for (const name of ['First', 'Second']) await send(collection(name, 'Local'))
  assert.is((await named('Local')).length, 2)
})

test('an environment stands below the one of its file that it adds to', async () => {
  const sub = "    - {name: Below, meta: {id: s}, data: {b: '2'}}"
  await send(
    `type: environment.insomnia.rest/5.0\nname: Above\nenvironments:\n  meta: {id: b}\n  data: {a: '1'}\n  subEnvironments:\n${sub}\n`
  )
  const [[above], [below]] = [await named('Above'), await named('Below')]
  assert.is(fields(below).parentUuid, fields(above).id)
})

test('who may make no environments gets the collection, and a note that names what is left out', async () => {
  const without = await world.user({ ...everything, environmentAccess: [] })
  const report = await send(collection('Theirs', 'Hidden'), {}, without)
  assert.equal([changesOf(report), report.brings], [[], 'collection'])
  assert.equal(records({ text: '', body: report }, 'notes'), [
    { what: 'Environments are left out: this account may not make any.', count: 1, places: ['Hidden'] }
  ])
  assert.equal(await named('Hidden'), [])
})

test('who may make environments alone may import them, and no collection', async () => {
  const alone = await world.user({ ...everything, collectionAccess: [] })
  assert.equal(changesOf(await send(file('d', 'https://d.test'), {}, alone)), ['create Env d'])
  const content = collection('None', 'One')
  await world.refused(403, () => world.by(alone).post('/collections/import', { content }), 'Forbidden')
  const neither = await world.user({})
  await world.refused(403, () => world.by(neither).post('/collections/import', { content }), 'Forbidden')
})

test('who may only look at an environment does not change it by a file of it', async () => {
  await send(file('v', 'https://v.test'))
  const [{ id } = fields({})] = await named('Env v')
  const viewer = await world.user({ ...everything, environmentAccess: [] })
  const grants = [{ kind: 'environment', id, role: 'viewer' }]
  succeeded(await world.by(world.admin).put(`/admin/users/${viewer.id}/grants`, { grants }))
  const report = await send(file('v', 'https://next.test'), { overwrite: true }, viewer)
  assert.equal(changesOf(report), ['conflict Env v: this account may not change it'])
  assert.is(report.position, null)
})

test('of an environment that the caller may not see a preview tells no more than that', async () => {
  await send(file('u', 'https://u.test'))
  const stranger = await world.user({ ...everything, environmentAccess: [] })
  for (const text of ['https://u.test', 'https://next.test']) {
    const report = await send(file('u', text), { overwrite: true }, stranger)
    assert.equal(changesOf(report), ['conflict Env u: this account may not change it'])
    assert.not.ok(JSON.stringify(report).includes('variables'))
  }
})

test('a repeat under a key gets the first answer, whatever has become of the environment', async () => {
  const key = randomUUID()
  const again = () =>
    world
      .by(world.owner)
      .post('/collections/import', { content: file('k', 'https://k.test') }, { 'idempotency-key': key })
  const first = succeeded(await again())
  const [made] = await named('Env k')
  const { id, ...content } = fields(made)
  succeeded(await world.by(world.owner).put(`/environments/${id}`, { ...content, variables: [] }))
  const before = world.position()
  assert.equal(succeeded(await again()).body, first.body)
  assert.is(world.position(), before)
})

const preview = async (content: string, as = world.owner): Promise<Fields> =>
  fields(succeeded(await world.by(as).post('/collections/import?preview=true', { content })).body)
const knownOf = (report: Fields) => records({ text: '', body: report }, 'known').map(({ name }) => name)

test('a preview says into which collections the source was imported before, the last one first', async () => {
  const content = collection('Known')
  assert.equal(knownOf(await preview(content)), [])
  const first = text(fields((await send(content)).collection), 'id')
  const second = await world.collection('Other')
  await send(content, { collectionId: second })
  assert.equal(knownOf(await preview(content)), ['Other', 'Known'])
  const onlyFirst = await world.user({ ...everything, collectionAccess: [first] })
  assert.equal(
    knownOf(
      fields(
        succeeded(await world.by(onlyFirst).post('/collections/import?preview=true', { content, collectionId: first }))
          .body
      )
    ),
    ['Known']
  )
  succeeded(await world.by(world.owner).delete(`/collections/${second}`))
  assert.equal([knownOf(await preview(content)), knownOf(await preview(collection('Unknown')))], [['Known'], []])
})

test('of a file that brings several collections each is imported by itself, under the name of its part', async () => {
  const named = (id: string) => ({ id, name: `Dump ${id}`, order: [], folders: [], requests: [] })
  const content = JSON.stringify({ version: 1, collections: [named('a'), named('b')], environments: [], globals: [] })
  const parts = records({ text: '', body: await preview(content) }, 'parts').map(({ id, name }) => [id, name])
  assert.equal(parts, [
    ['collections/a', 'Dump a'],
    ['collections/b', 'Dump b']
  ])
  const post = (part?: string) => world.by(world.owner).post('/collections/import', { content, part })
  await world.refused(400, () => post(), /There are 2 things to import in the file/)
  await world.refused(400, () => post('collections/c'), /the part of it that is named is not there/)
  assert.is(text(fields(fields(succeeded(await post('collections/b')).body).collection), 'name'), 'Dump b')
})

test('a file in which environments have changed places, the one below with the one above, is imported as it says', async () => {
  const layered = (base: string, layer: string) =>
    JSON.stringify({
      ...{ opencollection: '1.0.0', info: { name: 'Layers' }, items: [] },
      config: {
        environments: [
          { name: base, variables: [] },
          { name: layer, extends: base, variables: [] }
        ]
      }
    })
  const above = async () => {
    const [[one], [other]] = [await named('Turned one'), await named('Turned other')]
    return [fields(one).parentUuid === fields(other).id, fields(other).parentUuid === fields(one).id]
  }
  const { collection } = await send(layered('Turned one', 'Turned other'))
  assert.equal(await above(), [false, true])
  const into = { collectionId: text(fields(collection), 'id'), overwrite: true }
  await send(layered('Turned other', 'Turned one'), into)
  assert.equal(await above(), [true, false])
})

test.run()
