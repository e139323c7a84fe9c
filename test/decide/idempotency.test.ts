import type { Command } from '../../commands/index.js'
import { emitKey } from '../../commands/log/idempotency/events.js'
import { emitToken } from '../../commands/people/token/events.js'
import { emitUser } from '../../commands/people/user/events.js'
import { suite } from '../support/suite.js'
import { atFirst, given, TOMORROW } from './given.js'
import { collection } from './made.js'
import { anAccount, nil, ops, UNLIMITED } from './people.js'

const test = suite('deciding under idempotency keys')

const ANOTHER =
  'This Idempotency-Key was used for a request with another body in the last 24 hours. Choose a new key for this one.'
const SHOWN =
  'This was done already under this Idempotency-Key, and its secret was shown once, in the first answer. If that is ' +
  'lost, revoke what was made and make a new one under a new key.'

const under = { useId: 'use', key: 'k', bodyHash: 'b' }
const create = (id: string): Command => ({ type: 'CreateCollection', id, name: 'Orders' })
const used = (resourceId: string | null, keyHash = 'k', more: { readonly expiredDay?: string } = {}) =>
  emitKey('use', 'IdempotencyKeyUsed', { keyHash, bodyHash: 'b', resourceId, expiresAt: TOMORROW, ...more })

test('what happens under a new key is followed by the use of the key, with what it was about', () =>
  atFirst.when(create('c'), { under }).then(collection('c', 'Orders'), used('c')))

const done = given(collection('c', 'Orders'), used('c'))

test('the same body under the same key makes nothing more, though the command has a new id', () =>
  done.when(create('d'), { under }).nothing())

test('another body under the same key is refused', () =>
  done.when(create('d'), { under: { ...under, bodyHash: 'other' } }).refused(ANOTHER, 422))

test('another key is another request', () =>
  done.when(create('d'), { under: { ...under, key: 'other' } }).then(collection('d', 'Orders'), used('d', 'other')))

test('a key counts until it expires, and then it is a new one', async () => {
  await done.when(create('d'), { under, now: '2026-03-05T05:06:07.088Z' }).nothing()
  await done.when(create('d'), { under, now: TOMORROW }).then(collection('d', 'Orders'), used('d'))
})

test('a key still counts for a process whose clock is behind', () =>
  done.when(create('d'), { under, now: '2026-03-03T00:00:00.000Z' }).nothing())

test('a refusal uses no key', () => atFirst.when(create('c'), { under, by: nil }).refused('Forbidden', 403))

test('a command that changes nothing uses its key all the same', async () => {
  const past = given(
    emitUser('u', 'UserCreated', anAccount('Eve')),
    emitToken('t', 'TokenCreated', { userId: 'u', name: 'laptop', prefix: 'hbk_abc', hash: 'h', ...UNLIMITED }),
    emitToken('t', 'TokenRevoked', {})
  )
  await past.when({ type: 'RevokeToken', id: 't' }, { under, by: ops }).then(used('t'))
})

test('what showed a secret is refused when it is repeated, and carried out under another key', async () => {
  const issued = { tokenId: 't2', prefix: 'hbk_abc', hash: 'h2' }
  const past = given(emitUser('u', 'UserCreated', anAccount('Eve')), used(null))
  const command: Command = { type: 'CreateToken', userId: 'u', name: 'laptop', ...issued }
  await past.when(command, { under, by: ops }).refused(SHOWN, 409)
  await past.when(command, { under: { ...under, key: 'other' }, by: ops }).then(
    emitToken('t2', 'TokenCreated', {
      userId: 'u',
      name: 'laptop',
      prefix: 'hbk_abc',
      hash: 'h2',
      ...UNLIMITED
    }),
    used(null, 'other')
  )
})

test('the keys that expire on a day are forgotten when the day is over', async () => {
  const past = given(collection('c', 'Orders'), used('c'), used('x', 'another'))
  const next = { ...under, key: 'new' }
  await past
    .when(create('d'), { under: next, now: '2026-03-05T23:59:59.999Z' })
    .then(collection('d', 'Orders'), used('d', 'new'))
  await past
    .when(create('d'), { under: next, now: '2026-03-06T00:00:00.000Z' })
    .then(collection('d', 'Orders'), used('d', 'new', { expiredDay: '2026-03-05' }))
})

test.run()
