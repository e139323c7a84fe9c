import { emitToken } from '../../commands/people/token/events.js'
import type { UserCommand } from '../../commands/people/user/decide.js'
import { type Account, emitUser } from '../../commands/people/user/events.js'
import { SYSTEM_ID } from '../../commands/people/user/system.js'
import { suite } from '../support/suite.js'
import { atFirst, given } from './given.js'
import { collection } from './made.js'
import { ada, anAccount, anAdmin, ops, UNLIMITED } from './people.js'

const test = suite('deciding on users')

const created = (id: string, account: Account) => emitUser(id, 'UserCreated', account)
const updated = (id: string, account: Account) => emitUser(id, 'UserUpdated', account)
const token = { tokenId: 't', prefix: 'hbk_abc', hash: 'h' }
const issued = (userId: string, name: string) =>
  emitToken('t', 'TokenCreated', { userId, name, prefix: 'hbk_abc', hash: 'h', ...UNLIMITED })
const create = (account: Account): UserCommand => ({ type: 'CreateUser', id: 'u', account, token })
type Changes = Extract<UserCommand, { type: 'UpdateUser' }>['changes']
const update = (changes: Changes, id = 'u'): UserCommand => ({ type: 'UpdateUser', id, changes })
const remove = (id: string): UserCommand => ({ type: 'DeleteUser', id })
const admin = { by: ops }

test('an administrator creates an account with a token of the same name', () =>
  atFirst.when(create(anAccount('Eve')), admin).then(created('u', anAccount('Eve')), issued('u', 'Eve')))

const eve = given(created('u', anAccount('Eve')))

test('users manage no accounts', async () => {
  for (const command of [create(anAccount('Joe')), update({ name: 'Joe' }), remove('u')]) {
    await eve.when(command, { by: ada }).refused('Forbidden', 403)
  }
})

test('a name is taken once', () =>
  given(created('x', anAccount('Eve')))
    .when(create(anAccount('Eve')), admin)
    .refused('User name is already in use.', 400))

test('names that look the same are the same: case, compatibility forms and invisible characters make no other', async () => {
  const taken = given(created('x', anAccount('Straße Eve')), created('u', anAccount('Joe')))
  const alike = ['straße eve', 'STRASSE EVE', 'Ｓtraße Eve', 'Stra\u00adße E\u200bv\u2060e', '\u202eStraße Eve\u2066']
  for (const name of [...alike, 'Straße\u00a0Eve', 'Straße Eve\u{e0041}', '\u0007Straße Eve', '\u2800Straße Eve']) {
    await taken.when(create(anAccount(name)), admin).refused('User name is already in use.', 400)
    await taken.when(update({ name }), admin).refused(`User name "${name}" is already in use.`, 400)
  }
  await taken
    .when(create(anAccount('Straße Ева')), admin)
    .then(created('u', anAccount('Straße Ева')), issued('u', 'Straße Ева'))
})

test('an account may write its own name otherwise, and what is kept is the name as it was given', () =>
  eve.when(update({ name: 'E\u200bVE' }), admin).then(updated('u', anAccount('E\u200bVE'))))

test('a name of which nothing is to be seen is none', async () => {
  for (const name of ['\u200b', '\u00ad\u2060\ufeff', '\u2066 \u2069', '\u3164', '\u2800', '\u0007']) {
    await atFirst.when(create(anAccount(name)), admin).refused('Name must not be empty.', 400)
    await eve.when(update({ name }), admin).refused('Name must not be empty.', 400)
  }
})

test('accounts of an older log that share a name can be changed, and renamed to a free one', async () => {
  const past = given(
    created('u', anAccount('Eve')),
    created('v', anAccount('eve')),
    created('w', anAccount('sys\u00adtem'))
  )
  await past.when(update({ llmAccess: true }), admin).then(updated('u', anAccount('Eve', { llmAccess: true })))
  await past.when(update({ name: 'EVE' }, 'v'), admin).then(updated('v', anAccount('EVE')))
  await past.when(update({ name: 'Joe' }, 'v'), admin).then(updated('v', anAccount('Joe')))
  await past
    .when(update({ llmAccess: true }, 'w'), admin)
    .then(updated('w', anAccount('sys\u00adtem', { llmAccess: true })))
  await past
    .when(update({ name: 'system' }, 'w'), admin)
    .refused('User name "system" is reserved for the internal system account.', 400)
  await past.when(remove('v'), admin).then(emitUser('v', 'UserDeleted', {}))
})

test('the name of a deleted account is free again', () =>
  given(created('x', anAccount('Eve')), emitUser('x', 'UserDeleted', {}))
    .when(create(anAccount('Eve')), admin)
    .then(created('u', anAccount('Eve')), issued('u', 'Eve')))

test('the name of the system account is reserved, however it is written', async () => {
  const message = (name: string) => `User name "${name}" is reserved for the internal system account.`
  for (const name of ['system', 'System', 'SYSTEM', 'sys\u200btem', '\u2067system', 'ｓｙｓｔｅｍ', 'ſystem']) {
    await atFirst.when(create(anAccount(name)), admin).refused(message(name), 400)
    await eve.when(update({ name }), admin).refused(message(name), 400)
  }
})

test('the wildcard stands alone in every list', async () => {
  for (const list of ['collectionAccess', 'environmentAccess', 'snippetAccess', 'llmModels'] as const) {
    const mixed = { [list]: ['*', 'c'] }
    const message = 'Wildcard access "*" must be the only entry.'
    await given(collection('c'))
      .when(create(anAccount('Eve', mixed)), admin)
      .refused(message, 400)
    await given(collection('c'), created('u', anAccount('Eve')))
      .when(update(mixed), admin)
      .refused(message, 400)
  }
})

test('unknown ids are named, in the order of the lists', async () => {
  const none = { collectionAccess: [], environmentAccess: [], snippetAccess: [] }
  const cases: readonly (readonly [Partial<Account>, string])[] = [
    [{ collectionAccess: ['x'] }, 'Unknown collection id: x.'],
    [{ collectionAccess: ['x', 'c', 'y', 'x'] }, 'Unknown collection id(s): x, y.'],
    [{ collectionAccess: ['x'], environmentAccess: ['e'] }, 'Unknown collection id: x.'],
    [{ environmentAccess: ['e'], snippetAccess: ['s'] }, 'Unknown environment id: e.'],
    [{ snippetAccess: ['s'], llmModels: ['m'] }, 'Unknown snippet id: s.'],
    [{ llmModels: ['m', 'known'] }, 'Unknown LLM model id: m.']
  ]
  for (const [lists, message] of cases) {
    const options = { ...admin, models: ['known'] }
    await given(collection('c'))
      .when(create(anAccount('Eve', { ...none, ...lists })), options)
      .refused(message, 400)
    await given(collection('c'), created('u', anAccount('Eve')))
      .when(update(lists), options)
      .refused(message, 400)
  }
})

test('without an LLM model ids are taken as they are, and with one the wildcard always is', async () => {
  const any = anAccount('Eve', { llmAccess: true, llmModels: ['whatever'] })
  await atFirst.when(create(any), admin).then(created('u', any), issued('u', 'Eve'))
  const all = anAccount('Eve', { llmAccess: true, llmModels: ['*'] })
  await atFirst.when(create(all), { ...admin, models: ['known'] }).then(created('u', all), issued('u', 'Eve'))
})

test('an administrator has no access lists: naming any is refused', async () => {
  const message = 'Admin users cannot have collection, environment, or snippet access.'
  for (const list of ['collectionAccess', 'environmentAccess', 'snippetAccess']) {
    const account = { ...anAdmin('Root'), [list]: ['*'] }
    await atFirst.when(create(account), admin).refused(message, 400)
  }
})

test('an administrator is given no LLM access, and what means nothing without it is left out', async () => {
  const message = 'Admin users cannot have LLM access.'
  await atFirst.when(create({ ...anAdmin('Root'), llmAccess: true }), admin).refused(message, 400)
  const past = given(created('u', anAccount('Eve')), created('r', anAdmin('Root')))
  await past.when(update({ role: 'admin', llmAccess: true }), admin).refused(message, 400)
  await past.when(update({ llmAccess: true }, 'r'), admin).refused(message, 400)
  await atFirst
    .when(create({ ...anAdmin('Root'), llmModels: ['*'], llmMonthlyTokenLimit: 5 }), admin)
    .then(created('u', anAdmin('Root')), issued('u', 'Root'))
})

test('an update changes what it names and keeps the rest, stale ids included', () =>
  given(created('u', anAccount('Eve', { collectionAccess: ['gone'], llmAccess: true })))
    .when(update({ name: 'Eva', llmMonthlyTokenLimit: 9 }), admin)
    .then(updated('u', anAccount('Eva', { collectionAccess: ['gone'], llmAccess: true, llmMonthlyTokenLimit: 9 }))))

test('an update that changes nothing is no event', () =>
  eve.when(update({ name: 'Eve', role: 'user', collectionAccess: ['*'] }), admin).nothing())

test('an account cannot take another’s name and may keep its own', async () => {
  const past = given(created('u', anAccount('Eve')), created('x', anAccount('Joe')))
  await past.when(update({ name: 'Joe' }), admin).refused('User name "Joe" is already in use.', 400)
  await past
    .when(update({ name: 'Eve', llmAccess: true }), admin)
    .then(updated('u', anAccount('Eve', { llmAccess: true })))
})

test('an account that becomes an administrator’s loses its lists and its LLM access', () =>
  given(created('u', anAccount('Eve', { llmAccess: true, llmModels: ['*'], llmMonthlyTokenLimit: 3 })))
    .when(update({ role: 'admin' }), admin)
    .then(updated('u', anAdmin('Eve'))))

test('an account that becomes an administrator’s loses its grants, which do not come back when it is a user’s again', async () => {
  const granted = emitUser('u', 'GrantsChanged', { grants: [{ kind: 'collection', id: 'c', role: 'manager' }] })
  const taken = emitUser('u', 'GrantsChanged', { grants: [] })
  const past = given(created('u', anAccount('Eve')), granted)
  await past.when(update({ role: 'admin' }), admin).then(updated('u', anAdmin('Eve')), taken)
  await past
    .and(updated('u', anAdmin('Eve')), taken)
    .when(update({ name: 'Eva' }), admin)
    .then(updated('u', anAdmin('Eva')))
  await past.when(update({ name: 'Eva' }), admin).then(updated('u', anAccount('Eva')))
  // As an older release has left it.
  await past
    .and(updated('u', anAdmin('Eve')))
    .when(update({ role: 'user' }), admin)
    .then(updated('u', { ...anAdmin('Eve'), role: 'user' }), taken)
})

test('an administrator becomes a user without access', () =>
  given(created('u', anAdmin('Eve')))
    .when(update({ role: 'user' }), admin)
    .then(updated('u', { ...anAdmin('Eve'), role: 'user' })))

test('an administrator changes others but neither its own role nor its own existence', async () => {
  const past = given(created('ops', anAdmin('Ops')), created('u', anAdmin('Eve')))
  await past.when(update({ role: 'user' }, 'ops'), admin).refused('Forbidden', 403)
  await past.when(remove('ops'), admin).refused('Forbidden', 403)
  await past.when({ type: 'DisableUser', id: 'ops', by: 'administrator' }, admin).refused('Forbidden', 403)
  await past.when(update({ role: 'admin', name: 'Chief' }, 'ops'), admin).then(updated('ops', anAdmin('Chief')))
  await past.when(remove('u'), admin).then(emitUser('u', 'UserDeleted', {}))
})

test('an unknown account is neither changed nor deleted', async () => {
  await atFirst.when(update({ name: 'x' }), admin).refused('User not found', 404)
  await atFirst.when(remove('u'), admin).refused('User not found', 404)
})

test('the system account is neither changed nor deleted, whether it is there or not', async () => {
  for (const past of [atFirst, given(created(SYSTEM_ID, anAdmin('system')))]) {
    await past.when(update({ name: 'x' }, SYSTEM_ID), admin).refused('Forbidden', 403)
    await past.when(remove(SYSTEM_ID), admin).refused('Forbidden', 403)
  }
})

test('the system account is made once', async () => {
  const make: UserCommand = { type: 'CreateSystemAccount' }
  await atFirst.when(make, admin).then(created(SYSTEM_ID, anAdmin('system')))
  await given(created(SYSTEM_ID, anAdmin('system')))
    .when(make, admin)
    .nothing()
})

test('a change that expects another revision is refused', async () => {
  const past = given(created('x', anAccount('Joe')), created('u', anAccount('Eve')))
  const message = 'This record has changed since it was read. Read it again, then repeat the change.'
  await past.when({ ...remove('u'), ifRevision: [1] } as UserCommand, admin).refused(message, 412)
  await past.when({ ...remove('u'), ifRevision: [1, 2] } as UserCommand, admin).then(emitUser('u', 'UserDeleted', {}))
})

test.run()
