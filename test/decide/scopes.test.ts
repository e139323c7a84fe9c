import * as assert from 'uvu/assert'
import { emitIdentity } from '../../commands/people/identity/events.js'
import type { TokenCommand } from '../../commands/people/token/decide.js'
import { emitToken } from '../../commands/people/token/events.js'
import { covers, cutToScopes, reachesRun, requireRunChange, SCOPES } from '../../commands/people/token/scopes.js'
import { emitUser } from '../../commands/people/user/events.js'
import { asEditor, systemCaller } from '../../commands/people/user/system.js'
import { suite } from '../support/suite.js'
import { given, NOW, TOMORROW } from './given.js'
import { collection } from './made.js'
import { ada, anAccount, ops, UNLIMITED } from './people.js'

const test = suite('deciding on tokens that are limited')

const issued = { prefix: 'hbk_abc', hash: 'h' }
const user = emitUser('u', 'UserCreated', anAccount('Eve'))
const created = { userId: 'u', name: 'laptop', ...issued, ...UNLIMITED }
const token = emitToken('t', 'TokenCreated', created)
const limited = (scopes: readonly string[], expiresAt: string | null = null): TokenCommand => ({
  ...{ type: 'CreateToken', tokenId: 't', userId: 'u', name: 'laptop', ...issued },
  ...{ scopes, expiresAt }
})
const admin = { by: ops }

test('a token is limited to scopes, to collections that there are, and to a time', () =>
  given(user, collection('c'))
    .when(limited(['read', 'collection:c', 'read'], TOMORROW), admin)
    .then(emitToken('t', 'TokenCreated', { ...created, expiresAt: TOMORROW, scopes: ['read', 'collection:c'] })))

const eve = given(user)

test('what is no scope, and what opens nothing, is refused', async () => {
  const refused = (scopes: readonly string[], text: string) => eve.when(limited(scopes), admin).refused(text, 400)
  await refused(
    ['read', 'everything'],
    'scopes: There is no scope "everything". Choose from read, write, llm, agent, admin:read, scim, and collection: with the id of one.'
  )
  await refused(
    ['read', 'collection:'],
    'scopes: There is no scope "collection:". Choose from read, write, llm, agent, admin:read, scim, and collection: with the id of one.'
  )
  await refused([], 'scopes: Say what the token may do, such as read or write; collections only say where.')
  await refused(
    ['collection:c'],
    'scopes: Say what the token may do, such as read or write; collections only say where.'
  )
  await refused(['read', 'collection:gone'], 'Unknown collection id: gone.')
})

test('a token ends in the future', async () => {
  for (const end of [NOW, '2020-01-01T00:00:00.000Z'])
    await eve.when(limited(['read'], end), admin).refused('expiresAt: The end of a token must be in the future.', 400)
})

test('everybody issues tokens of their own account, and of no other', async () => {
  const own: TokenCommand = { type: 'CreateOwnToken', tokenId: 't', name: 'laptop', ...issued }
  await eve.when(own, { by: { ...ada, userId: 'u' } }).then(token)
  await eve.when(own, { by: systemCaller }).refused('Forbidden', 403)
})

test('a token that is limited to collections is replaced though one of them is gone', () => {
  const scopes = ['read', 'collection:c', 'collection:gone']
  const next = { tokenId: 't2', prefix: 'hbk_def', hash: 'h2' }
  return given(user, collection('c'), emitToken('t', 'TokenCreated', { ...created, scopes }))
    .when({ type: 'RotateToken', id: 't', until: TOMORROW, token: next }, admin)
    .then(
      emitToken('t2', 'TokenCreated', { ...created, scopes, prefix: 'hbk_def', hash: 'h2' }),
      emitToken('t', 'TokenReplaced', { by: 't2', expiresAt: TOMORROW })
    )
})

test('a token is replaced by one of the same name and limits, and ends when it is told, never later than it was to', async () => {
  const next = { tokenId: 't2', prefix: 'hbk_def', hash: 'h2' }
  const rotate: TokenCommand = { type: 'RotateToken', id: 't', until: TOMORROW, token: next }
  const before = { ...created, scopes: ['read'], agentWrites: true }
  const after = emitToken('t2', 'TokenCreated', { ...before, prefix: 'hbk_def', hash: 'h2' })
  const replaced = (expiresAt: string) => emitToken('t', 'TokenReplaced', { by: 't2', expiresAt })
  await given(user, emitToken('t', 'TokenCreated', before))
    .when(rotate, admin)
    .then(after, replaced(TOMORROW))
  const soon = '2026-03-04T06:00:00.000Z'
  await given(user, emitToken('t', 'TokenCreated', { ...before, expiresAt: soon }))
    .when(rotate, admin)
    .then(after, replaced(soon))
  await given(user, emitToken('t', 'TokenCreated', { ...before, expiresAt: NOW }))
    .when(rotate, admin)
    .refused('The token is revoked or has expired: issue a new one.', 409)
  await given(user, token, emitToken('t', 'TokenRevoked', {}))
    .when(rotate, admin)
    .refused('The token is revoked or has expired: issue a new one.', 409)
  const session = { userId: 'u', tokenId: 't', expiresAt: TOMORROW, session: null }
  await given(user, token, emitIdentity('i', 'IdentitySignedIn', session))
    .when(rotate, admin)
    .refused('This token is the session of a browser, which ends by itself: sign in again there.', 409)
  await given(user, token).when(rotate).refused('Forbidden', 403)
})

test('who may write may read; nothing else comes with another scope', () => {
  for (const scope of SCOPES) {
    assert.is(covers(null, scope), true)
    for (const given of SCOPES)
      assert.is(
        covers([given], scope),
        given === scope || (given === 'write' && scope === 'read'),
        `${given}, ${scope}`
      )
  }
})

test('a token that is limited to collections opens those that its account has, and no other record', () => {
  const cut = (collectionAccess: readonly string[], scopes: readonly string[] | null) => {
    const { collectionAccess: open, environmentAccess, llmAccess } = cutToScopes({ ...ada, collectionAccess, scopes })
    return { open, environmentAccess, llmAccess }
  }
  const nothingElse = { environmentAccess: [], llmAccess: ada.llmAccess }
  assert.equal(cut(['*'], ['read', 'collection:c']), { open: ['c'], ...nothingElse })
  assert.equal(cut(['c', 'd'], ['read', 'collection:c', 'collection:e']), { open: ['c'], ...nothingElse })
  assert.equal(cut(['d'], ['write', 'collection:c']), { open: [], ...nothingElse })
  assert.equal(cut(['d'], ['write']).open, ['d'])
  assert.equal(cut(['*'], null).open, ['*'])
  // An administrator who works on records has all of them, and still no more than the token.
  assert.equal(asEditor({ ...ops, scopes: ['write', 'collection:c'] }).collectionAccess, ['c'])
})

test('a token that is limited to collections reaches the runs of these alone, and none that is of no collection', () => {
  const cut = cutToScopes({ ...ada, scopes: ['write', 'collection:c'] })
  assert.equal(
    ['c', 'd', null].map((id) => reachesRun(cut, id)),
    [true, false, false]
  )
  assert.equal(
    ['c', 'd', null].map((id) => reachesRun({ ...ada, collectionAccess: [] }, id)),
    [true, true, true]
  )
  requireRunChange(cut, 'c')
  assert.throws(() => requireRunChange({ ...cut, viewed: ['c'] }, 'c'), 'You may look at this and not change it.')
  assert.throws(() => requireRunChange(cut, null), 'Forbidden')
})

test.run()
