import type { Command } from '../../commands/index.js'
import type { Group } from '../../commands/people/group/events.js'
import { emitGroup } from '../../commands/people/group/events.js'
import { emitIdentity } from '../../commands/people/identity/events.js'
import { emitInvitation } from '../../commands/people/invitation/events.js'
import { emitToken } from '../../commands/people/token/events.js'
import { emitUser, noAccess, type Role } from '../../commands/people/user/events.js'
import { suite } from '../support/suite.js'
import { given, TOMORROW } from './given.js'
import { collection, locked } from './made.js'
import { ada, anAccount, anAdmin, ops, someone, UNLIMITED } from './people.js'

/** What each role decides about, whatever the route has let through. */
const test = suite('deciding by role')

const ofAccounts = someone({ ...anAdmin('Sam'), role: 'accountAdmin' })
const auditor = someone({ ...anAdmin('Sam'), role: 'auditor' })
const issued = { prefix: 'hbk_abc', hash: 'other' }
const invitation = { invitationId: 'n', prefix: 'hbi_abc', hash: 'other', expiresAt: TOMORROW }
const subject = { provider: 'company', issuer: 'https://id.example.com', subject: '7', name: 'Eve', key: 'k' }
const group: Group = { ...noAccess, name: 'Payments', grants: [], externalId: null }
const told = { externalId: null, displayName: null, givenName: null, familyName: null, email: null }

/** Somebody of this role with all that an account may have. */
const holding = (role: Role) =>
  given(
    ...[emitUser('u', 'UserCreated', { ...anAdmin('Eve'), role }), emitGroup('g', 'GroupCreated', group)],
    emitToken('t', 'TokenCreated', { userId: 'u', name: 'laptop', prefix: 'hbk_abc', hash: 'h', ...UNLIMITED }),
    emitInvitation('i', 'InvitationCreated', { userId: 'u', hash: 'h', prefix: 'hbi_abc', expiresAt: TOMORROW }),
    emitIdentity('d', 'IdentityBound', { userId: 'u', ...subject, key: 'another', subject: '8' })
  )

const aboutAccount: readonly Command[] = [
  { type: 'UpdateUser', id: 'u', changes: { name: 'Eva' } },
  { type: 'DisableUser', id: 'u', by: 'administrator' },
  { type: 'EnableUser', id: 'u' },
  { type: 'DeleteUser', id: 'u' },
  { type: 'CreateToken', userId: 'u', name: 'more', tokenId: 'm', ...issued },
  { type: 'RotateToken', id: 't', until: TOMORROW, token: { tokenId: 'm', ...issued } },
  { type: 'RevokeToken', id: 't' },
  { type: 'DeleteToken', id: 't' },
  { type: 'RevokeTokensOf', userId: 'u', which: 'all' },
  { type: 'CreateInvitation', userId: 'u', invitation },
  { type: 'RevokeInvitation', id: 'i' },
  { type: 'BindIdentity', id: 'b', userId: 'u', subject },
  { type: 'SetGrants', userId: 'u', grants: [] },
  { type: 'ChangeMembers', id: 'g', add: ['u'], remove: [], by: 'administrator' },
  { type: 'UpdateProvisionedUser', id: 'u', user: { name: 'Eva', isActive: null, details: told }, signIn: null },
  {
    ...{ type: 'UpdateProvisionedGroup', id: 'g', changes: {}, ifVersion: undefined },
    members: { add: ['u'], remove: [], all: null }
  }
]
// That of somebody else is not even there for who manages no accounts.
const unbinding: Command = { type: 'UnbindIdentity', id: 'd' }

test('administrators manage accounts of users, those of accounts too; nobody else does', async () => {
  for (const command of [...aboutAccount, unbinding]) {
    for (const by of [ops, ofAccounts])
      await holding('user')
        .when(command, { by })
        .events(() => {})
    if (command === unbinding) continue
    for (const by of [ada, auditor]) await holding('user').when(command, { by }).refused('Forbidden', 403)
  }
  for (const by of [ada, auditor]) await holding('user').when(unbinding, { by }).refused('Sign-in not found', 404)
})

test('accounts of every other role are for administrators of all', async () => {
  for (const role of ['admin', 'accountAdmin', 'auditor'] as const)
    for (const command of [...aboutAccount, unbinding]) {
      await holding(role)
        .when(command, { by: ops })
        .events(() => {})
      const isOfGroup = command.type === 'ChangeMembers' || command.type === 'UpdateProvisionedGroup'
      const text = 'The account u is not that of a user. Administrators alone say which groups it is in.'
      await holding(role)
        .when(command, { by: ofAccounts })
        .refused(isOfGroup ? text : 'Forbidden', 403)
    }
})

test('an administrator of accounts gives no role but that of a user', async () => {
  const token = { tokenId: 'm', ...issued }
  for (const role of ['admin', 'accountAdmin', 'auditor'] as const) {
    const account = { ...anAdmin('Zoe'), role }
    const giving: readonly Command[] = [
      { type: 'CreateUser', id: 'v', account, token },
      { type: 'InviteUser', id: 'v', account, invitation },
      { type: 'UpdateUser', id: 'u', changes: { role } }
    ]
    for (const command of giving) {
      await holding('user')
        .when(command, { by: ops })
        .events(() => {})
      await holding('user').when(command, { by: ofAccounts }).refused('Forbidden', 403)
    }
  }
})

test('the role that is told in place of another takes nothing: who sends it back has not seen the other', async () => {
  const update = { type: 'UpdateUser', id: 'u', changes: { name: 'Eva', role: 'user' } } as const
  const asTold = { ...update, isRoleAsTold: true }
  for (const role of ['accountAdmin', 'auditor'] as const) {
    const refusal = `The role of this account is "${role}", which some clients are told as "user": nothing was changed. Change the account in the console, or send exactRole.`
    await holding(role).when(asTold, { by: ops }).refused(refusal, 409)
    await holding(role).when(asTold, { by: ofAccounts }).refused('Forbidden', 403)
    await holding(role)
      .when(update, { by: ops })
      .then(emitUser('u', 'UserUpdated', { ...anAdmin('Eva'), role: 'user' }))
    for (const other of ['admin', role] as const)
      await holding(role)
        .when({ ...asTold, changes: { name: 'Eva', role: other } }, { by: ops })
        .then(emitUser('u', 'UserUpdated', { ...anAdmin('Eva'), role: other }))
  }
  await holding('admin')
    .when(asTold, { by: ops })
    .then(emitUser('u', 'UserUpdated', { ...anAdmin('Eva'), role: 'user' }))
})

test('groups are made, changed and deleted by who manages accounts', async () => {
  const commands: readonly Command[] = [
    { type: 'CreateGroup', id: 'h', group: { ...group, name: 'Others' } },
    { type: 'UpdateGroup', id: 'g', changes: { name: 'Others' } },
    { type: 'DeleteGroup', id: 'g' },
    { type: 'DeleteProvisionedGroup', id: 'g', ifVersion: undefined }
  ]
  for (const command of commands) {
    for (const by of [ops, ofAccounts])
      await holding('user')
        .when(command, { by })
        .events(() => {})
    for (const by of [ada, auditor]) await holding('user').when(command, { by }).refused('Forbidden', 403)
  }
})

test('what is for administrators of all no other role does', async () => {
  const budget = { subject: 'hub', subjectId: null, model: null, unit: 'tokens', period: 'day', limit: 9 } as const
  const commands: readonly Command[] = [
    { type: 'LockCollection', id: 'c', deletionLocked: true },
    { type: 'DeleteCollectionAsAdmin', id: 'c' },
    { type: 'CreateLlmBudget', id: 'b', budget: { name: 'All', ...budget } },
    { type: 'CreateTenant', id: 'x', tenant: 'acme', name: 'Acme', database: null, place: 'p' },
    { type: 'ChangeHubAvatar', id: '__default__', changes: { initials: 'CH' } },
    { type: 'RevertRecords', reverts: [] },
    { type: 'EraseNames', id: 'e', data: { actorId: 'eve', afterPosition: 0, throughPosition: 1 } },
    { type: 'EndSignIns', key: 'k', session: null, reason: 'provider' }
  ]
  for (const command of commands) {
    await given(collection('c'))
      .when(command, { by: ops })
      .events(() => {})
    for (const by of [ada, ofAccounts, auditor])
      await given(collection('c')).when(command, { by }).refused('Forbidden', 403)
  }
})

test('records are made and changed by users alone', async () => {
  const commands: readonly Command[] = [
    { type: 'CreateCollection', id: 'd', name: 'Orders' },
    { type: 'DeleteCollection', id: 'c' },
    { type: 'CreateFolder', id: 'f', collectionId: 'c', parentFolderId: null, name: 'F' }
  ]
  const everywhere = { collectionAccess: ['*'] }
  for (const command of commands) {
    await given(collection('c'))
      .when(command)
      .events(() => {})
    for (const role of ['admin', 'accountAdmin', 'auditor'] as const)
      await given(collection('c'))
        .when(command, { by: someone({ ...everywhere, role }) })
        .refused('Forbidden', 403)
  }
  await given(collection('c'), locked('c'))
    .when({ type: 'DeleteCollectionAsAdmin', id: 'c' }, { by: ops })
    .events(() => {})
})

test('a viewer changes nothing in a collection', async () => {
  const by = { ...someone({ collectionAccess: ['c'] }), viewed: ['c'] }
  const folder: Command = { type: 'CreateFolder', id: 'f', collectionId: 'c', parentFolderId: null, name: 'F' }
  await given(collection('c')).when(folder, { by }).refused('You may look at this and not change it.', 403)
  await given(emitUser('u', 'UserCreated', anAccount('Eve')), collection('c'))
    .when({ type: 'DeleteCollection', id: 'c' }, { by })
    .refused('You may look at this and not change it.', 403)
})

test.run()
