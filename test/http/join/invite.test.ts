import * as assert from 'uvu/assert'
import { readInvite } from '../../../src/http/join/invite.js'
import { suite } from '../../support/suite.js'
import { queryOf, usual } from './invites.js'

const test = suite('what an invite link says')

test('a link as clients make it', () => {
  const { url: server, name, role, exp: expires, hub, access } = usual
  assert.equal(readInvite(queryOf()), { name, role, expires, hub, server, access, tenant: null })
})

test('without hub, access and url it is still an invite', () => {
  const invite = readInvite(queryOf({ hub: undefined, access: '', url: undefined }))
  assert.equal([invite?.hub, invite?.access, invite?.server], ['Collections Hub', null, null])
})

for (const [why, changes] of [
  ['no name', { name: undefined }],
  ['a blank name', { name: '  ' }],
  ['no role', { role: undefined }],
  ['an unknown role', { role: 'owner' }],
  ['a role in capitals', { role: 'Admin' }],
  ['a role that every object has', { role: 'constructor' }],
  ['no exp', { exp: undefined }],
  ['an exp that is no time', { exp: 'tomorrow' }],
  ['an exp with more behind it', { exp: '2030-01-01T00:00:00Z">' }],
  ['an exp in the thirteenth month', { exp: '2030-13-01T00:00:00Z' }],
  ['an exp that only some engines read', { exp: '1 Jan 2030' }]
] as const) {
  test(`${why} makes it invalid`, () => assert.is(readInvite(queryOf(changes)), null))
}

for (const [tenant, shown] of [
  ['acme', 'acme'],
  [' Acme_2-x ', 'Acme_2-x'],
  ['__default__', null],
  ['', null],
  ['a b', null],
  ['<b>', null],
  ['x'.repeat(65), null]
] as const) {
  test(`tenant=${tenant} is ${shown ?? 'the hub itself'}`, () =>
    assert.is(readInvite(queryOf({ tenant }))?.tenant, shown))
}

test('no query at all, or none that can be decoded, is invalid', () => {
  for (const query of ['', '&&&', '%zz', '%E0%A4%A', 'name', '__proto__=1', '='.repeat(9000)]) {
    assert.is(readInvite(query), null, query)
  }
})

for (const [exp, time] of [
  ['2030-01-02', Date.UTC(2030, 0, 2)],
  ['2030-01-02T03:04Z', Date.UTC(2030, 0, 2, 3, 4)],
  ['2030-01-02T03:04:05.678Z', Date.UTC(2030, 0, 2, 3, 4, 5, 678)],
  ['2030-01-02T03:04:05+02:00', Date.UTC(2030, 0, 2, 1, 4, 5)],
  ['2030-01-02T03:04:05', Date.UTC(2030, 0, 2, 3, 4, 5)]
] as const) {
  test(`exp=${exp} is read, in UTC unless it says otherwise`, () => {
    assert.is(Date.parse(readInvite(queryOf({ exp }))?.expires ?? ''), time)
  })
}

for (const [url, server] of [
  ['https://hub.example.com/', 'https://hub.example.com'],
  ['http://10.0.0.5:8787/team///', 'http://10.0.0.5:8787/team'],
  ['HTTPS://hub.example.com', 'HTTPS://hub.example.com'],
  ['javascript:alert(1)', null],
  ['javascript://hub.example.com', null],
  ['data:text/html,x', null],
  ['ftp://hub.example.com', null],
  ['https:hub.example.com', null],
  ['https://', null],
  ['//hub.example.com', null],
  ['hub.example.com', null]
] as const) {
  test(`url=${url} shows ${server ?? 'no server'}`, () => assert.is(readInvite(queryOf({ url }))?.server, server))
}

test('of a parameter that comes twice the first counts, as it does for clients', () => {
  assert.is(readInvite(`${queryOf()}&name=Mallory`)?.name, usual.name)
})

test('slashes by the thousand cost no time', () => {
  const started = performance.now()
  readInvite(queryOf({ url: `https://hub.example.com/${'/'.repeat(400_000)}x` }))
  assert.ok(performance.now() - started < 5000)
})

test.run()
