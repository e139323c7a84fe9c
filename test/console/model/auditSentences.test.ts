import * as assert from 'uvu/assert'
import type { AuditEntry } from '../../../clients/console/src/model/auditEntry.js'
import { SENTENCES, sentenceOf, textOf } from '../../../clients/console/src/model/auditSentences.js'
import { kindLabel, LOG_KINDS, typeLabel } from '../../../clients/console/src/model/logKinds.js'
import { eventDefinitions, STREAM_KINDS } from '../../../commands/index.js'
import { suite } from '../../support/suite.js'

const test = suite('what entries of the log say')

function entry(type: string, over: Partial<AuditEntry> = {}): AuditEntry {
  return {
    position: 7,
    at: '2026-11-22T10:00:00.000Z',
    type,
    resource: { kind: 'request', id: 'r1', name: 'Refund' },
    actor: { id: 'u1', name: 'Mara' },
    token: null,
    address: '203.0.113.7',
    requestId: null,
    causation: null,
    changes: [],
    ...over
  }
}
const tells = (data: unknown) => ({ changes: [{ path: '', to: data }] })

test('every type of event has a sentence, and no sentence is for a type that there is not', () => {
  assert.equal(Object.keys(SENTENCES).sort(), Object.keys(eventDefinitions).sort())
})

test('no sentence has holes or two spaces, whatever the entry does not tell', () => {
  for (const type of Object.keys(SENTENCES)) {
    const text = textOf(entry(type, { actor: { id: 'u1', name: null }, address: null }))
    assert.not.match(text, /undefined|null|NaN| {2}/, type)
    assert.match(text, /^[A-Z]/, type)
    // The page shows the pieces as they are.
    const [first] = sentenceOf(entry(type))
    if (typeof first === 'string') assert.match(first, /^[A-Z]/, type)
  }
})

test('every kind of stream has words', () => {
  assert.equal(Object.keys(LOG_KINDS).sort(), [...STREAM_KINDS].sort())
  assert.is(kindLabel('of a newer hub'), 'of a newer hub')
})

test('a change names who made it and what it was made to', () => {
  assert.is(textOf(entry('RequestUpdated')), 'Mara changed the request Refund')
  assert.is(textOf(entry('RequestUpdated', { causation: 3 })), 'Mara put the request Refund back to an earlier version')
  assert.equal(sentenceOf(entry('RequestUpdated')), [{ is: 'who' }, ' changed ', { is: 'it', word: 'request' }])
})

test('what an event tells of no record is in its sentence', () => {
  const blocked = tells({ failuresWith: 'anySecret', blockedSeconds: 900 })
  assert.is(
    textOf(entry('LoginBlocked', blocked)),
    '203.0.113.7 was blocked for 15 minutes: it failed to sign in too often with one token or another'
  )
  assert.is(textOf(entry('InvitationCreated', tells({ userId: 'u2' }))), 'Mara invited somebody')
  const own = tells({ userId: 'u1' })
  assert.is(textOf(entry('InvitationCreated', own)), 'Mara made a link for a device of their own')
  const read = tells({ filter: { kind: 'request', from: '2026-11-01' } })
  assert.is(textOf(entry('AuditRead', read)), 'Mara searched the log by kind and from')
  const written = tells({ what: 'log', from: 1, to: 12345 })
  assert.is(textOf(entry('LogExported', written)), 'Mara wrote the log to a file: entries 1 to 12,345')
  const used = tells({ model: 'gpt', totalTokens: 1200, outcome: 'failed' })
  assert.is(textOf(entry('LlmStepRecorded', used)), 'Mara used the model gpt: 1,200 tokens, which failed')
})

test('somebody whose name is erased, the hub itself, and a type of a newer hub are named all the same', () => {
  assert.is(
    textOf(entry('FolderDeleted', { actor: { id: 'u1', name: null } })),
    'Somebody whose name is erased deleted the folder Refund'
  )
  const hub = { id: '00000000-0000-0000-0000-000000000000', name: 'system' }
  assert.is(textOf(entry('ProjectionsSwitched', { actor: hub })), 'The hub went over to newly built read tables')
  assert.is(textOf(entry('TeamsJoined')), 'Mara: Teams joined')
  assert.is(typeLabel('LlmTurnExpired'), 'LLM turn expired')
})

test.run()
