import * as assert from 'uvu/assert'
import { addressFault, inviteLink, isLoopback } from '../../../clients/console/src/model/inviteLink.js'
import type { Schemas } from '../../../clients/typescript/src/index.js'
import type { Account } from '../../../commands/people/user/events.js'
import { inviteLink as linkOfCommandLine } from '../../../src/ledger/secrets.js'
import { suite } from '../../support/suite.js'

const test = suite('invite links of the console')

const secret = 'hbi_0123456789abcdefghijklmnopqrstuvwxyzABCDEF0'
const expiresAt = '2026-12-01T09:30:00.000Z'
const ada: Account & Pick<Schemas['User'], 'role'> = {
  name: 'Ada Lovelace & Söhne #1',
  role: 'user',
  collectionAccess: ['*'],
  environmentAccess: ['one', 'two'],
  snippetAccess: [],
  liveServerAccess: [],
  livePageAccess: [],
  llmAccess: true,
  llmModels: ['*'],
  llmMonthlyTokenLimit: null
}

for (const [what, account, base] of [
  ['a user', ada, 'https://hub.example.com'],
  ['a hub under a path', ada, 'https://example.com/team/hub/'],
  [
    'an administrator',
    { ...ada, role: 'admin', collectionAccess: [], environmentAccess: [], llmAccess: false },
    'http://127.0.0.1:8787'
  ]
] as const) {
  test(`${what}: the link is the one that the command line prints`, () => {
    const issued = { expiresAt, secret }
    assert.is(inviteLink(base, account, issued), linkOfCommandLine(base, account as Account, issued))
  })
}

test('who is told as a user is told as one by the command line too', () => {
  const [base, issued] = ['https://hub.example.com', { expiresAt, secret }]
  assert.is(inviteLink(base, ada, issued), linkOfCommandLine(base, { ...ada, role: 'auditor' }, issued))
})

test('a tenant is named, and the hub itself is not', () => {
  const issued = { expiresAt, secret }
  const base = 'https://hub.example.com'
  const ofHub = inviteLink(base, ada, issued)
  assert.is(inviteLink(base, ada, issued, '__default__'), ofHub)
  const link = inviteLink(base, ada, issued, 'acme')
  assert.is(link, linkOfCommandLine(base, ada, issued, 'acme'))
  assert.is(link, ofHub.replace('#code=', '&tenant=acme#code='))
})

test('the secret stands behind # alone', () => {
  const url = new URL(inviteLink('https://hub.example.com', ada, { expiresAt, secret }))
  assert.is(url.hash, `#code=${secret}`)
  assert.not.match(url.href.slice(0, url.href.indexOf('#')), secret)
})

test('an address that leads nowhere else is told', () => {
  for (const own of ['http://127.0.0.1:8787', 'http://localhost/hub', 'http://[::1]:80', 'http://hub.localhost']) {
    assert.ok(isLoopback(own), own)
  }
  for (const other of ['https://hub.example.com', 'http://10.0.0.1', 'https://localhost.example.com']) {
    assert.not.ok(isLoopback(other), other)
  }
})

test('what is no address of a hub is told', () => {
  for (const fine of ['https://hub.example.com', ' http://10.0.0.1:8787/hub ']) assert.is(addressFault(fine), undefined)
  for (const wrong of [
    '',
    'hub.example.com',
    'ftp://hub.example.com',
    'javascript:alert(1)',
    'https://a.example/?b=1'
  ]) {
    assert.ok(addressFault(wrong), wrong)
  }
})

test.run()
