import * as assert from 'uvu/assert'
import { type Account, type Grant, noAccess } from '../../commands/people/user/events.js'
import { callerOf, type TokenRow, type UserRow } from '../../queries/callers.js'
import { statesOf } from '../../queries/invitations.js'
import type { ReadStore } from '../../src/storage/storage.js'
import { suite } from '../support/suite.js'
import { NOW, TOMORROW } from './given.js'
import { anAccount } from './people.js'

/** Who a token is, at the moment of a request. */
const test = suite('who is behind a token')

const attributes = { createdAt: NOW, updatedAt: NOW, createdBy: null, updatedBy: null }
const columns = { ...attributes, version: 1, revision: 1 }

const token = (changes: Partial<TokenRow> = {}, scopes: readonly string[] | null = null): TokenRow => ({
  ...{
    id: 't',
    userId: 'u',
    hash: 'h',
    prefix: 'hbk_abc',
    createdAt: NOW,
    revokedAt: null,
    expiresAt: null,
    replacedBy: null
  },
  ...{ version: 1, revision: 1, body: JSON.stringify({ agentWrites: false, scopes }) },
  ...changes
})

function reading(account: Account, changes: Partial<UserRow> = {}): ReadStore {
  const row = {
    ...{ ...columns, id: 'u', name: account.name, role: account.role, body: JSON.stringify(account) },
    ...{ disabledAt: null, grants: null, groups: null, ...changes }
  }
  // Of the row of an account only these columns are looked at.
  const get = (async (_, id) => (id === 'u' ? row : null)) as ReadStore['get']
  return { get, getAll: async () => [], list: async () => [], count: async () => 0 }
}

const eve = reading(anAccount('Eve'))
const callerWith = (row: TokenRow | null, read = eve) => callerOf(read, row, () => NOW)

test('a token that is not there, is revoked or over, or of nobody, is nobody', async () => {
  assert.is((await callerWith(token()))?.userId, 'u')
  assert.is((await callerWith(token({ expiresAt: TOMORROW })))?.userId, 'u')
  for (const row of [null, token({ revokedAt: NOW }), token({ expiresAt: NOW }), token({ userId: 'gone' })])
    assert.is(await callerWith(row), null)
})

test('a disabled account is nobody', async () => {
  assert.is(await callerWith(token(), reading(anAccount('Eve'), { disabledAt: NOW })), null)
})

test('grants are those of users alone, whatever an account had before', async () => {
  const grants: readonly Grant[] = [{ kind: 'collection', id: 'c', role: 'viewer' }]
  const held = { grants: JSON.stringify(grants) }
  const reach = async (role: Account['role']) => {
    const read = reading({ ...noAccess, name: 'Eve', role }, held)
    const { collectionAccess, viewed } = (await callerWith(token(), read)) ?? {}
    return [collectionAccess, viewed]
  }
  assert.equal(await reach('user'), [['c'], ['c']])
  for (const role of ['admin', 'accountAdmin', 'auditor'] as const) assert.equal(await reach(role), [[], []])
})

test('what a token is limited to is cut from what its account may use', async () => {
  const caller = await callerWith(token({}, ['read', 'collection:c']))
  assert.equal([caller?.collectionAccess, caller?.snippetAccess, caller?.scopes?.length], [['c'], [], 2])
})

test('an invitation that somebody has made for themselves ends with its token, at the first of its ends', async () => {
  const times = { redeemedAt: null, revokedAt: null, expiresAt: '2026-03-06T05:06:07.089Z' }
  const row = { ...columns, ...times, ...{ id: 'i', userId: 'u', hash: 'h', madeWith: 't', body: '{}' } }
  const stateWith = async (...tokens: readonly TokenRow[]) => {
    const getAll = (async () => tokens) as unknown as ReadStore['getAll']
    return (await statesOf([row], { getAll }, TOMORROW))(row)
  }
  const between = '2026-03-04T15:06:07.089Z'
  const ended = async (changes: Partial<TokenRow>, revokedAt: string | null) =>
    assert.equal(await stateWith(token(changes)), { status: 'revoked', revokedAt })
  assert.equal(await stateWith(token()), { status: 'pending', revokedAt: null })
  await ended({ expiresAt: NOW }, NOW)
  await ended({ expiresAt: NOW, revokedAt: between }, NOW)
  await ended({ expiresAt: TOMORROW, revokedAt: between }, between)
  assert.equal(await stateWith(), { status: 'revoked', revokedAt: null })
})

test.run()
