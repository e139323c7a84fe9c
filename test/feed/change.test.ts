import * as assert from 'uvu/assert'
import { codec } from '../../commands/index.js'
import { feedEntryOf, seenBy } from '../../src/followers/feed/change.js'
import { seal } from '../../src/log/chain.js'
import type { StoredEvent } from '../../src/log/event.js'
import { content } from '../decide/made.js'
import { anAccount, anAdmin } from '../decide/people.js'
import { suite } from '../support/suite.js'

const test = suite('what the feed tells, and to whom')

const event = (stream: string, data: object, type = 'Happened', schema = 1): StoredEvent => ({
  position: 7,
  stream,
  version: 1,
  type,
  schema,
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
const user = (access: object = {}) => ({
  ...anAccount('u'),
  ...nobody,
  ...access,
  userId: 'u',
  tokenId: null,
  scopes: null,
  viewed: []
})
const admin = { ...anAdmin('a'), userId: 'a', tokenId: null, scopes: null, viewed: [] }
const told = { position: 7, at: '2026-01-01T00:00:00.000Z', actorId: 'ada' }

test('a request: whoever has its collection, without a word of what it is', () => {
  const type = 'RequestCreated'
  const data = { collectionId: 'c', folderId: null, sortOrder: 1, content: content('secret') }
  const change = feedEntryOf(event('request-r', data, type))
  assert.equal(seenBy(change, user({ collectionAccess: ['c'] })), {
    ...told,
    type,
    kind: 'request',
    id: 'r',
    collectionId: 'c'
  })
  assert.equal(seenBy(change, user({ collectionAccess: ['*'] })), {
    ...told,
    type,
    kind: 'request',
    id: 'r',
    collectionId: 'c'
  })
  assert.is(seenBy(change, user({ collectionAccess: ['d'], environmentAccess: ['*'], snippetAccess: ['*'] })), null)
})

test('one that goes to another collection: each side learns of its own collection alone', () => {
  const data = { collectionId: 'new', folderId: null, sortOrder: 1, content: content('moved') }
  const now = event('request-r', { ...data, previousCollectionId: 'old' }, 'RequestUpdated', 2)
  const earlier = event('request-r', { ...data, leaves: 'old' }, 'RequestUpdated', 1)
  for (const change of [feedEntryOf(now), feedEntryOf(earlier)]) {
    assert.is(seenBy(change, user({ collectionAccess: ['old'] }))?.collectionId, 'old')
    assert.is(seenBy(change, user({ collectionAccess: ['new'] }))?.collectionId, 'new')
  }
})

test('collections, environments and snippets by their access lists', () => {
  for (const [kind, list] of [
    ['collection', 'collectionAccess'],
    ['environment', 'environmentAccess'],
    ['snippet', 'snippetAccess']
  ] as const) {
    const change = feedEntryOf(event(`${kind}-x`, {}))
    assert.is(seenBy(change, user({ [list]: ['x'] }))?.kind, kind)
    assert.is(seenBy(change, user({ [list]: ['y'] })), null)
  }
})

test('a group: its members, as a change of their own account, by which they learn that their access has changed', () => {
  for (const type of ['GroupUpdated', 'GroupDeleted']) {
    const change = feedEntryOf(event('group-g', {}, type))
    assert.equal(seenBy(change, user({ groups: ['g'] })), { ...told, type, kind: 'user', id: 'u', collectionId: null })
    assert.is(seenBy(change, user({ groups: ['h'], collectionAccess: ['*'] })), null)
    assert.is(seenBy(change, user({ collectionAccess: ['*'] })), null)
    assert.equal([seenBy(change, admin)?.kind, seenBy(change, admin)?.id], ['group', 'g'])
  }
})

test('accounts: only their own; tokens, invitations and the rest: administrators only', () => {
  assert.is(seenBy(feedEntryOf(event('user-u', {})), user())?.id, 'u')
  assert.is(seenBy(feedEntryOf(event('user-v', {})), user()), null)
  for (const stream of ['token-t', 'invitation-i', 'audit-x', 'llmstep-s', 'runresult-r', 'projections-live']) {
    assert.is(seenBy(feedEntryOf(event(stream, {})), user({ collectionAccess: ['*'] })), null)
    assert.ok(seenBy(feedEntryOf(event(stream, {})), admin))
  }
})

test('a comment: whoever has the collection of what it is about, and on a run result every user', () => {
  const ofRequest = { target: { kind: 'request', id: 'r' }, collectionId: 'c' }
  const ofRun = { target: { kind: 'runResult', id: 'x' }, collectionId: null }
  for (const [type, said] of [
    ['CommentWritten', { parentId: null, rootId: 'm', depth: 1, text: 'secret', mentions: [] }],
    ['CommentEdited', { text: 'secret' }],
    ['CommentRetracted', {}],
    ['ThreadResolved', {}],
    ['ThreadReopened', {}]
  ] as const) {
    const inCollection = feedEntryOf(event('comment-m', { ...ofRequest, ...said }, type))
    const shown = { ...told, type, kind: 'comment', id: 'm' }
    assert.equal(seenBy(inCollection, user({ collectionAccess: ['c'] })), { ...shown, collectionId: 'c' })
    assert.is(seenBy(inCollection, user({ collectionAccess: ['d'] })), null)
    const anywhere = feedEntryOf(event('comment-m', { ...ofRun, ...said }, type))
    for (const one of [user(), admin]) assert.equal(seenBy(anywhere, one), { ...shown, collectionId: null })
  }
})

test('what is erased, and what does not tell its collection, no user is told', () => {
  const erased = { ...event('request-r', {}, 'RequestCreated'), payload: { text: null, salt: null, commitment: '' } }
  const older = event('folder-f', { name: 'f', marker: null }, 'FolderUpdated')
  const comment = event('comment-m', {}, 'CommentWritten')
  const erasedComment = { ...comment, payload: { text: null, salt: null, commitment: '' } }
  for (const one of [erased, erasedComment, event('request-r', {}, 'RequestDeleted'), older])
    assert.is(seenBy(feedEntryOf(one), user({ collectionAccess: ['*'] })), null)
})

test('what a newer hub has written in a way that is not known here, administrators are told of alone', () => {
  const place = { collectionId: 'c', folderId: null, sortOrder: 1 }
  const newer = codec.schemaOf('RequestMoved') + 1
  for (const one of [event('request-r', place, 'RequestPinned'), event('request-r', place, 'RequestMoved', newer)]) {
    assert.is(seenBy(feedEntryOf(one), user({ collectionAccess: ['*'] })), null)
    assert.ok(seenBy(feedEntryOf(one), admin))
  }
})

test.run()
