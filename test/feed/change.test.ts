import * as assert from 'uvu/assert'
import { noted, seenBy } from '../../src/feed/change.js'
import { seal } from '../../src/log/chain.js'
import type { StoredEvent } from '../../src/log/event.js'
import { anAccount, anAdmin } from '../decide/people.js'
import { suite } from '../support/suite.js'

const test = suite('what the feed tells, and to whom')

const event = (stream: string, data: object, type = 'Happened'): StoredEvent => ({
  position: 7,
  stream,
  version: 1,
  type,
  schema: 1,
  at: '2026-01-01T00:00:00.000Z',
  commandId: 'command',
  actorId: 'ada',
  tokenId: null,
  requestId: null,
  correlationId: null,
  causation: null,
  who: seal('{}'),
  payload: seal(JSON.stringify(data)),
  chain: ''
})
const nobody = { collectionAccess: [], environmentAccess: [], snippetAccess: [] }
const user = (access: object = {}) => ({ ...anAccount('u'), ...nobody, ...access, userId: 'u', tokenId: null })
const admin = { ...anAdmin('a'), userId: 'a', tokenId: null }
const told = { position: 7, at: '2026-01-01T00:00:00.000Z', type: 'Happened', actorId: 'ada' }

test('a request: whoever has its collection, without a word of what it is', () => {
  const change = noted(event('request-r', { collectionId: 'c', content: { name: 'secret' } }))
  assert.equal(seenBy(change, user({ collectionAccess: ['c'] })), {
    ...told,
    kind: 'request',
    id: 'r',
    collectionId: 'c'
  })
  assert.equal(seenBy(change, user({ collectionAccess: ['*'] })), {
    ...told,
    kind: 'request',
    id: 'r',
    collectionId: 'c'
  })
  assert.is(seenBy(change, user({ collectionAccess: ['d'], environmentAccess: ['*'], snippetAccess: ['*'] })), null)
})

test('one that goes to another collection: each side learns of its own collection alone', () => {
  const change = noted(event('request-r', { collectionId: 'new', leaves: 'old' }))
  assert.is(seenBy(change, user({ collectionAccess: ['old'] }))?.collectionId, 'old')
  assert.is(seenBy(change, user({ collectionAccess: ['new'] }))?.collectionId, 'new')
})

test('collections, environments and snippets by their access lists', () => {
  for (const [kind, list] of [
    ['collection', 'collectionAccess'],
    ['environment', 'environmentAccess'],
    ['snippet', 'snippetAccess']
  ] as const) {
    const change = noted(event(`${kind}-x`, {}))
    assert.is(seenBy(change, user({ [list]: ['x'] }))?.kind, kind)
    assert.is(seenBy(change, user({ [list]: ['y'] })), null)
  }
})

test('accounts: only their own; tokens, invitations and the rest: administrators only', () => {
  assert.is(seenBy(noted(event('user-u', {})), user())?.id, 'u')
  assert.is(seenBy(noted(event('user-v', {})), user()), null)
  for (const stream of ['token-t', 'invitation-i', 'audit-x', 'llmstep-s', 'runresult-r', 'projections-live']) {
    assert.is(seenBy(noted(event(stream, {})), user({ collectionAccess: ['*'] })), null)
    assert.ok(seenBy(noted(event(stream, {})), admin))
  }
})

test('what is erased, and what does not tell its collection, no user is told', () => {
  const erased = { ...event('request-r', {}), payload: { text: null, salt: null, commitment: '' } }
  for (const one of [erased, event('request-r', {}), event('folder-f', { collectionId: null })])
    assert.is(seenBy(noted(one), user({ collectionAccess: ['*'] })), null)
})

test.run()
