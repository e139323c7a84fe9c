import * as assert from 'uvu/assert'
import { fields, text } from '../http/client.js'
import { succeeded } from '../http/world.js'
import { directorySuite } from './setting.js'

/** What Microsoft Entra documents that it sends to a service, in its order, with its ways of writing. */
const { test, directory } = directorySuite('the requests of Entra')

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const operations = (...Operations: readonly object[]) => ({ schemas: [PATCH], Operations })
let id: string
let group: string

test('it tries the connection by a name that nobody has', async () => {
  const filter = encodeURIComponent('userName eq "2f0a7a1e-6a3e-4c55-9d5c-6f3a1f0f7a11"')
  const { body } = succeeded(await directory.get(`/Users?filter=${filter}`))
  assert.equal([fields(body).totalResults, fields(body).Resources], [0, []])
})

test('it makes somebody with attributes of another schema, which are left out', async () => {
  const made = await directory.post('/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE],
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    userName: 'Test_User_ab6490ee@example.com',
    active: true,
    emails: [{ primary: true, type: 'work', value: 'test@example.com' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
    [ENTERPRISE]: { department: 'Payments', manager: { value: 'x' } }
  })
  id = text(succeeded(made).body, 'id')
  assert.not.match(made.text, /Payments/)
})

test('it finds somebody by the external id', async () => {
  const filter = encodeURIComponent('externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"')
  assert.is(fields(succeeded(await directory.get(`/Users?filter=${filter}`)).body).totalResults, 1)
})

test('it changes several attributes at once, by paths and in capitals', async () => {
  const { body } = succeeded(
    await directory.patch(
      `/Users/${id}`,
      operations(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@example.com' },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Refunds' },
        { op: 'Add', path: 'displayName', value: 'Test User' }
      )
    )
  )
  const { name, emails, displayName } = fields(body)
  assert.is(fields(name).familyName, 'updatedFamilyName')
  assert.equal(emails, [{ value: 'updated@example.com', type: 'work', primary: true }])
  assert.is(displayName, 'Test User')
})

test('it adds a mail address to somebody who has none', async () => {
  const made = succeeded(await directory.post('/Users', { userName: 'grace@example.com' })).body
  const path = `/Users/${text(made, 'id')}`
  const emails = async (type: string) => {
    const add = { op: 'Add', path: `emails[type eq "${type}"].value`, value: `${type}@example.com` }
    return fields(succeeded(await directory.patch(path, operations(add))).body).emails
  }
  const work = [{ value: 'work@example.com', type: 'work', primary: true }]
  assert.equal(await emails('work'), work)
  assert.equal(await emails('home'), work, 'one is kept')
})

test('it gives somebody another name', async () => {
  const userName = '5b50642d-79fc-4410-9e90-4c077cdd1a59@example.com'
  const { body } = succeeded(
    await directory.patch(`/Users/${id}`, operations({ op: 'Replace', path: 'userName', value: userName }))
  )
  assert.is(fields(body).userName, userName)
})

test('it disables somebody with a text for no', async () => {
  const secret = await directory.tokenOf(id)
  for (const [value, status] of [
    ['False', 401],
    ['True', 200]
  ] as const) {
    succeeded(await directory.patch(`/Users/${id}`, operations({ op: 'Replace', path: 'active', value })))
    assert.is(await directory.world.statusWith(secret), status)
  }
})

test('what it says of attributes that the hub does not keep holds up nothing else', async () => {
  const odd: readonly object[] = [
    { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1' },
    { op: 'Replace', path: 'addresses[type eq "work"].formatted', value: 'Here' },
    { op: 'Add', path: 'roles[primary eq "True"].value', value: 'x' },
    { op: 'Add', path: 'profileUrl', value: 'no address' },
    { op: 'Add', path: 'addresses[type eq "work" and primary eq true].formatted', value: 'There' },
    { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:Other:2.0:User:cost center', value: 7 },
    { op: 'Add', value: { constructor: { x: 1 } } },
    { op: 'Add', value: { title: 'Dr', 'phoneNumbers[type eq "work"].value': '+2' } }
  ]
  for (const active of ['False', 'True']) {
    const sent = operations({ op: 'Replace', path: 'active', value: active }, ...odd)
    assert.is(fields(succeeded(await directory.patch(`/Users/${id}`, sent)).body).active, active === 'True')
  }
})

test('it makes a group, reads it without its members, and fills it', async () => {
  const made = await directory.post('/Groups', {
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:Group',
      'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'
    ],
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    displayName: 'displayName',
    meta: { resourceType: 'Group' }
  })
  group = text(succeeded(made).body, 'id')
  const add = { op: 'Add', path: 'members', value: [{ $ref: null, value: id }] }
  succeeded(await directory.patch(`/Groups/${group}`, operations(add)))
  const bare = succeeded(await directory.get(`/Groups/${group}?excludedAttributes=members`)).body
  assert.equal([fields(bare).members, fields(bare).displayName], [undefined, 'displayName'])
  const filter = encodeURIComponent('displayName eq "displayName"')
  const found = succeeded(await directory.get(`/Groups?excludedAttributes=members&filter=${filter}`)).body
  assert.is(fields(found).totalResults, 1)
})

test('it takes somebody out of a group, and looks whether they are in it', async () => {
  const filter = encodeURIComponent(`id eq "${group}" and members eq "${id}"`)
  const isIn = async () =>
    fields(succeeded(await directory.get(`/Groups?attributes=id&filter=${filter}`)).body).totalResults
  assert.is(await isIn(), 1)
  const remove = { op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] }
  succeeded(await directory.patch(`/Groups/${group}`, operations(remove)))
  assert.is(await isIn(), 0)
})

test('it renames a group, and deletes group and person', async () => {
  const rename = { op: 'Replace', path: 'displayName', value: '1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName' }
  succeeded(await directory.patch(`/Groups/${group}`, operations(rename)))
  succeeded(await directory.delete(`/Groups/${group}`))
  succeeded(await directory.delete(`/Users/${id}`))
  assert.is((await directory.get(`/Users/${id}`)).status, 404)
})

test.run()
