import * as assert from 'uvu/assert'
import { fields, records, text } from '../http/client.js'
import { succeeded } from '../http/world.js'
import { directorySuite } from './setting.js'

/** What Okta documents that it sends to a service, in its order (SCIM 2.0, Users and Groups). */
const { test, directory } = directorySuite('the requests of Okta')

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const ada = {
  schemas: [USER],
  userName: 'ada@example.com',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ primary: true, value: 'ada@example.com', type: 'work' }],
  displayName: 'Ada Lovelace',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true
}
const byName = `/Users?filter=${encodeURIComponent('userName eq "ada@example.com"')}&startIndex=1&count=100`
let id: string

test('it looks whether somebody is there, and makes them', async () => {
  const none = succeeded(await directory.get(byName)).body
  assert.equal([fields(none).totalResults, fields(none).Resources], [0, []])
  const made = succeeded(await directory.post('/Users', ada))
  assert.is(made.status, 201)
  assert.match(String(made.headers['content-type']), /^application\/scim\+json/)
  const { schemas, userName, active, externalId, name, meta, ...rest } = fields(made.body)
  id = text(rest, 'id')
  assert.equal(
    { schemas, userName, active, externalId, name },
    {
      schemas: [USER],
      userName: ada.userName,
      active: true,
      externalId: ada.externalId,
      name: { familyName: 'Lovelace', givenName: 'Ada' }
    }
  )
  assert.match(text(meta, 'location'), new RegExp(`/scim/v2/Users/${id}$`))
  assert.is(made.headers.location, text(meta, 'location'))
  assert.is(fields(succeeded(await directory.get(byName)).body).totalResults, 1)
})

test('it reads somebody, and says of all of them what changed', async () => {
  const read = succeeded(await directory.get(`/Users/${id}`)).body
  assert.is(fields(read).userName, ada.userName)
  const changed = { ...ada, id, name: { givenName: 'Ada', familyName: 'King' }, displayName: 'Ada King' }
  assert.is(fields(succeeded(await directory.put(`/Users/${id}`, changed)).body).displayName, 'Ada King')
})

test('it deactivates somebody, whose tokens and streams end with one event, and takes that back', async () => {
  const secret = await directory.tokenOf(id)
  const stream = await fetch(`${directory.world.hub.url}/changes`, { headers: { authorization: `Bearer ${secret}` } })
  assert.is(stream.status, 200)
  const before = directory.world.position()
  const operations = (active: boolean) => ({ schemas: [PATCH], Operations: [{ op: 'replace', value: { active } }] })
  const gone = succeeded(await directory.patch(`/Users/${id}`, operations(false)))
  assert.is(fields(gone.body).active, false)
  assert.is(directory.world.position() - before, 1)
  await stream.text()
  assert.is(await directory.world.statusWith(secret), 401)
  succeeded(await directory.patch(`/Users/${id}`, operations(true)))
  assert.is(await directory.world.statusWith(secret), 200)
})

let group: string

test('it makes a group, fills it, renames it and empties it', async () => {
  const made = await directory.post('/Groups', { schemas: [GROUP], displayName: 'Payments', members: [] })
  group = text(succeeded(made).body, 'id')
  const members = async () => fields(succeeded(await directory.get(`/Groups/${group}`)).body).members
  assert.is(await members(), undefined)
  const change = async (...Operations: readonly object[]) =>
    succeeded(await directory.patch(`/Groups/${group}`, { schemas: [PATCH], Operations }))
  await change({ op: 'add', path: 'members', value: [{ value: id, display: ada.userName }] })
  assert.equal(await members(), [{ value: id, display: ada.userName }])
  await change({ op: 'replace', value: { id: group, displayName: 'Payments and refunds' } })
  assert.equal(await members(), [{ value: id, display: ada.userName }])
  await change({ op: 'remove', path: `members[value eq "${id}"]` })
  assert.is(await members(), undefined)
  await change({ op: 'replace', path: 'members', value: [{ value: id }] })
  assert.equal(await members(), [{ value: id, display: ada.userName }])
})

test('members have what an administrator has given the group', async () => {
  const collectionId = await directory.world.collection()
  const secret = await directory.tokenOf(id)
  const by = directory.world.by({ ...directory.world.owner, token: secret })
  assert.is((await by.get(`/collections/${collectionId}/folders`)).status, 403)
  const admin = directory.world.by(directory.world.admin)
  succeeded(await admin.put(`/admin/groups/${group}`, { collectionAccess: [collectionId] }))
  assert.is((await by.get(`/collections/${collectionId}/folders`)).status, 200)
  assert.equal(records(await admin.get(`/admin/groups/${group}/members`), 'members'), [
    { userId: id, name: ada.userName, by: 'directory', rule: null }
  ])
})

test('it lists all groups, and deletes one', async () => {
  const all = succeeded(await directory.get('/Groups?startIndex=1&count=100')).body
  assert.is(fields(all).totalResults, 1)
  succeeded(await directory.delete(`/Groups/${group}`))
  assert.is((await directory.get(`/Groups/${group}`)).status, 404)
})

test('who is made twice is a conflict that it understands', async () => {
  const { status, body } = await directory.post('/Users', ada)
  assert.is(status, 409)
  assert.equal([fields(body).scimType, fields(body).status], ['uniqueness', '409'])
})

test.run()
