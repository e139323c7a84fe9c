import * as assert from 'uvu/assert'
import { type FieldDiff, fieldDiffs, MASKED_BY_HUB } from '../../../clients/console/src/model/diffFields.js'
import { changesBetween } from '../../../clients/console/src/model/diffLeaves.js'
import { suite } from '../../support/suite.js'

const test = suite('differences of records in words')

const header = (key: string, value: string, enabled = true) => ({ key, value, enabled })
const told = (diffs: readonly FieldDiff[]) => diffs.map(({ label, from, to }) => [label, from, to])

test('a header is called by its name, wherever it stands in the list', () => {
  const from = { headers: [header('Host', 'a'), header('Accept', 'text/plain')] }
  const to = { headers: [header('Host', 'a'), header('Accept', 'application/json', false)] }
  const changes = [
    { path: '/headers/1/value', from: 'text/plain', to: 'application/json' },
    { path: '/headers/1/enabled', from: true, to: false }
  ]
  assert.equal(told(fieldDiffs(changes, { from, to })), [
    ['Header Accept: value', 'text/plain', 'application/json'],
    ['Header Accept: on or off', 'on', 'off']
  ])
})

test('a header in front of others is one that is new, and not a change of all of them', () => {
  const from = { headers: [header('Accept', 'x'), header('Host', 'y')] }
  const to = { headers: [header('X-New', 'z'), header('Accept', 'x'), header('Host', 'y')] }
  assert.equal(told(fieldDiffs(changesBetween(from, to), { from, to })), [['Header X-New', null, 'z']])
})

test('headers that only change places are told by their order, without those that are new or gone', () => {
  const from = { headers: [header('A', '1'), header('B', '2'), header('Old', '3')] }
  const to = { headers: [header('B', '2'), header('A', '1')] }
  assert.equal(told(fieldDiffs(changesBetween(from, to), { from, to })), [
    ['Header Old', '3', null],
    ['Order of headers', 'A\nB', 'B\nA']
  ])
})

test('what a command finds around it is told by its names', () => {
  const [a, b] = [header('A', '1'), header('B', '2')]
  const [from, to] = [{ runCommandEnv: [a, b] }, { runCommandEnv: [b, a, header('C', '3')] }]
  assert.equal(told(fieldDiffs(changesBetween(from, to), { from, to })), [
    ['Environment variable C', null, '3'],
    ['Order of environment of the command', 'A\nB', 'B\nA']
  ])
})

test('of two headers with one name each is compared with its own', () => {
  const from = { headers: [header('Accept', '1'), header('Accept', '2')] }
  const to = { headers: [header('Accept', '1'), header('Accept', '3')] }
  assert.equal(told(fieldDiffs(changesBetween(from, to), { from, to })), [['Header Accept: value', '2', '3']])
})

test('where the records are not known a header is called by its place, and its value is not for everybody', () => {
  const [diff] = fieldDiffs([{ path: '/headers/2/value', from: 'a', to: 'b' }])
  assert.equal([diff?.label, diff?.isSecret], ['Header 3: value', true])
})

test('what a variable that is not to be shared was and is is a secret, whatever it is called', () => {
  const variable = (key: string, value: string, share: boolean) => ({
    key,
    value,
    defaultValue: '',
    share,
    enabled: true
  })
  const from = { variables: [variable('pin', '1', false), variable('host', 'a', true), variable('gone', '3', false)] }
  const to = { variables: [variable('pin', '2', false), variable('host', 'b', true)] }
  assert.equal(
    fieldDiffs(changesBetween(from, to), { from, to }).map(({ label, isSecret }) => [label, isSecret]),
    [
      ['Variable pin: value', true],
      ['Variable host: value', false],
      ['Variable gone', true]
    ]
  )
})

test('what may hold a secret says so, and a reference to a variable holds none', () => {
  const from = { headers: [header('Authorization', 'Bearer {{token}}'), header('Cookie', 'a=1')] }
  const to = { headers: [header('Authorization', '{{token}}'), header('Cookie', 'a=2')] }
  const isSecret = fieldDiffs(changesBetween(from, to), { from, to }).map((diff) => diff.isSecret)
  assert.equal(isSecret, [false, true])
  const isSecretAt = (path: string) => fieldDiffs([{ path, from: 'a', to: 'b' }])[0]?.isSecret
  for (const path of [
    '/auth/basic/password',
    '/auth/oauth2/clientSecret',
    '/auth/apikey/apiKey',
    '/runCommandEnv/0/value'
  ])
    assert.is(isSecretAt(path), true, path)
  for (const path of ['/auth/oauth2/tokenUrl', '/key', '/root']) assert.is(isSecretAt(path), false, path)
})

test('what the hub masks on both sides has changed all the same', () => {
  const change = { path: '/auth/bearer/token', from: MASKED_BY_HUB, to: MASKED_BY_HUB }
  assert.equal(told(fieldDiffs([change])), [['Authorization: token', MASKED_BY_HUB, MASKED_BY_HUB]])
})

test('ids and times are technical; folders are called by their names', () => {
  const changes = [
    { path: '/folderId', from: 'f1', to: null },
    { path: '/sortOrder', from: 1, to: 7 },
    { path: '/updatedAt', from: 'x', to: 'y' }
  ]
  const diffs = fieldDiffs(changes, undefined, (id) => (id === 'f1' ? 'Refunds' : undefined))
  assert.equal(
    diffs.map(({ label, from, to, isTechnical }) => [label, from, to, isTechnical]),
    [
      ['Folder', 'Refunds', 'none, at the root of the collection', false],
      ['Place', '2', '8', true],
      ['Updated at', 'x', 'y', true]
    ]
  )
})

test('of something new only what is filled in is told', () => {
  const content = { name: 'Refund', body: '', folderId: null, bodyType: 'none', headers: [header('A', '1')] }
  assert.equal(told(fieldDiffs(changesBetween(null, content), { from: null, to: content })), [
    ['Name', null, 'Refund'],
    ['Header A', null, '1']
  ])
})

test('a change of a whole record is told field by field', () => {
  const to = { name: 'Refund', headers: [header('A', '1')], createdAt: 'x' }
  const told = fieldDiffs([{ path: '', to }]).map(({ label, isTechnical }) => [label, isTechnical])
  assert.equal(told, [
    ['Name', false],
    ['Header A', false],
    ['Created at', true]
  ])
})

test('fields that nobody has named are told by their own names, and lists of texts by the line', () => {
  const changes = [
    { path: '/collectionAccess', from: ['a', 'b'], to: ['*'] },
    { path: '/filter', to: { kind: 'request' } },
    { path: '/isOpen', from: false, to: true }
  ]
  assert.equal(told(fieldDiffs(changes)), [
    ['Collection access', 'a\nb', '*'],
    ['Filter: kind', null, 'request'],
    ['Is open', 'no', 'yes']
  ])
})

test.run()
