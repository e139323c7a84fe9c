import * as assert from 'uvu/assert'
import { connectAgent } from '../agents/support.js'
import { eachOf, fields, records, text } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import type { Account } from './support.js'
import { succeeded } from './world.js'

// What a token may do is decided above the storage, so one driver tells it for all.
const { test, world } = hubSuite('what a token that is limited to a collection may do with run results', sqlite)

const run = (collection: string | null) => ({
  payload: {
    harborclientExport: 'collection-run-results',
    results: [{ status: 'failed' }],
    ...(collection !== null && { collection: { uuid: collection, name: 'Orders' } })
  }
})
const share = (collection: string | null, as: Account) => world.make('run-results', run(collection), as)
const comment = (id: string, as: Account, body = 'Look') => world.make(`run-results/${id}/discussions`, { body }, as)

/** The owner by a token that is limited to one collection, and runs of it, of another one, and of none, each with a comment. */
async function limited(scope: string, own: Account = world.owner) {
  const [mine, other] = [await world.collection(), await world.collection()]
  const scopes = [scope, 'agent', `collection:${mine}`]
  const reply = await world.by(world.admin).post(`/admin/users/${own.id}/tokens`, { name: 'one', scopes })
  const token = { ...own, token: text(succeeded(reply).body, 'secret') }
  const runs = []
  for (const collection of [mine, other, null]) {
    const id = await share(collection, world.owner)
    runs.push({ id, said: await comment(id, world.owner) })
  }
  const [inside, ...outside] = runs
  if (!inside) throw new Error('No run was shared.')
  return { mine, other, token, by: world.by(token), inside, outside }
}

test('it reads those of its collection, and lists no others', async () => {
  const { by, inside, outside } = await limited('read')
  assert.is((await by.get(`/run-results/${inside.id}`)).status, 200)
  assert.is((await by.get(`/run-results/${inside.id}/discussions`)).status, 200)
  for (const { id } of outside) {
    await world.refused(403, () => by.get(`/run-results/${id}`), 'Forbidden')
    await world.refused(403, () => by.get(`/run-results/${id}/discussions`), 'Forbidden')
  }
  await world.refused(404, () => by.get('/run-results/none'), 'Run result not found')
  for (const query of ['', '?limit=100'])
    assert.equal(eachOf(records(await by.get(`/run-results${query}`), 'runResults'), 'id'), [inside.id])
})

test('it shares and deletes those of its collection', async () => {
  const { by, mine, other, inside, outside } = await limited('write')
  for (const collection of [other, null])
    await world.refused(403, () => by.post('/run-results', run(collection)), 'Forbidden')
  for (const { id } of outside) await world.refused(403, () => by.delete(`/run-results/${id}`), 'Forbidden')
  assert.is((await by.post('/run-results', run(mine))).status, 200)
  assert.is((await by.delete(`/run-results/${inside.id}`)).status, 204)
})

test('where its account only looks, it reads and changes nothing', async () => {
  const viewer = await world.user()
  const { by, mine, inside } = await limited('write', viewer)
  await world.refused(403, () => by.get(`/run-results/${inside.id}`), 'Forbidden')
  const grants = [{ kind: 'collection', id: mine, role: 'viewer' }]
  succeeded(await world.by(world.admin).put(`/admin/users/${viewer.id}/grants`, { grants }))
  assert.is((await by.get(`/run-results/${inside.id}`)).status, 200)
  const own = await share(mine, viewer)
  const text = 'You may look at this and not change it.'
  await world.refused(403, () => by.post('/run-results', run(mine)), text)
  await world.refused(403, () => by.delete(`/run-results/${own}`), text)
  await world.refused(403, () => by.post(`/run-results/${inside.id}/discussions`, { body: 'Why?' }), text)
})

test('it discusses those of its collection', async () => {
  const { by, inside, outside } = await limited('write')
  const says = async (send: () => ReturnType<typeof by.get>, isIn: boolean) => {
    if (isIn) assert.is(succeeded(await send()).status, 200)
    else await world.refused(403, send, 'Forbidden')
  }
  for (const { id, said } of [inside, ...outside]) {
    const isIn = id === inside.id
    await says(() => by.post(`/run-results/${id}/discussions`, { body: 'Why?' }), isIn)
    await says(() => by.post(`/discussion-comments/${said}/replies`, { body: 'So' }), isIn)
    await says(() => by.put(`/discussion-comments/${said}`, { body: 'Other' }), isIn)
    await says(() => by.post(`/discussion-threads/${said}/subscribe`), isIn)
    await says(() => by.post(`/discussion-threads/${said}/resolve`), isIn)
    await says(() => by.post(`/discussion-threads/${said}/reopen`), isIn)
    await says(() => by.delete(`/discussion-comments/${said}`), isIn)
  }
})

test('its notices and its feed tell of no others', async () => {
  const from = world.position()
  const { by, inside, outside } = await limited('read')
  const { owner, colleague } = world
  const answered = []
  for (const { said } of [inside, ...outside])
    answered.push(await world.make(`discussion-comments/${said}/replies`, { body: 'So' }, colleague))
  const shared = [await share(await world.collection(), colleague), await share(null, colleague)]
  const told = async (one: typeof by) => records(await one.get('/notices?limit=100'), 'notices').map(({ id }) => id)
  assert.equal(await told(by), answered.slice(0, 1))
  assert.is(fields((await by.get('/notices/unread-count')).body).count, 1)
  const all = await told(world.by(owner))
  assert.ok([...answered, ...shared].every((id) => all.includes(id)))
  const kinds = records(await by.get(`/changes?after=${from}&limit=500`), 'changes').map(({ kind }) => kind)
  assert.ok(kinds.length > 0 && kinds.every((kind) => kind === 'collection'), kinds.join())
})

test('an agent with it finds no others', async () => {
  const { token, outside } = await limited('read')
  const agent = await connectAgent(world.hub.url, token.token)
  const found = await agent.call('search', { query: 'Orders' })
  assert.equal(found.results, [])
  const changes = JSON.stringify(await agent.call('list_changes', { after: '0' }))
  for (const { id, said } of outside) assert.not.ok(changes.includes(id) || changes.includes(said))
})

test('what administrators and auditors read is of all collections, so it is refused there', async () => {
  const { inside, outside, mine } = await limited('read')
  const scopes = ['admin:read', 'write', `collection:${mine}`]
  const path = `/admin/users/${world.admin.id}/tokens`
  const token = text(succeeded(await world.by(world.admin).post(path, { name: 'one', scopes })).body, 'secret')
  const by = world.by({ ...world.admin, token })
  const of = ['/admin/run-results', `/admin/run-results/${inside.id}`, '/admin/deleted', '/admin/audit']
  for (const one of of)
    await world.refused(403, () => by.get(one), 'This token is limited to collections, and this is of all of them.')
  const changes = JSON.stringify((await by.get('/changes?after=0&limit=500')).body)
  for (const { id, said } of outside) {
    await world.refused(403, () => by.delete(`/discussion-comments/${said}`), 'Forbidden')
    assert.not.ok(changes.includes(id) || changes.includes(said))
  }
  assert.is((await by.delete(`/discussion-comments/${inside.said}`)).status, 200)
})

test.run()
