import * as assert from 'uvu/assert'
import type { MembersChange } from '../../commands/people/directory/decide.js'
import { versionOf } from '../../commands/people/directory/version.js'
import { emitGroup, type Group } from '../../commands/people/group/events.js'
import { emitIdentity } from '../../commands/people/identity/events.js'
import { emitUser, noAccess } from '../../commands/people/user/events.js'
import { suite } from '../support/suite.js'
import { atFirst, CHANGED, given } from './given.js'
import { anAccount, anAdmin, ops, someone } from './people.js'

const test = suite('deciding on what a directory keeps')

const untold = { externalId: null, displayName: null, givenName: null, familyName: null, email: null }
const user = emitUser('u', 'UserCreated', anAccount('Eve'))
const anotherUser = emitUser('zoe', 'UserCreated', anAccount('Zoe'))
const disabled = (by: 'administrator' | 'directory') => emitUser('u', 'UserDisabled', { by })
const enabled = emitUser('u', 'UserEnabled', {})
const said = (isActive: boolean | null) =>
  ({ type: 'UpdateProvisionedUser', id: 'u', user: { name: 'Eve', isActive, details: untold }, signIn: null }) as const

test('an account is let in again where a directory has disabled it, and not where an administrator has', async () => {
  await given(user, disabled('directory')).when(said(true), { by: ops }).then(enabled)
  await given(user, disabled('administrator')).when(said(true), { by: ops }).nothing()
  await given(user, disabled('directory'), disabled('administrator')).when(said(true), { by: ops }).nothing()
  await given(user, disabled('administrator'), enabled, disabled('directory'))
    .when(said(true), { by: ops })
    .then(enabled)
  await given(user).when(said(true), { by: ops }).nothing()
})

test('what a directory says of a disabled account again, or not at all, changes nothing', async () => {
  for (const by of ['administrator', 'directory'] as const)
    for (const isActive of [false, null]) await given(user, disabled(by)).when(said(isActive), { by: ops }).nothing()
  await given(user).when(said(null), { by: ops }).nothing()
  await given(user).when(said(false), { by: ops }).then(disabled('directory'))
})

test('who signs in as an account already is that of no other', () => {
  const subject = { provider: 'company', issuer: 'https://id.example.com', subject: '7', name: 'Eve', key: 'k' }
  const zoe = { name: 'Zoe', isActive: null, details: untold }
  return given(user, emitIdentity('i', 'IdentityBound', { userId: 'u', ...subject }))
    .when({ type: 'ProvisionUser', id: 'v', user: zoe, signIn: { id: 'j', subject } }, { by: ops })
    .refused('Eve signs in to another account of this hub already.', 409)
})

test('an external id that is said later binds the account, in place of the one before', async () => {
  const bound = (subject: string, userId = 'u') => ({
    userId,
    provider: 'company',
    issuer: 'https://id.example.com',
    subject,
    name: 'Eve',
    key: `key of ${subject}`
  })
  const identity = (id: string, subject: string, userId?: string) =>
    emitIdentity(id, 'IdentityBound', bound(subject, userId))
  const said = (externalId: string | null, subject = externalId) => {
    const { userId: _, ...signIn } = bound(subject ?? '')
    return {
      ...({
        type: 'UpdateProvisionedUser',
        id: 'u',
        signIn: subject === null ? null : { id: 'j', subject: signIn }
      } as const),
      user: { name: 'Eve', isActive: null, details: { ...untold, externalId } }
    }
  }
  const told = (externalId: string | null) => emitUser('u', 'UserProvisioned', { ...untold, externalId })
  await given(user).when(said('7'), { by: ops }).then(told('7'), identity('j', '7'))
  // Whoever is another person now comes in no more as the one before.
  await given(user, told('6'), identity('i', '6'), identity('own', 'her other one'))
    .when(said('7'), { by: ops })
    .then(told('7'), emitIdentity('i', 'IdentityUnbound', { tokens: [] }), identity('j', '7'))
  // A provider may call itself with a slash at the end that the configuration does not have.
  const slashed = { ...bound('6'), issuer: 'https://id.example.com/' }
  await given(user, told('6'), emitIdentity('i', 'IdentityBound', slashed))
    .when(said('7'), { by: ops })
    .then(told('7'), emitIdentity('i', 'IdentityUnbound', { tokens: [] }), identity('j', '7'))
  await given(user, identity('i', '7')).when(said('7'), { by: ops }).then(told('7'))
  await given(user, anotherUser, identity('i', '7', 'zoe'))
    .when(said('7'), { by: ops })
    .refused('Eve signs in to another account of this hub already.', 409)
  // Nor where the directory has said none in between, nor where it has corrected the case of a letter.
  await given(user, told('6'), identity('i', '6'), told(null))
    .when(said('7'), { by: ops })
    .then(told('7'), emitIdentity('i', 'IdentityUnbound', { tokens: [] }), identity('j', '7'))
  await given(user, told('6'), identity('i', '6'), told(null)).when(said('6'), { by: ops }).then(told('6'))
  await given(user, told('a'), identity('i', 'a'))
    .when(said('A'), { by: ops })
    .then(told('A'), emitIdentity('i', 'IdentityUnbound', { tokens: [] }), identity('j', 'A'))
  // What somebody has let go of meanwhile is not taken up again by a word about something else.
  await given(user, told('7')).when(said('7'), { by: ops }).nothing()
  await given(user, told('7'), identity('i', '7')).when(said(null), { by: ops }).then(told(null))
  await given(user, emitUser('u', 'UserMarkedAsService', {}))
    .when(said('7'), { by: ops })
    .then(told('7'))
  // Whoever has the token of a directory becomes no administrator by it.
  await given(emitUser('u', 'UserCreated', anAdmin('Eve')))
    .when(said('7'), { by: ops })
    .then(told('7'))
})

test('who is made without a word of it is let in', async () => {
  const made = (isActive: boolean | null) =>
    ({ type: 'ProvisionUser', id: 'v', user: { name: 'Zoe', isActive, details: untold }, signIn: null }) as const
  const isDisabled = (isActive: boolean | null, expected: number) =>
    atFirst.when(made(isActive), { by: ops }).events((events) => {
      const found = events.filter(({ type }) => type === 'UserDisabled').length
      if (found !== expected) throw new Error(`${isActive}: ${found}`)
    })
  await isDisabled(null, 0)
  await isDisabled(true, 0)
  await isDisabled(false, 1)
})

test("an administrator's word stands over a directory's, once", async () => {
  const disable = { type: 'DisableUser', id: 'u', by: 'administrator' } as const
  await given(user, disabled('directory')).when(disable, { by: ops }).then(disabled('administrator'))
  await given(user, disabled('administrator')).when(disable, { by: ops }).nothing()
})

const group: Group = { name: 'Payments', ...noAccess, grants: [], externalId: null }
const made = (id = 'g', name = 'Payments') => emitGroup(id, 'GroupCreated', { ...group, name })
const isIn = (user: string, ...ids: readonly string[]) =>
  emitUser(user, 'MembershipsChanged', { groups: ids.map((id) => ({ id, by: 'directory' as const, rule: null })) })
const eve = emitUser('eve', 'UserCreated', anAccount('Eve'))
const zoe = emitUser('zoe', 'UserCreated', anAccount('Zoe'))
const provision = (...members: readonly string[]) =>
  ({ type: 'ProvisionGroup', id: 'g', group: { name: 'Payments', externalId: null }, members }) as const
const change = (name: string, members: Partial<MembersChange>) =>
  ({
    type: 'UpdateProvisionedGroup',
    id: 'g',
    changes: { name },
    ifVersion: undefined,
    members: { add: [], remove: [], all: null, ...members }
  }) as const

test('a group is made with all of its members, or not at all', async () => {
  await given(eve, zoe).when(provision('eve', 'zoe'), { by: ops }).then(made(), isIn('eve', 'g'), isIn('zoe', 'g'))
  await given(eve, made('h', 'Others'), isIn('eve', 'h'))
    .when(provision('eve', 'eve'), { by: ops })
    .then(made(), isIn('eve', 'h', 'g'))
  await given(eve).when(provision('eve', 'nobody'), { by: ops }).refused('User not found', 404)
  await given(emitUser('root', 'UserCreated', anAdmin('Root')))
    .when(provision('root'), { by: someone({ role: 'accountAdmin' }) })
    .refused('The account root is not that of a user. Administrators alone say which groups it is in.', 403)
})

test('a group and who is in it change together, by who is in it then', async () => {
  const renamed = emitGroup('g', 'GroupUpdated', { ...group, name: 'Refunds' })
  const past = given(eve, zoe, made(), isIn('eve', 'g'))
  await past.when(change('Refunds', { all: ['zoe'] }), { by: ops }).then(renamed, isIn('eve'), isIn('zoe', 'g'))
  await past.when(change('Payments', { all: ['eve'] }), { by: ops }).nothing()
  await past
    .when(change('Payments', { add: ['zoe'], remove: ['eve'] }), { by: ops })
    .then(isIn('eve'), isIn('zoe', 'g'))
  await past.when(change('Refunds', { all: ['nobody'] }), { by: ops }).refused('User not found', 404)
  const byRule = [{ id: 'g', by: 'rule' as const, rule: 'company:payments' }]
  await given(eve, made(), emitUser('eve', 'MembershipsChanged', { groups: byRule }))
    .when(change('Payments', { all: ['eve'] }), { by: ops })
    .then(isIn('eve', 'g'))
})

test('who has become an administrator is taken out of a group with the others, and not put into one', async () => {
  const root = emitUser('eve', 'UserUpdated', anAdmin('Eve'))
  const past = given(eve, zoe, made(), isIn('eve', 'g'), root)
  const by = someone({ role: 'accountAdmin' })
  await past.when(change('Payments', { add: ['zoe'], remove: ['eve'] }), { by }).then(isIn('eve'), isIn('zoe', 'g'))
  await past.when(change('Payments', { all: ['zoe'] }), { by }).then(isIn('eve'), isIn('zoe', 'g'))
  const remove = { type: 'ChangeMembers', id: 'g', add: [], remove: ['eve'], by: 'administrator' } as const
  const text = 'The account eve is not that of a user. Administrators alone say which groups it is in.'
  await past.when(remove, { by }).refused(text, 403)
  await given(eve, root, made())
    .when(change('Payments', { add: ['eve'] }), { by })
    .refused(text, 403)
})

test('a change of a version of a group that is no more is refused, who is in it being part of that', async () => {
  const [empty, withEve] = [versionOf(3, []), versionOf(3, ['eve'])]
  const past = given(eve, zoe, made())
  const inIt = past.and(isIn('eve', 'g'))
  const add = { ...change('Payments', { add: ['zoe'] }), ifVersion: [empty] }
  const remove = { type: 'DeleteProvisionedGroup', id: 'g', ifVersion: ['2', empty] } as const
  await past.when(add, { by: ops }).then(isIn('zoe', 'g'))
  await past.when(remove, { by: ops }).then(emitGroup('g', 'GroupDeleted', {}))
  for (const command of [add, remove, { ...remove, ifVersion: [] }])
    await inIt.when(command, { by: ops }).refused(CHANGED, 412)
  await inIt.when({ ...remove, ifVersion: [withEve] }, { by: ops }).then(emitGroup('g', 'GroupDeleted', {}))
  await past.when({ ...remove, ifVersion: [] }, { by: someone({}) }).refused('Forbidden', 403)
})

test('a version names who is in a group, in whatever order', () => {
  assert.is(versionOf(3, ['a', 'b']), versionOf(3, ['b', 'a']))
  for (const one of ['1', '2', '3', '4'])
    assert.is.not(versionOf(3, [], [`${one} a`, '0 c']), versionOf(3, [], [`${one} c`, '0 a']))
  const versions = [[], ['a'], ['b'], ['a', 'b'], ['ab'], ['a', ''], ['ba']].map((named) => versionOf(3, named))
  assert.is(new Set([...versions, versionOf(4, ['a'])]).size, versions.length + 1)
  assert.match(versionOf(3, ['a']), /^3-[0-9a-f]{16}$/)
})

test('of more members than a request may change, none is', async () => {
  const many = Array.from({ length: 1001 }, (_, i) => `user-${i}`)
  await given(made())
    .when(change('Payments', { add: many }), { by: ops })
    .refused('A request changes at most 1000 members.', 400)
})

test.run()
