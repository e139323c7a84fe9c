import * as assert from 'uvu/assert'
import { chipsOf } from '../../../clients/console/src/model/auditChips.js'
import {
  type AuditFilter,
  dayRange,
  filterOf,
  finds,
  sinceDays
} from '../../../clients/console/src/model/auditFilter.js'
import { suite } from '../../support/suite.js'

const test = suite('narrowing a search of the log')

const labels = (filter: AuditFilter) =>
  chipsOf(filter, (id) => (id === 'u1' ? 'Mara' : undefined)).map(({ label, name }) =>
    name === undefined ? label : `${label} ${name}`
  )

test('the address names the filter; what is no part of one is left out', () => {
  const query = new URLSearchParams({ actor: ' u1 ', kind: 'nonsense', open: '3', type: '' })
  assert.equal(filterOf(query), { actor: 'u1' })
  assert.equal(filterOf(new URLSearchParams('kind=request&from=12')), { kind: 'request', from: '12' })
})

test('each part of a filter has words, with names where they are known', () => {
  assert.equal(labels({ kind: 'request', type: 'RequestUpdated', actor: 'u1', token: 't9' }), [
    'Requests',
    'Request updated',
    'By Mara',
    'Token t9'
  ])
})

test('a range is one part: an entry, a day of the reader, a day of the hub, or from when to when', () => {
  assert.equal(labels({ from: '12', to: '12' }), ['Entry 12'])
  assert.equal(labels({ from: '1200' }), ['Since entry 1,200'])
  assert.equal(labels({ from: '2026-11-22', to: '2026-11-22' }), ['Nov 22, 2026 (UTC)'])
  assert.equal(labels({ ...dayRange('2026-03-29') }), ['Mar 29, 2026'])
  assert.equal(labels({ from: sinceDays(7, Date.parse('2026-11-22T10:00:00')) }), ['Since Nov 16, 2026'])
  assert.equal(labels({ from: 'last tuesday' }), ['Since last tuesday'])
})

test('a day begins with its first moment and ends with its last, where the reader is', () => {
  const range = dayRange('2026-11-22')
  assert.is(new Date(range?.from ?? '').getTime(), new Date('2026-11-22T00:00:00').getTime())
  assert.is(new Date(range?.to ?? '').getTime(), new Date('2026-11-23T00:00:00').getTime() - 1)
  assert.is(dayRange('22 November'), undefined)
})

const change = {
  position: 40,
  at: '2026-11-22T10:00:00.000Z',
  type: 'RequestUpdated',
  kind: 'request',
  id: 'r1',
  actorId: '5e101f2a-af2c-42d3-b11c-787e4433b315'
}

test('of what happens it is known whether a search would find it, as far as the feed tells', () => {
  assert.is(finds({}, change), 'yes')
  assert.is(finds({ kind: 'request', type: 'RequestUpdated', id: 'r1', actor: change.actorId }, change), 'yes')
  assert.is(finds({ kind: 'folder' }, change), 'no')
  assert.is(finds({ id: 'r2' }, change), 'no')
  assert.is(finds({ actor: '8b26a68f-bf56-47c8-80e7-7e3524a1998d' }, change), 'no')
  assert.is(finds({ actor: 'Mara' }, change), 'perhaps')
  assert.is(finds({ token: 't1', kind: 'request' }, change), 'perhaps')
  assert.is(finds({ token: 't1', kind: 'folder' }, change), 'no')
})

test('what happens after the end of a range is not found, and a day has its end', () => {
  assert.is(finds({ to: '39' }, change), 'no')
  assert.is(finds({ from: '2026-11-22', to: '2026-11-22' }, change), 'yes')
  assert.is(finds({ to: '2026-11-21' }, change), 'no')
  assert.is(finds({ to: '2026-11-22T09:59:59.999Z' }, change), 'no')
})

test.run()
