import * as assert from 'uvu/assert'
import type { GrantCommand } from '../../commands/people/grant/decide.js'
import { reachOf } from '../../commands/people/grant/grants.js'
import { emitUser, type Grant, type GrantRole } from '../../commands/people/user/events.js'
import { emitEnvironment } from '../../commands/records/environment/events.js'
import { LIMITS } from '../../src/limits.js'
import { suite } from '../support/suite.js'
import { by, CHANGED, given } from './given.js'
import { collection } from './made.js'
import { ada, anAccount, anAdmin, bob, nil, only, ops } from './people.js'

const test = suite('deciding on grants')

const user = emitUser('u', 'UserCreated', anAccount('Eve', { collectionAccess: [] }))
const give = (role: 'viewer' | 'manager' | null, userId = 'u'): GrantCommand => ({
  ...{ type: 'GrantAccess', userId, kind: 'collection', id: 'c', role }
})
const changed = (userId: string, role: 'viewer' | 'manager') =>
  emitUser(userId, 'GrantsChanged', { grants: [{ kind: 'collection', id: 'c', role }] })

const viewing = given(user, collection('c'), changed('u', 'viewer'))

const there = given(user, collection('c'))

test('whoever has made a record, and administrators, give others a role on it, and take it again', async () => {
  await there.when(give('viewer')).then(changed('u', 'viewer'))
  await there.when(give('viewer'), { by: ops }).then(changed('u', 'viewer'))
  await viewing.when(give('viewer')).nothing()
  await viewing.when(give('manager')).then(changed('u', 'manager'))
  await viewing.when(give(null)).then(emitUser('u', 'GrantsChanged', { grants: [] }))
})

test('a manager does, and nobody else who may only use it', async () => {
  const cy = emitUser('bob', 'UserCreated', anAccount('Bob', { collectionAccess: [] }))
  const made = [user, cy, by(ada, collection('c'))] as const
  await given(...made)
    .when(give('viewer'), { by: only('c') })
    .refused('Managers of this, whoever has made it and administrators say who has it.', 403)
  await given(...made, changed('bob', 'viewer'))
    .when(give('viewer'), { by: bob })
    .refused('Managers of this, whoever has made it and administrators say who has it.', 403)
  await given(...made, changed('bob', 'manager'))
    .when(give('viewer'), { by: bob })
    .then(changed('u', 'viewer'))
})

test('who may not use a record gives nobody a role on it, though they have made it', () =>
  there.when(give('viewer'), { by: { ...only('d'), userId: 'ada' } }).refused('Forbidden', 403))

test('neither an editor nor a manager of something else that has the same id gives a role', async () => {
  const managers = 'Managers of this, whoever has made it and administrators say who has it.'
  const bobs = (grant: Grant) => emitUser('bob', 'GrantsChanged', { grants: [grant] })
  const past = given(
    ...[user, emitUser('bob', 'UserCreated', anAccount('Bob', { collectionAccess: [] }))],
    by(ada, collection('c'))
  )
  for (const held of [
    { kind: 'collection', id: 'c', role: 'editor' },
    { kind: 'environment', id: 'c', role: 'manager' }
  ] as const)
    await past.and(bobs(held)).when(give('viewer'), { by: bob }).refused(managers, 403)
})

test('administrators of accounts and auditors share nothing, and nobody but a user is given anything', async () => {
  for (const role of ['accountAdmin', 'auditor'] as const)
    await there.when(give('viewer'), { by: { ...ops, role } }).refused('Forbidden', 403)
  await given(emitUser('u', 'UserCreated', anAdmin('Root')), collection('c'))
    .when({ type: 'SetGrants', userId: 'u', grants: [{ kind: 'collection', id: 'c', role: 'viewer' }] }, { by: ops })
    .refused('Admin users cannot have collection, environment, or snippet access.', 400)
})

test('what is granted is reached: to look at, unless another grant or the list lets it be changed', () => {
  const grants = (...roles: readonly GrantRole[]) => roles.map((role) => ({ kind: 'collection', id: 'c', role }))
  const reached = (collectionAccess: readonly string[], ...roles: readonly GrantRole[]) => {
    const { collectionAccess: open, viewed } = reachOf({ ...nil, collectionAccess }, grants(...roles))
    return [open, viewed]
  }
  assert.equal(reached([], 'viewer'), [['c'], ['c']])
  for (const role of ['editor', 'manager'] as const) {
    assert.equal(reached([], role), [['c'], []])
    assert.equal(reached([], 'viewer', role, 'viewer'), [['c'], []])
  }
  assert.equal(reached(['d'], 'viewer'), [['d', 'c'], ['c']])
  for (const list of [['c'], ['*']]) assert.equal(reached(list, 'viewer'), [undefined, []])
})

test('who has made a record and may only look at it by now gives nobody a role on it', () =>
  there
    .when(give('viewer'), { by: { ...only('c'), userId: 'ada', viewed: ['c'] } })
    .refused('Managers of this, whoever has made it and administrators say who has it.', 403))

test('a record of another kind that has the same id is another record', async () => {
  const content = { name: 'E', variables: [], marker: null, parentUuid: null }
  const alike = there.and(emitEnvironment('c', 'EnvironmentCreated', content))
  const both: readonly Grant[] = [
    { kind: 'environment', id: 'c', role: 'viewer' },
    { kind: 'collection', id: 'c', role: 'viewer' }
  ]
  const held = emitUser('u', 'GrantsChanged', { grants: both.slice(0, 1) })
  const after = emitUser('u', 'GrantsChanged', { grants: [...both] })
  await alike.and(held).when(give('viewer')).then(after)
  await alike.when({ type: 'SetGrants', userId: 'u', grants: both }, { by: ops }).then(after)
})

test('nobody changes what they may do themselves, nor what an administrator or a list has', async () => {
  const listed = emitUser('u', 'UserCreated', anAccount('Eve', { collectionAccess: ['c'] }))
  await there.when(give('viewer', 'ada')).refused('Nobody changes what they may do themselves.', 403)
  await given(listed, collection('c'))
    .when(give('viewer'))
    .refused('The access list of this account holds it already: an administrator changes that.', 409)
  await given(emitUser('u', 'UserCreated', anAdmin('Root')), collection('c'))
    .when(give('viewer'))
    .refused('Admin users cannot have collection, environment, or snippet access.', 400)
  await given(user).when(give('viewer')).refused('Collection not found', 404)
})

test('grants of what is gone are dropped where all are said anew, and keep nobody from saying them', async () => {
  const viewer = (id: string) => ({ kind: 'collection', id, role: 'viewer' }) as const
  const both = emitUser('u', 'GrantsChanged', { grants: [viewer('c'), viewer('gone')] })
  const set = (...grants: ReturnType<typeof viewer>[]): GrantCommand => ({ type: 'SetGrants', userId: 'u', grants })
  await given(user, collection('c'), collection('d'), both)
    .when(set(viewer('c'), viewer('gone'), viewer('d')), { by: ops })
    .then(emitUser('u', 'GrantsChanged', { grants: [viewer('c'), viewer('d')] }))
  await given(user, collection('c'), both)
    .when(set(viewer('c'), viewer('never')), { by: ops })
    .refused('Unknown collection id: never.', 400)
})

test('an account is given no more roles than may be said of it at once, and one of those may be another or none', async () => {
  const viewer = (id: string): Grant => ({ kind: 'collection', id, role: 'viewer' })
  const { max } = LIMITS.accessList
  const others = Array.from({ length: max - 1 }, (_, i) => viewer(`c${i}`))
  const holding = (...grants: Grant[]) => there.and(emitUser('u', 'GrantsChanged', { grants: [...others, ...grants] }))
  const full = holding(viewer('d'))
  await full.when(give('viewer')).refused('An account has at most 10000 grants.', 409)
  await full.when(give(null)).nothing()
  const manager = { ...viewer('c'), role: 'manager' } as const
  await holding(viewer('c'))
    .when(give('manager'))
    .then(emitUser('u', 'GrantsChanged', { grants: [...others, manager] }))
  await holding(viewer('c'))
    .when(give(null))
    .then(emitUser('u', 'GrantsChanged', { grants: others }))
})

test('who says all grants of an account may name the revision that they have seen', async () => {
  const set = (...ifRevision: number[]): GrantCommand => ({ type: 'SetGrants', userId: 'u', grants: [], ifRevision })
  await viewing.when(set(1), { by: ops }).refused(CHANGED, 412)
  await viewing.when(set(3), { by: ops }).then(emitUser('u', 'GrantsChanged', { grants: [] }))
})

test.run()
