import * as assert from 'uvu/assert'
import {
  matches,
  orderOf,
  peopleOf,
  sortedPeople,
  sortedTokens,
  statusAt
} from '../../../clients/console/src/model/people.js'
import { suite } from '../../support/suite.js'

const test = suite('people')

const AT = '2026-11-22T12:00:00.000Z'
const user = (name: string) => ({
  id: name,
  name,
  role: 'user' as const,
  exactRole: 'user' as const,
  collectionAccess: [],
  environmentAccess: [],
  snippetAccess: [],
  llmAccess: false,
  llmModels: [],
  llmMonthlyTokenLimit: null,
  createdAt: AT,
  updatedAt: AT,
  avatarInitials: '',
  avatarColor: '',
  liveServerAccess: [],
  livePageAccess: [],
  warnings: []
})
const token = (userId: string, lastUsedAt: string | null, id = userId) => ({
  id,
  userId,
  name: id,
  tokenPrefix: 'hbk_1',
  createdAt: AT,
  lastUsedAt,
  revokedAt: null,
  agentWrites: false,
  expiresAt: null,
  scopes: null
})
const invitation = (userId: string, expiresAt: string) => ({
  id: userId,
  userId,
  codePrefix: 'hbi_1',
  expiresAt,
  redeemedAt: null,
  revokedAt: null,
  createdAt: AT,
  status: 'pending' as const
})
const spend = (key: string, cost: number | null, totalTokens = 10) => ({
  ...{ key, name: key, steps: 1, promptTokens: totalTokens, completionTokens: 0, totalTokens, cost }
})

const [early, late] = ['2026-11-20T08:00:00.000Z', '2026-11-21T08:00:00.000Z']
const people = peopleOf({
  users: ['Zoe', 'ada', 'Bob 10', 'Bob 9'].map(user),
  tokens: [token('Zoe', early), token('Zoe', late, 'second'), token('ada', null), token('Bob 9', early)],
  invitations: [invitation('Bob 10', '2026-11-23T00:00:00.000Z'), invitation('ada', '2026-11-23T00:00:00.000Z')],
  usage: [spend('Zoe', 0.5), spend('ada', null, 9000), spend('Bob 9', 2)],
  now_ms: Date.parse(AT)
})
const names = (by: 'name' | 'used' | 'spent', isReversed = false) =>
  sortedPeople(people, { by, isReversed }).map(({ user }) => user.name)

test('a person was there when the newest of their tokens was used', () => {
  assert.equal(
    people.map(({ lastUsedAt }) => lastUsedAt),
    [late, null, null, early]
  )
})

test('who was invited and has no token yet is awaited', () => {
  assert.equal(
    people.filter(({ isAwaited }) => isAwaited).map(({ user }) => user.name),
    ['Bob 10']
  )
})

test('what has not been heard of is not told to be nothing', () => {
  const [one] = peopleOf({
    ...{ users: [user('ada')], tokens: undefined, invitations: undefined, usage: undefined, now_ms: 0 }
  })
  assert.equal([one?.lastUsedAt, one?.spend], [undefined, undefined])
})

test('people stand by name, last use or spend, either way round', () => {
  assert.equal(names('name'), ['ada', 'Bob 9', 'Bob 10', 'Zoe'])
  assert.equal(names('used'), ['Zoe', 'Bob 9', 'ada', 'Bob 10'])
  assert.equal(names('used', true), ['Bob 10', 'ada', 'Bob 9', 'Zoe'])
  assert.equal(names('spent'), ['Bob 9', 'Zoe', 'ada', 'Bob 10'])
})

test('tokens that were never used are last, or first where the order is turned round', () => {
  const all = [token('ada', null), token('Zoe', early), token('Bob 9', late)]
  const owners = (isReversed: boolean) =>
    sortedTokens(all, { by: 'used', isReversed }, (id) => id).map(({ userId }) => userId)
  assert.equal(owners(false), ['Bob 9', 'Zoe', 'ada'])
  assert.equal(owners(true), ['ada', 'Zoe', 'Bob 9'])
})

test('an address that asks for no known order gets the usual one', () => {
  const known = ['used', 'owner'] as const
  assert.equal(orderOf('-owner', known, 'used'), { by: 'owner', isReversed: true })
  for (const asked of [null, '', '-', 'size', '-size']) {
    assert.equal(orderOf(asked, known, 'used'), { by: 'used', isReversed: false })
  }
})

test('an invitation expires while somebody looks at it', () => {
  const one = invitation('ada', AT)
  assert.is(statusAt(one, Date.parse(AT) - 1), 'pending')
  assert.is(statusAt(one, Date.parse(AT)), 'expired')
})

test('a filter finds what has the text in it, whatever the case', () => {
  assert.ok(matches(' LOVE ', 'Ada Lovelace', 'user'))
  assert.ok(matches('', 'Ada'))
  assert.not.ok(matches('bob', 'Ada'))
})

test.run()
