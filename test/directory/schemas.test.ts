import * as assert from 'uvu/assert'
import { fields, text } from '../http/client.js'
import { succeeded } from '../http/world.js'
import { suite } from '../support/suite.js'
import { aDirectory, type Directory } from './setting.js'

const test = suite('attributes by the name of their schema')
let directory: Directory
test.before(async () => {
  directory = await aDirectory()
})
test.after(() => directory.close())

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

test('attributes under the name of their own schema are changed, those of another are left out', async () => {
  const id = text(succeeded(await directory.post('/Users', { userName: 'schema' })).body, 'id')
  const patch = async (...Operations: readonly object[]) =>
    fields(succeeded(await directory.patch(`/Users/${id}`, { Operations })).body)
  const replace = (value: object) => patch({ op: 'replace', value })
  assert.is((await replace({ [`${CORE}:active`]: false })).active, false)
  assert.is((await replace({ [`${CORE.toUpperCase()}:active`]: 'True' })).active, true)
  assert.is((await replace({ [CORE]: { active: false } })).active, false)
  assert.is((await patch({ op: 'replace', path: CORE, value: { active: true } })).active, true)
  assert.is((await patch({ op: 'replace', path: `${CORE.toUpperCase()}:active`, value: false })).active, false)
  const { displayName, name } = await replace({
    [`${CORE}:displayName`]: 'Ada',
    [`${CORE}:name.familyName`]: 'Lovelace',
    [`${ENTERPRISE}:department`]: 'Payments',
    [ENTERPRISE]: { department: 'Payments' },
    'urn:ietf:params:scim:schemas:core:2.0:Group:displayName': 'Group'
  })
  assert.equal([displayName, name], ['Ada', { familyName: 'Lovelace' }])
  const group = { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:Group:displayName', value: 'Group' }
  assert.is((await patch(group)).displayName, 'Ada')
})

test('members under the name of their own schema are members', async () => {
  const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
  const user = text(succeeded(await directory.post('/Users', { userName: 'member' })).body, 'id')
  const id = text(succeeded(await directory.post('/Groups', { displayName: 'Schema' })).body, 'id')
  const value = { [`${GROUP}:members`]: [{ value: user }], [`${GROUP}:displayName`]: 'Own schema' }
  const { body } = succeeded(await directory.patch(`/Groups/${id}`, { Operations: [{ op: 'add', value }] }))
  assert.equal([fields(body).displayName, fields(body).members], ['Own schema', [{ value: user, display: 'member' }]])
})

test.run()
