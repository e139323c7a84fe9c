import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { type Home, migratedHome } from './support.js'

const test = suite('groups, and what accounts may do, at the command line')
let home: Home

test.before(async () => {
  home = await migratedHome()
  await home.json('user', 'create', '--name', 'Ada', '--role', 'user')
  await home.json('user', 'create', '--name', 'Bob', '--role', 'user')
})

const refused = async (text: string | RegExp, ...args: readonly string[]) => {
  const { code, stderr } = await home.here(...args)
  assert.is.not(code, 0)
  assert.match(stderr, text)
}

test('a group is made, changed, shown and deleted by its name', async () => {
  assert.match(
    await home.done('group', 'create', '--name', 'Payments', '--snippet-access', '*'),
    /^Created group "Payments"/
  )
  assert.match(
    await home.done('group', 'add', 'payments', 'ada', 'Bob', 'ada'),
    /^Added to group "Payments" \(\S+\): Ada, Bob\./
  )
  assert.match(
    await home.done('group', 'show', 'Payments'),
    /snippet access: \*[\s\S]*members:\n {4}Ada \(administrator\)\n {4}Bob/
  )
  assert.match(await home.done('user', 'show', 'ada'), /groups: Payments\n/)
  await home.done('group', 'update', 'Payments', '--name', 'Refunds', '--snippet-access', 'none')
  assert.match(await home.done('group', 'list'), /Refunds/)
  assert.match(await home.done('group', 'remove', 'Refunds', 'Bob'), /^Removed from group "Refunds"/)
  assert.match(await home.done('group', 'delete', 'Refunds'), /^Deleted group "Refunds"/)
  assert.not.match(await home.done('user', 'show', 'ada'), /groups:/)
})

test('what is no group and no member is told so', async () => {
  await refused(/^No group found with id or name "nobody"\. See: hub group list/, 'group', 'show', 'nobody')
  await refused(/^Nothing to change: give at least one option/, 'group', 'update', 'x')
  await home.done('group', 'create', '--name', 'Empty')
  await refused(/^No user found with id nobody\./, 'group', 'add', 'Empty', 'nobody')
  await refused(/^A group is called "EMPTY" already\./, 'group', 'create', '--name', 'EMPTY')
})

test('an account is disabled and enabled again', async () => {
  assert.match(await home.done('user', 'disable', 'bob'), /^Disabled user "Bob"/)
  assert.match(await home.done('user', 'show', 'bob'), /disabled: \d{4}-/)
  assert.match(await home.done('user', 'enable', 'bob'), /^Enabled user "Bob"/)
  assert.not.match(await home.done('user', 'show', 'bob'), /disabled: /)
})

test('the account of a machine says so, and is not invited', async () => {
  await home.done('user', 'create', '--name', 'Report', '--role', 'user', '--service')
  assert.match(await home.done('user', 'show', 'report'), /service: yes/)
  await refused(
    /give --invite or --service/,
    ...['user', 'create', '--name', 'x', '--role', 'user', '--service', '--invite']
  )
})

test('a role on a record is given and taken back', async () => {
  const none = ['user', 'grant', 'ada', 'nothing', '--role', 'viewer']
  await refused(/^Collection not found/, ...none)
  await refused(/^Option --role is required\./, 'user', 'grant', 'ada', 'nothing')
})

test('a sign-in is bound only to a provider of the configuration', async () => {
  assert.is(await home.done('user', 'sign-in', 'list', 'ada'), 'No sign-ins found.\n')
  await refused(
    /^No provider has the id "company"/,
    ...['user', 'sign-in', 'bind', 'ada', '--provider', 'company', '--subject', 's']
  )
  await refused(/^Sign-in not found/, 'user', 'sign-in', 'unbind', 'nothing')
})

test.run()
