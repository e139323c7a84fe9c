import * as assert from 'uvu/assert'
import type { AuditEntry } from '../../../clients/console/src/model/auditEntry.js'
import { lineKey, linesOf, runText } from '../../../clients/console/src/model/auditRuns.js'
import { suite } from '../../support/suite.js'

const test = suite('entries of the log that are folded into one line')
const NOON = Date.parse('2026-03-13T12:00:00.000Z')

/** An entry, so many minutes before noon. */
function entry(position: number, type: string, minutes = 0, actor = 'Ada', address: string | null = null): AuditEntry {
  return {
    position,
    type,
    at: new Date(NOON - minutes * 60_000).toISOString(),
    actor: { id: actor, name: actor },
    resource: { kind: '', id: '', name: null },
    ...{ token: null, address, requestId: null, causation: null, changes: [] }
  }
}

const shown = (entries: readonly AuditEntry[], isOpen = false) =>
  linesOf(entries, () => isOpen).map((line) => (line.is === 'run' ? runText(line.run) : line.entry.position))

test('what one person does again and again is one line until it is opened, and changes are never folded', () => {
  const entries = [
    entry(9, 'AuditRead'),
    entry(8, 'AuditRead'),
    entry(7, 'AuditRead', 0, 'Bob'),
    entry(6, 'RequestUpdated'),
    entry(5, 'RequestUpdated')
  ]
  assert.equal(shown(entries), ['Ada read the log 2 times', 7, 6, 5])
  assert.equal(shown(entries, true), ['Ada read the log 2 times', 9, 8, 7, 6, 5])
})

test('what stands between them does not keep them apart: a repeat is noted with each request', () => {
  const entries = [4, 3, 2].flatMap((n) => [entry(2 * n, 'IdempotencyKeyUsed'), entry(2 * n - 1, 'RequestCreated')])
  assert.equal(shown(entries), ['3 requests of Ada were noted, so that repeats of them change nothing', 7, 5, 3])
})

test('what is more than ten minutes after the one before begins another line', () => {
  const entries = [0, 9, 18, 29].map((minutes, n) => entry(9 - n, 'AgentToolCalled', minutes))
  assert.equal(shown(entries), ['Agents, for Ada, called tools 3 times', 6])
})

test('addresses that are blocked are told apart', () => {
  const entries = ['::1', '::2', '::1'].map((address, n) => entry(9 - n, 'LoginBlocked', 0, 'system', address))
  assert.equal(shown(entries), ['::1 was blocked 2 times: it failed to sign in too often', 8])
})

test('a line is known by its newest entry, also when older ones come', () => {
  const first = [entry(9, 'AuditRead'), entry(8, 'AuditRead')]
  const keys = (entries: readonly AuditEntry[]) => linesOf(entries, () => false).map(lineKey)
  assert.equal(keys(first), ['run-9'])
  assert.equal(keys([...first, entry(7, 'AuditRead')]), ['run-9'])
})

test.run()
