import { emitGroup } from '../../commands/people/group/events.js'
import type { IdentityCommand, Subject } from '../../commands/people/identity/decide.js'
import { emitIdentity } from '../../commands/people/identity/events.js'
import { emitInvitation } from '../../commands/people/invitation/events.js'
import { emitToken } from '../../commands/people/token/events.js'
import { emitUser, noAccess } from '../../commands/people/user/events.js'
import { SYSTEM_ID, systemCaller } from '../../commands/people/user/system.js'
import { LIMITS } from '../../src/limits.js'
import { suite } from '../support/suite.js'
import { atFirst, given, NOW, TOMORROW } from './given.js'
import { ada, anAccount, anAdmin, ops, UNLIMITED } from './people.js'

const test = suite('deciding on sign-ins')

const NOT_BOUND =
  'No account of this hub is that of Eve. Ask whoever runs the hub for an account; who has one binds this sign-in to it on the page of their account, signed in with its token.'
const hub = { by: systemCaller }
const admin = { by: ops }
const issued = (tokenId: string) => ({ prefix: 'hbk_abc', hash: `hash of ${tokenId}`, expiresAt: TOMORROW })
const subject: Subject = { provider: 'company', issuer: 'https://id.example.com', subject: '7', name: 'Eve', key: 'k' }
const newcomer = { ...noAccess, name: 'Eve', role: 'user' } as const

const user = (id = 'u', name = 'Eve') => emitUser(id, 'UserCreated', anAccount(name))
const bound = (id = 'i', userId = 'u', of: Subject = subject) => emitIdentity(id, 'IdentityBound', { userId, ...of })
const token = (id: string, userId = 'u') =>
  emitToken(id, 'TokenCreated', { ...UNLIMITED, userId, name: 'Firefox', ...issued(id) })
const signedIn = (
  tokenId: string,
  session: string | null = null,
  { id = 'i', userId = 'u', expiresAt = TOMORROW } = {}
) => emitIdentity(id, 'IdentitySignedIn', { userId, tokenId, expiresAt, session })
const revoked = (id: string) => emitToken(id, 'TokenRevoked', {})
const signedOut = (reason: 'provider' | 'notAllowed', tokens: readonly string[], id = 'i') =>
  emitIdentity(id, 'IdentitySignedOut', { reason, tokens: [...tokens] })

const signIn = (changes: Partial<Extract<IdentityCommand, { type: 'SignIn' }>> = {}): IdentityCommand => ({
  type: 'SignIn',
  subject,
  session: null,
  replaces: null,
  token: { tokenId: 't', ...issued('t') },
  tokenName: 'Firefox',
  newIds: { identity: 'i', user: 'u' },
  account: null,
  rules: [],
  ...changes
})
const bind = (userId = 'u', of: Subject = subject): IdentityCommand => ({
  type: 'BindIdentity',
  id: 'i',
  userId,
  subject: of
})
const unbind: IdentityCommand = { type: 'UnbindIdentity', id: 'i' }
const end = (key: string, session: string | null = null, reason: 'provider' | 'notAllowed' = 'provider') =>
  ({ type: 'EndSignIns', key, session, reason }) as const
const endOne = (of: { readonly session: string } | { readonly tokenId: string }) =>
  ({ type: 'EndSession', of }) as const

/** Eve, who has signed in twice. */
const twice = [user(), bound(), token('t1'), signedIn('t1', 's1'), token('t2'), signedIn('t2', 's2')] as const

const known = given(user(), bound())

test('whoever is bound gets a token with an end, whatever they are called now', () =>
  known
    .when(signIn({ subject: { ...subject, name: 'Eve Other' }, session: 's' }), hub)
    .then(token('t'), signedIn('t', 's')))

const inGroups = (...groups: readonly { readonly id: string; readonly rule: string }[]) =>
  emitUser('u', 'MembershipsChanged', { groups: groups.map((one) => ({ ...one, by: 'rule' })) })
const groupNamed = (id: string) =>
  emitGroup(id, 'GroupCreated', { ...noAccess, name: `Group ${id}`, grants: [], externalId: null })

test('rules of a provider leave alone what those of others say, of one whose name begins like its own too', () =>
  given(user(), bound(), groupNamed('g'), groupNamed('h'), groupNamed('k'))
    .and(inGroups({ id: 'g', rule: 'company2:staff' }, { id: 'h', rule: 'company:staff' }))
    .when(signIn({ rules: [{ value: 'others', group: 'group K' }] }), hub)
    .then(
      token('t'),
      signedIn('t'),
      inGroups({ id: 'g', rule: 'company2:staff' }, { id: 'k', rule: 'company:others' })
    ))

test('rules make somebody a member of as many groups as an account may be in, and keep nobody out', async () => {
  const ids = Array.from({ length: LIMITS.groupsOfAccount.max + 1 }, (_, i) => `g${i}`)
  const rules = ids.map((id) => ({ value: id, group: `Group ${id}` }))
  const joined = ids.slice(0, -1).map((id) => ({ id, rule: `company:${id}` }))
  await given(user(), bound(), ...ids.map(groupNamed))
    .when(signIn({ rules }), hub)
    .then(token('t'), signedIn('t'), inGroups(...joined))
})

const signedInTwice = given(...twice)

test('the session that the browser had ends with it, whoever it was of, as long as it is one that is in force', async () => {
  const replaces = (id: string) => signIn({ replaces: id })
  await signedInTwice.when(replaces('t1'), hub).then(revoked('t1'), token('t'), signedIn('t'))
  await given(...twice, revoked('t1'))
    .when(replaces('t1'), hub)
    .then(token('t'), signedIn('t'))
  await given(...twice, token('issued'))
    .when(replaces('issued'), hub)
    .then(token('t'), signedIn('t'))
})

test('who is bound is that account though one could be made', () =>
  given(user(), bound('i2'))
    .when(signIn({ account: newcomer }), hub)
    .then(token('t'), signedIn('t', null, { id: 'i2' })))

test('whoever is bound to nothing gets an account that may use nothing, where the hub makes one', async () => {
  await atFirst
    .when(signIn({ account: newcomer }), hub)
    .then(emitUser('u', 'UserCreated', newcomer), bound(), token('t'), signedIn('t'))
  await atFirst.when(signIn(), hub).refused(NOT_BOUND, 403)
})

test('a newcomer who is called as somebody else is not that one', async () => {
  for (const name of ['Eve', 'EVE', ' eve '])
    await given(user('other', name))
      .when(signIn({ account: newcomer }), hub)
      .refused(
        'An account of this hub is called Eve already. If it is yours, bind this sign-in to it on the page of your account, signed in with its token; else ask whoever runs the hub.',
        409
      )
})

test('the same subject of another issuer is somebody else', () =>
  known
    .when(signIn({ subject: { ...subject, issuer: 'https://other.example.com', key: 'other' } }), hub)
    .refused(NOT_BOUND, 403))

test('a disabled account is not signed in', () =>
  known
    .and(emitUser('u', 'UserDisabled', { by: 'directory' }))
    .when(signIn(), hub)
    .refused('This account is disabled. Ask whoever runs the hub.', 403))

test('a token that has ended before it is issued is none', () =>
  known
    .when(signIn({ token: { tokenId: 't', ...issued('t'), expiresAt: NOW } }), hub)
    .refused('expiresAt: The end of a token must be in the future.', 400))

test('the hub signs people in, and nobody else does', async () => {
  for (const command of [signIn(), end('k'), endOne({ session: 's1' })])
    await known.when(command).refused('Forbidden', 403)
})

test('people bind a provider to their own account, and administrators to anybody’s', async () => {
  await given(user())
    .when(bind(), { by: { ...ada, userId: 'u' } })
    .then(bound())
  await given(user()).when(bind(), admin).then(bound())
  await given(user()).when(bind(), { by: ada }).refused('Forbidden', 403)
})

test('who is bound already is bound once, and never to another account', async () => {
  await given(user(), bound('before')).when(bind(), admin).nothing()
  await given(user(), user('v', 'Vera'), bound('before'))
    .when(bind('v'), admin)
    .refused('Eve signs in to another account of this hub already.', 409)
})

test('who was let go, or whose account is deleted, may be bound to another account', async () => {
  const past = [user(), user('v', 'Vera'), bound('before')]
  await given(...past, emitIdentity('before', 'IdentityUnbound', { tokens: [] }))
    .when(bind('v'), admin)
    .then(bound('i', 'v'))
  await given(...past, emitUser('u', 'UserDeleted', {}))
    .when(bind('v'), admin)
    .then(bound('i', 'v'))
})

test('the account of a machine is bound to nobody', () =>
  given(user(), emitUser('u', 'UserMarkedAsService', {}))
    .when(bind(), admin)
    .refused('This is the account of a machine, which nobody signs in as.', 409))

test('an account has several sign-ins', () =>
  given(user(), bound('before', 'u', { ...subject, subject: '8', key: 'k8' }))
    .when(bind(), admin)
    .then(bound()))

test('nobody is bound to no account, or to that of the hub itself', async () => {
  await atFirst.when(bind(), admin).refused('User not found', 404)
  await given(emitUser(SYSTEM_ID, 'UserCreated', anAdmin('system')))
    .when(bind(SYSTEM_ID), admin)
    .refused('Forbidden', 403)
})

test('what is let go ends the tokens that it has given, and no others', async () => {
  const gone = emitIdentity('i', 'IdentityUnbound', { tokens: ['t1', 't2'] })
  for (const by of [{ ...ada, userId: 'u' }, ops])
    await given(...twice, token('own'))
      .when(unbind, { by })
      .then(revoked('t1'), revoked('t2'), gone)
})

test('tokens that have ended are not ended again', async () => {
  await given(...twice, revoked('t1'))
    .when(unbind, admin)
    .then(revoked('t2'), emitIdentity('i', 'IdentityUnbound', { tokens: ['t2'] }))
  await given(user(), bound(), token('t1'), signedIn('t1', 's1', { expiresAt: NOW }))
    .when(unbind, admin)
    .then(emitIdentity('i', 'IdentityUnbound', { tokens: [] }))
})

test('the sign-in of somebody else is not there, and one that is gone neither', async () => {
  await signedInTwice.when(unbind, { by: ada }).refused('Sign-in not found', 404)
  await given(...twice, emitIdentity('i', 'IdentityUnbound', { tokens: [] }))
    .when(unbind, admin)
    .refused('Sign-in not found', 404)
  await given(...twice, emitUser('u', 'UserDeleted', {}))
    .when(unbind, admin)
    .refused('Sign-in not found', 404)
})

test('a provider that logs somebody out ends every token and link of their account, whether it names a session or not', async () => {
  const link = (id: string, expiresAt: string) =>
    emitInvitation(id, 'InvitationCreated', { userId: 'u', hash: id, prefix: 'hbi_', expiresAt })
  const own = [
    token('own'),
    link('link', '2027-01-01T00:00:00.000Z'),
    link('over', NOW),
    token('gone'),
    revoked('gone')
  ]
  const all = [
    ...[revoked('own'), revoked('t1'), revoked('t2'), emitInvitation('link', 'InvitationRevoked', {})],
    signedOut('provider', ['own', 't1', 't2'])
  ]
  for (const session of [null, 's2', 'one that the hub does not know'])
    await given(...twice, ...own)
      .when(end('k', session), hub)
      .then(...all)
  // Also where no session is left.
  await given(user(), bound(), token('own'))
    .when(end('k'), hub)
    .then(revoked('own'), signedOut('provider', ['own']))
  // Also where nothing but a link is left.
  await given(user(), bound(), link('link', TOMORROW))
    .when(end('k'), hub)
    .then(emitInvitation('link', 'InvitationRevoked', {}), signedOut('provider', []))
  await known.when(end('k'), hub).nothing()
})

test('a session that a provider ends without saying whose ends alone', async () => {
  for (const of of [{ session: 's2' }, { tokenId: 't2' }])
    await given(...twice, token('own'))
      .when(endOne(of), hub)
      .then(revoked('t2'), signedOut('provider', ['t2']))
})

test('a provider ends nothing of whom it does not know, and no session that is another’s', async () => {
  const other = [user('v', 'Vera'), bound('i2', 'v', { ...subject, subject: '8', key: 'k8' }), token('t3', 'v')]
  const past = given(...twice, ...other, signedIn('t3', 's3', { id: 'i2', userId: 'v' }))
  for (const command of [
    end('unknown'),
    end('unknown', 's1'),
    end('k', 's3'),
    endOne({ session: 'unknown' }),
    endOne({ tokenId: 'unknown' })
  ])
    await past.when(command, hub).nothing()
})

test('who is let in no more loses the tokens that they have', () =>
  signedInTwice
    .when(end('k', null, 'notAllowed'), hub)
    .then(revoked('t1'), revoked('t2'), signedOut('notAllowed', ['t1', 't2'])))

test('sessions that several people share at a provider end for all of them', () =>
  given(
    ...[user(), bound(), token('t1'), signedIn('t1', 's')],
    ...[user('v', 'Vera'), bound('i2', 'v', { ...subject, subject: '8', key: 'k8' }), token('t2', 'v')],
    signedIn('t2', 's', { id: 'i2', userId: 'v' })
  )
    .when(endOne({ session: 's' }), hub)
    .then(revoked('t1'), signedOut('provider', ['t1']), revoked('t2'), signedOut('provider', ['t2'], 'i2')))

test.run()
