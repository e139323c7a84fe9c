import type { Caller } from '../../commands/context.js'
import type { Command } from '../../commands/index.js'
import { emitIdentity } from '../../commands/people/identity/events.js'
import { emitInvitation } from '../../commands/people/invitation/events.js'
import type { TokenCommand } from '../../commands/people/token/decide.js'
import { emitToken } from '../../commands/people/token/events.js'
import { emitUser } from '../../commands/people/user/events.js'
import { SYSTEM_ID, systemCaller } from '../../commands/people/user/system.js'
import { errors } from '../../src/errors.js'
import { LIMITS } from '../../src/limits.js'
import type { NewEvent } from '../../src/log/event.js'
import { suite } from '../support/suite.js'
import { atFirst, by, given, TOMORROW } from './given.js'
import { ada, anAccount, anAdmin, ops, UNLIMITED } from './people.js'

const test = suite('deciding on tokens')

const issued = { prefix: 'hbk_abc', hash: 'h' }
const user = emitUser('u', 'UserCreated', anAccount('Eve'))
const created = { userId: 'u', name: 'laptop', ...issued, ...UNLIMITED }
const token = emitToken('t', 'TokenCreated', created)
const create = (userId: string): TokenCommand => ({
  type: 'CreateToken',
  tokenId: 't',
  userId,
  name: 'laptop',
  ...issued
})
const revoke: TokenCommand = { type: 'RevokeToken', id: 't' }
const remove: TokenCommand = { type: 'DeleteToken', id: 't' }
const admin = { by: ops }

const held = given(user, token)

test('an administrator issues any account as many tokens as it likes', async () => {
  await given(user).when(create('u'), admin).then(token)
  await held.when({ ...create('u'), tokenId: 't2' } as TokenCommand, admin).then({ ...token, stream: 'token-t2' })
  await given(emitUser('u', 'UserCreated', anAdmin('Root')))
    .when(create('u'), admin)
    .then(token)
})

test('agents may write with a token that is issued so, and with no other', async () => {
  const withWrites = (agentWrites: boolean) => given(user).when({ ...create('u'), agentWrites } as TokenCommand, admin)
  await withWrites(true).then(emitToken('t', 'TokenCreated', { ...created, agentWrites: true }))
  await withWrites(false).then(token)
})

test('users manage no tokens', async () => {
  for (const command of [create('u'), revoke, remove]) {
    await held.when(command, { by: ada }).refused('Forbidden', 403)
  }
})

test('all tokens of an account are revoked at once, or its sessions alone, as far as they are in force', async () => {
  const of = (which: 'all' | 'sessions'): TokenCommand => ({ type: 'RevokeTokensOf', userId: 'u', which })
  const named = (id: string) => emitToken(id, 'TokenCreated', { ...created, hash: id })
  const session = emitIdentity('i', 'IdentitySignedIn', {
    userId: 'u',
    tokenId: 's',
    expiresAt: TOMORROW,
    session: null
  })
  const revoked = (id: string) => emitToken(id, 'TokenRevoked', {})
  const past = given(user, named('t'), named('s'), session, named('gone'), revoked('gone'))
  await past.when(of('sessions'), admin).then(revoked('s'))
  await past.when(of('all'), admin).then(revoked('s'), revoked('t'))
  await given(user).when(of('all'), admin).nothing()
  const link = emitInvitation('l', 'InvitationCreated', { userId: 'u', ...issued, expiresAt: TOMORROW })
  await given(user, named('t'), link)
    .when(of('all'), admin)
    .then(revoked('t'), emitInvitation('l', 'InvitationRevoked', {}))
  await past.and(link).when(of('sessions'), admin).then(revoked('s'))
  await past.when(of('all'), { by: ada }).refused('Forbidden', 403)
  await given(emitUser('u', 'UserCreated', anAdmin('Root')), named('t'))
    .when(of('all'), { by: { ...ops, role: 'accountAdmin' } })
    .refused('Forbidden', 403)
})

const over = given(user, token, emitToken('t', 'TokenRevoked', {}))

test('people revoke their own tokens, once, and those of others are not there for them', async () => {
  const own: TokenCommand = { type: 'RevokeOwnToken', id: 't' }
  const eve = { ...ada, userId: 'u' }
  await held.when(own, { by: eve }).then(emitToken('t', 'TokenRevoked', {}))
  await over.when(own, { by: eve }).nothing()
  await held.when(own, { by: ada }).refused('Token not found', 404)
  await held.when(own, { by: ops }).refused('Token not found', 404)
  await given(user).when(own, { by: eve }).refused('Token not found', 404)
})

test('an account with as many tokens in force as it may have makes itself no more, in whatever way', async () => {
  const { max } = LIMITS.tokensOfAccount
  const named = (id: string) => emitToken(id, 'TokenCreated', { ...created, hash: id })
  const all = Array.from({ length: max }, (_, i) => named(`t${i}`))
  const bound = { provider: 'company', issuer: 'https://id.example.com', subject: '7', name: 'Eve', key: 'k' }
  const link = { userId: 'u', ...issued, hash: 'link', expiresAt: TOMORROW }
  const eve = { ...ada, userId: 'u', tokenId: 't0' }
  const full = given(
    ...[user, ...all, emitIdentity('i', 'IdentityBound', { userId: 'u', ...bound })],
    by(eve, emitInvitation('own', 'InvitationCreated', link))
  )
  const newIds = { identity: 'j', user: 'v' }
  const next = { tokenId: 'next', ...issued, hash: 'next' }
  const ways: readonly (readonly [command: Command, by: Caller])[] = [
    [{ type: 'CreateOwnToken', name: 'laptop', ...next }, eve],
    [{ type: 'RedeemInvitation', hash: 'link', token: next, tokenName: 'laptop' }, systemCaller],
    [
      {
        ...{
          type: 'SignIn',
          subject: bound,
          session: null,
          replaces: null,
          tokenName: 'laptop',
          newIds,
          account: null
        },
        ...{ token: { ...next, expiresAt: TOMORROW }, rules: [] }
      },
      systemCaller
    ]
  ]
  const goesOn = (events: readonly NewEvent[]) => {
    if (!events.some(({ type }) => type === 'TokenCreated')) throw new Error('There is no token.')
  }
  for (const [command, who] of ways) {
    await full.when(command, { by: who }).refused(errors.tooManyTokens().message, 409)
    await full
      .and(emitToken('t1', 'TokenRevoked', {}))
      .when(command, { by: who })
      .events(goesOn)
  }
})

test('who signs in with as many as there may be loses the oldest session for it, and no token', async () => {
  const { max } = LIMITS.tokensOfAccount
  const bound = { provider: 'company', issuer: 'https://id.example.com', subject: '7', name: 'Eve', key: 'k' }
  const named = (id: string) => emitToken(id, 'TokenCreated', { ...created, hash: id })
  const session = (tokenId: string) =>
    emitIdentity('i', 'IdentitySignedIn', { userId: 'u', tokenId, expiresAt: TOMORROW, session: null })
  const all = Array.from({ length: max }, (_, i) => named(`t${String(i).padStart(4, '0')}`))
  const signIn: Command = {
    type: 'SignIn',
    ...{ subject: bound, session: null, replaces: null, tokenName: 'laptop', account: null, rules: [] },
    ...{ token: { tokenId: 'next', ...issued, expiresAt: TOMORROW }, newIds: { identity: 'j', user: 'v' } }
  }
  await given(
    user,
    emitIdentity('i', 'IdentityBound', { userId: 'u', ...bound }),
    ...all,
    session('t0007'),
    session('t0005')
  )
    .when(signIn, { by: systemCaller })
    .events((events) => {
      const over = events.filter(({ type }) => type === 'TokenRevoked').map(({ stream }) => stream)
      if (over.join() !== 'token-t0005') throw new Error(`${over} ended.`)
    })
})

test('no token is issued to nobody', () => atFirst.when(create('u'), admin).refused('User not found', 404))

test('no token is issued to the system account', () => atFirst.when(create(SYSTEM_ID), admin).refused('Forbidden', 403))

test('a token is revoked once', async () => {
  await held.when(revoke, admin).then(emitToken('t', 'TokenRevoked', {}))
  await over.when(revoke, admin).nothing()
})

test('a token is deleted, revoked or not', async () => {
  await held.when(remove, admin).then(emitToken('t', 'TokenDeleted', {}))
  await over.when(remove, admin).then(emitToken('t', 'TokenDeleted', {}))
})

test('what is not there is neither revoked nor deleted', async () => {
  const pasts = [given(user), given(user, token, emitToken('t', 'TokenDeleted', {}))]
  for (const past of pasts)
    for (const command of [revoke, remove]) await past.when(command, admin).refused('Token not found', 404)
})

test('a token goes with its account', () =>
  given(user, token, emitUser('u', 'UserDeleted', {}))
    .when(remove, admin)
    .refused('Token not found', 404))

test('a token of the system account is revoked from the host alone, and deleted by nobody', async () => {
  const past = given(
    emitUser(SYSTEM_ID, 'UserCreated', anAdmin('system')),
    emitToken('t', 'TokenCreated', { ...created, userId: SYSTEM_ID })
  )
  for (const command of [revoke, remove]) await past.when(command, admin).refused('Forbidden', 403)
  await past.when(revoke, { by: { ...systemCaller, tokenId: 't' } }).refused('Forbidden', 403)
  await past.when(revoke, { by: systemCaller }).then(emitToken('t', 'TokenRevoked', {}))
  await past.when(remove, { by: systemCaller }).refused('Forbidden', 403)
})

test.run()
