import * as assert from 'uvu/assert'
import { fields, records, text } from './client.js'
import { requestContent } from './content.js'
import { sqlite } from './drivers.js'
import { addressOf } from './endpoint.js'
import { endpoints } from './endpoints/index.js'
import { hubSuite } from './hub-suite.js'
import { statusFor } from './who.js'
import { succeeded } from './world.js'

const { test, world } = hubSuite('administrators who work with records', sqlite, {
  config: { client: { adminDataApi: true } }
})

test('the session says so, and that they manage too', async () => {
  const { capabilities } = fields((await world.by(world.admin).get('/auth/session')).body)
  assert.equal(capabilities, {
    ...{ dataApi: true, managementApi: true, communication: true },
    ...{ llm: false, discussionE2ee: false }
  })
})

// Those of encrypted discussions have the hub read its configuration again, as their samples write it.
const ofUsers = endpoints.filter(({ row, access }) => access === 'user' && !row.includes(' /discussion-mls/'))
for (const endpoint of ofUsers) {
  const expected = statusFor(endpoint, 'a user with *')
  test(`${endpoint.row} by an administrator: ${expected}, as by a user with access to everything`, async () => {
    const sample = await endpoint.sample(world)
    const { token } = world.admin
    const reply = await world.hub.send({ ...addressOf(endpoint, sample), body: sample.body, token })
    assert.is(reply.status, expected, reply.text)
  })
}

test('what they change is theirs in the log and in the record, and what others made they do not delete here', async () => {
  const { admin } = world
  const collectionId = await world.collection('Shared')
  const id = await world.request(collectionId, null, admin)
  const own = fields(succeeded(await world.by(admin).get(`/requests/${id}`)).body)
  assert.is(own.createdByUserId, admin.id)
  const [entry] = records(succeeded(await world.by(admin).get('/admin/audit?limit=1')), 'entries')
  assert.is(text(entry?.actor, 'id'), admin.id)
  await world.refused(403, () => world.by(admin).delete(`/collections/${collectionId}`), 'Forbidden')
  succeeded(await world.by(admin).put(`/requests/${id}`, { ...requestContent, collectionId, name: 'Mine' }))
})

test('an administrator who is made a user has the access of a user at once', async () => {
  const made = succeeded(
    await world.by(world.admin).post('/admin/users', { name: 'Second administrator', role: 'admin' })
  )
  const { user, token, secret } = fields(made.body)
  const second = {
    ...{ id: text(user, 'id'), name: 'Second administrator', tokenId: text(token, 'id') },
    token: text({ secret }, 'secret')
  }
  const collectionId = await world.collection()
  succeeded(await world.by(second).get(`/collections/${collectionId}`))
  succeeded(await world.by(world.admin).put(`/admin/users/${second.id}`, { role: 'user', collectionAccess: [] }))
  await world.refused(403, () => world.by(second).get(`/collections/${collectionId}`), 'Forbidden')
  const body = { name: 'New', parentFolderId: null }
  await world.refused(403, () => world.by(second).post(`/collections/${collectionId}/folders`, body), 'Forbidden')
})

test.run()
