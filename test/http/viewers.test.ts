import * as assert from 'uvu/assert'
import { lockables } from '../../commands/records/kinds.js'
import { fields } from './client.js'
import { sqlite } from './drivers.js'
import { addressOf, type Sample } from './endpoint.js'
import { endpoints } from './endpoints/index.js'
import { hubSuite } from './hub-suite.js'
import type { Account } from './support.js'
import { succeeded, type World } from './world.js'

let world: World
// What somebody may do is decided above the storage, so one driver tells it for all.
const test = hubSuite('what those may do who may only look', sqlite, (made) => {
  world = made
})

/** Somebody with this role on what the lists of a sample name. */
async function granted({ scope = {} }: Sample, role: string): Promise<Account | null> {
  const grants = lockables.flatMap(({ kind, access }) => (scope[access] ?? []).map((id) => ({ kind, id, role })))
  if (grants.length === 0 || grants.some(({ id }) => id === '*')) return null
  const somebody = await world.user()
  succeeded(await world.by(world.admin).put(`/admin/users/${somebody.id}/grants`, { grants }))
  return somebody
}

/** What changes no record, though it is no GET: what somebody wants to be told of, what they follow, and what is asked for. */
const HARMLESS = /\/(subscribe|unsubscribe|read|read-all)$|^POST \/(webhooks|changes\/tickets|mcp)/

// What devices send each other to read encrypted discussions is no change of a record.
const ofRecords = endpoints.filter(({ access, row }) => access === 'user' && !row.includes('/discussion-mls/'))
for (const endpoint of ofRecords) {
  const { row, success } = endpoint
  const isRead = row.startsWith('GET ') || HARMLESS.test(row)
  test(`${row} by a viewer: ${isRead ? success : 403}, and by an editor: ${success}`, async () => {
    const sample = await endpoint.sample(world)
    const viewer = await granted(sample, 'viewer')
    if (!viewer) return
    const send = ({ token }: Account) => world.hub.send({ ...addressOf(endpoint, sample), token, body: sample.body })
    if (isRead) assert.is((await send(viewer)).status, success)
    else {
      const { text } = await world.refused(403, () => send(viewer), null)
      assert.match(text, /You may look at this and not change it\.|Forbidden/)
    }
    const editor = await granted(sample, 'editor')
    if (editor && !isRead) {
      const { status, text } = await send(editor)
      assert.not.match(text, /You may look at this/, `${status}`)
    }
  })
}

test('a role is in force with the next request, and shown to nobody who has none', async () => {
  const [id, somebody] = [await world.collection(), await world.user()]
  const folders = `/collections/${id}/folders`
  const by = world.by(somebody)
  const share = (role: string) =>
    world.by(world.owner).put(`/collections/${id}/sharing/${encodeURIComponent(somebody.name)}`, { role })
  assert.is((await by.get(folders)).status, 403)
  succeeded(await share('viewer'))
  assert.equal([(await by.get(folders)).status, (await by.post(folders, { name: 'x' })).status], [200, 403])
  succeeded(await share('editor'))
  assert.is((await by.post(folders, { name: 'x' })).status, 200)
  assert.is((await by.get(`/collections/${id}/sharing`)).status, 403)
  succeeded(await share('manager'))
  assert.is((await by.get(`/collections/${id}/sharing`)).status, 200)
  const other = await world.user()
  succeeded(await by.put(`/collections/${id}/sharing/${other.id}`, { role: 'viewer' }))
  assert.is((await world.by(other).get(folders)).status, 200)
  succeeded(await by.delete(`/collections/${id}/sharing/${other.id}`))
  assert.is((await world.by(other).get(folders)).status, 403)
  const { grants } = fields((await world.by(world.admin).get(`/admin/users/${other.id}`)).body)
  assert.is(grants, undefined)
})

test.run()
