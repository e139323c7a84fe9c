import { emitGroup, type Group } from '../../commands/people/group/events.js'
import { emitUser } from '../../commands/people/user/events.js'
import { suite } from '../support/suite.js'
import { atFirst, given } from './given.js'
import { collection } from './made.js'
import { ada, anAccount, anAdmin, ops, someone } from './people.js'

const test = suite('deciding on groups')

const group: Group = {
  ...{ name: 'Payments', collectionAccess: [], environmentAccess: [], snippetAccess: [], liveServerAccess: [] },
  ...{ livePageAccess: [], llmAccess: false, llmModels: [], llmMonthlyTokenLimit: null, grants: [], externalId: null }
}
const made = (id = 'g', changes: Partial<Group> = {}) => emitGroup(id, 'GroupCreated', { ...group, ...changes })
const user = (id = 'u') => emitUser(id, 'UserCreated', anAccount(`Eve ${id}`))
const isIn = (...ids: readonly string[]) =>
  emitUser('u', 'MembershipsChanged', {
    groups: ids.map((id) => ({ id, by: 'administrator' as const, rule: null }))
  })
const members = (add: readonly string[], remove: readonly string[] = []) =>
  ({ type: 'ChangeMembers', id: 'g', add, remove, by: 'administrator' }) as const
const ofAccounts = someone({ role: 'accountAdmin' })

test('administrators make groups, and those of accounts too; nobody else does', async () => {
  await atFirst.when({ type: 'CreateGroup', id: 'g', group }, { by: ops }).then(made())
  await atFirst.when({ type: 'CreateGroup', id: 'g', group }, { by: ofAccounts }).then(made())
  for (const by of [ada, someone({ role: 'auditor' })])
    await atFirst.when({ type: 'CreateGroup', id: 'g', group }, { by }).refused('Forbidden', 403)
})

const there = given(made())

test('two groups have two names, however they are written', async () => {
  await there
    .when({ type: 'CreateGroup', id: 'h', group: { ...group, name: 'PAYMENTS' } }, { by: ops })
    .refused('A group is called "PAYMENTS" already.', 400)
  await there
    .when({ type: 'UpdateGroup', id: 'g', changes: { name: 'payments' } }, { by: ops })
    .then(emitGroup('g', 'GroupUpdated', { ...group, name: 'payments' }))
})

test('a change that changes nothing is none, and one of what is not there is refused', async () => {
  await there.when({ type: 'UpdateGroup', id: 'g', changes: { name: 'Payments' } }, { by: ops }).nothing()
  await there
    .when({ type: 'UpdateGroup', id: 'g', changes: { collectionAccess: ['gone'] } }, { by: ops })
    .refused('Unknown collection id: gone.', 400)
  const grants = [{ kind: 'collection', id: 'gone', role: 'viewer' } as const]
  await there
    .when({ type: 'UpdateGroup', id: 'g', changes: { grants } }, { by: ops })
    .refused('Unknown collection id: gone.', 400)
  await there
    .when({ type: 'UpdateGroup', id: 'g', changes: { snippetAccess: ['*', 's'] } }, { by: ops })
    .refused('Wildcard access "*" must be the only entry.', 400)
  await atFirst.when({ type: 'DeleteGroup', id: 'g' }, { by: ops }).refused('Group not found', 404)
})

const joined = given(made(), user(), isIn('g'))

const withEve = given(made(), user())

test('members come and go, each by one event', async () => {
  await withEve.when(members(['u']), { by: ops }).then(isIn('g'))
  await joined.when(members(['u']), { by: ops }).nothing()
  await joined.when(members([], ['u']), { by: ops }).then(isIn())
  await withEve.when(members([], ['u']), { by: ops }).nothing()
  await withEve.when(members(['nobody']), { by: ops }).refused('User not found', 404)
  await withEve.when(members([], ['nobody']), { by: ops }).refused('User not found', 404)
  await withEve.when({ ...members([], ['nobody']), by: 'directory' }, { by: ops }).nothing()
})

test('who is in a group by a rule is in it by whoever says so since', () => {
  const byRule = [{ id: 'g', by: 'rule' as const, rule: 'company:payments' }]
  return withEve
    .and(emitUser('u', 'MembershipsChanged', { groups: byRule }))
    .when(members(['u']), { by: ops })
    .then(isIn('g'))
})

test('a group that is gone is forgotten at the next change', async () => {
  await given(made(), made('h', { name: 'Others' }), user(), isIn('h'), emitGroup('h', 'GroupDeleted', {}))
    .when(members(['u']), { by: ops })
    .then(isIn('g'))
})

const eve = given(user())

test('an administrator of accounts touches accounts of users alone', async () => {
  const root = emitUser('u', 'UserCreated', anAdmin('Root'))
  await given(made(), root)
    .when(members(['u']), { by: ofAccounts })
    .refused('The account u is not that of a user. Administrators alone say which groups it is in.', 403)
  await given(root)
    .when({ type: 'DisableUser', id: 'u', by: 'administrator' }, { by: ofAccounts })
    .refused('Forbidden', 403)
  await eve
    .when({ type: 'UpdateUser', id: 'u', changes: { role: 'admin' } }, { by: ofAccounts })
    .refused('Forbidden', 403)
  await eve
    .when({ type: 'DisableUser', id: 'u', by: 'administrator' }, { by: ofAccounts })
    .then(emitUser('u', 'UserDisabled', { by: 'administrator' }))
})

test('a grant by a group makes a manager as one of the own does', async () => {
  const managing = made('g', { grants: [{ kind: 'collection', id: 'c', role: 'manager' }] })
  const sam = someone({ collectionAccess: ['c'] })
  const samIn = emitUser(sam.userId, 'MembershipsChanged', { groups: [{ id: 'g', by: 'rule', rule: 'company:x' }] })
  const sams = emitUser(sam.userId, 'UserCreated', anAccount('Sam', { collectionAccess: ['c'] }))
  const eve = emitUser('u', 'UserCreated', anAccount('Eve', { collectionAccess: [] }))
  const give = { type: 'GrantAccess', userId: 'u', kind: 'collection', id: 'c', role: 'viewer' } as const
  await given(collection('c'), eve, sams)
    .when(give, { by: sam })
    .refused('Managers of this, whoever has made it and administrators say who has it.', 403)
  await given(collection('c'), eve, sams, managing, samIn)
    .when(give, { by: sam })
    .then(emitUser('u', 'GrantsChanged', { grants: [{ kind: 'collection', id: 'c', role: 'viewer' }] }))
})

test('a group whose grants name what is gone can be given others', async () => {
  const viewer = (id: string) => ({ kind: 'collection', id, role: 'viewer' }) as const
  await given(collection('c'), made('g', { grants: [viewer('gone')] }))
    .when({ type: 'UpdateGroup', id: 'g', changes: { grants: [viewer('gone'), viewer('c')] } }, { by: ops })
    .then(emitGroup('g', 'GroupUpdated', { ...group, grants: [viewer('c')] }))
})

test.run()
