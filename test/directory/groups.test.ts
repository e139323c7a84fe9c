import * as assert from 'uvu/assert'
import { fields, text } from '../http/client.js'
import { succeeded } from '../http/world.js'
import { suite } from '../support/suite.js'
import { aDirectory, type Directory } from './setting.js'

const test = suite('groups that a directory keeps')
let directory: Directory
test.before(async () => {
  directory = await aDirectory()
})
test.after(() => directory.close())

test('a group with a member whom there is not is not made, and not changed in any part', async () => {
  const user = text(succeeded(await directory.post('/Users', { userName: 'whole' })).body, 'id')
  const [there, nobody] = [{ value: user }, { value: '00000000-0000-4000-8000-000000000000' }]
  const before = directory.world.position()
  assert.is((await directory.post('/Groups', { displayName: 'Whole', members: [there, nobody] })).status, 404)
  assert.is(directory.world.position(), before)
  const made = succeeded(await directory.post('/Groups', { displayName: 'Whole', members: [there] })).body
  const path = `/Groups/${text(made, 'id')}`
  const after = directory.world.position()
  assert.is((await directory.put(path, { displayName: 'Other', members: [nobody] })).status, 404)
  const operations = [
    { op: 'replace', path: 'displayName', value: 'Other' },
    { op: 'add', path: 'members', value: [nobody] }
  ]
  assert.is((await directory.patch(path, { Operations: operations })).status, 404)
  assert.is(directory.world.position(), after)
  const { displayName, members } = fields(succeeded(await directory.get(path)).body)
  assert.equal([displayName, members], ['Whole', [{ value: user, display: 'whole' }]])
})

test.run()
