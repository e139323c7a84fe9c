import * as assert from 'uvu/assert'
import { fields, type Reply, text } from '../http/client.js'
import { succeeded } from '../http/world.js'
import { suite } from '../support/suite.js'
import { aDirectory, type Directory } from './setting.js'

const test = suite('who is let in, by what a directory says')
let directory: Directory
test.before(async () => {
  directory = await aDirectory()
})
test.after(() => directory.close())

test('what a directory does not say of an account that is disabled stays so', async () => {
  const made = succeeded(await directory.post('/Users', { userName: 'unsaid', active: false })).body
  const path = `/Users/${text(made, 'id')}`
  const active = (reply: Reply) => fields(succeeded(reply).body).active
  const remove = { Operations: [{ op: 'remove', path: 'active' }] }
  assert.is(active(await directory.put(path, { userName: 'unsaid' })), false)
  assert.is(active(await directory.put(path, { userName: 'unsaid', active: null })), false)
  assert.is(active(await directory.patch(path, remove)), false)
  assert.is(active(await directory.put(path, { userName: 'unsaid', active: true })), true)
  assert.is(active(await directory.patch(path, remove)), true)
  assert.is(active(await directory.put(path, { userName: 'unsaid' })), true)
})

test('whom an administrator has disabled no directory lets in again, and what else it says is kept', async () => {
  const id = text(succeeded(await directory.post('/Users', { userName: 'gone' })).body, 'id')
  const secret = await directory.tokenOf(id)
  const admin = directory.world.by(directory.world.admin)
  succeeded(await admin.post(`/admin/users/${id}/disable`))
  const path = `/Users/${id}`
  const operations = (...Operations: readonly object[]) => directory.patch(path, { Operations })
  const answers = [
    await directory.put(path, { userName: 'gone', displayName: 'Put' }),
    await directory.put(path, { userName: 'gone', displayName: 'Put active', active: true }),
    await operations({ op: 'remove', path: 'active' }),
    await operations({ op: 'replace', path: 'active', value: 'True' }),
    await operations({ op: 'replace', path: 'active', value: false }),
    await operations({ op: 'replace', value: { active: true, displayName: 'Patched' } })
  ]
  for (const { status, body, text } of answers) assert.equal([status, fields(body).active], [200, false], text)
  assert.is(fields(answers.at(-1)?.body).displayName, 'Patched')
  assert.is(await directory.statusWith(secret), 401)
  succeeded(await admin.post(`/admin/users/${id}/enable`))
  assert.is(await directory.statusWith(secret), 200)
})

test.run()
