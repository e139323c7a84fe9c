import * as assert from 'uvu/assert'
import {
  badgeOf,
  bellName,
  type Comment,
  type Notice,
  noticeSays,
  placeOf,
  tells,
  threadsOf,
  wordsOf
} from '../../../clients/console/src/model/notices.js'
import { suite } from '../../support/suite.js'

const test = suite('notices and discussions, as people read them')

const notice: Notice = {
  ...{ id: 'n', eventType: 'request.updated', entityType: 'request', entityId: 'r', requestId: 'r', collectionId: 'c' },
  ...{ folderId: null, runResultId: null, discussionThreadId: null, discussionCommentId: null },
  actor: { id: 'u', name: 'Kim' },
  ...{ createdAt: '2026-03-01T08:00:00.000Z', readAt: null },
  displayMetadata: { actorName: 'Kim', targetLabel: 'List orders' }
}

test('a notice leads to the record or the run that it is about', () => {
  assert.equal(placeOf(notice), ['collections', 'c', 'requests', 'r'])
  assert.equal(placeOf({ ...notice, entityType: 'runResult' }), ['run-results', 'r'])
  assert.is(noticeSays(notice), 'saved')
})

test('the bell says how many are new, and has room for it', () => {
  assert.equal([badgeOf(3), badgeOf(99), badgeOf(1200)], ['3', '99', '99+'])
  assert.equal([bellName(0), bellName(1)], ['Notices', 'Notices, 1 unread'])
})

test('only what may make a notice has them counted anew', () => {
  assert.equal(['request', 'comment', 'runresult', 'llmstep', 'audit'].map(tells), [true, true, true, false, false])
})

const comment = (id: string, rootCommentId: string, more: Partial<Comment> = {}): Comment => ({
  ...{
    id,
    entityType: 'request',
    entityId: 'r',
    rootCommentId,
    parentCommentId: id === rootCommentId ? null : rootCommentId
  },
  ...{ depth: id === rootCommentId ? 1 : 2, body: `says ${id}`, bodyFormat: 'plaintext', encryptedPayload: null },
  ...{ author: { id: 'u', name: 'Kim' }, createdAt: '', updatedAt: '', tombstoned: false },
  ...more
})

test('comments stand with the one that began their thread, and one whose beginning is not there is left out', () => {
  const threads = threadsOf([
    comment('b', 'a'),
    comment('a', 'a'),
    comment('c', 'c'),
    comment('d', 'a'),
    comment('e', 'x')
  ])
  assert.equal(
    threads.map(({ root, answers }) => [root.id, ...answers.map(({ id }) => id)]),
    [['a', 'b', 'd'], ['c']]
  )
})

test('a comment that nobody can read here says why', () => {
  assert.equal(wordsOf(comment('a', 'a')), { text: 'says a', isOwn: true })
  assert.equal(wordsOf(comment('a', 'a', { tombstoned: true, body: null })), { text: 'Taken back.', isOwn: false })
  const encrypted = wordsOf(comment('a', 'a', { body: null, bodyFormat: 'encrypted' }))
  assert.equal(encrypted, { text: 'Encrypted: only enrolled devices can read it.', isOwn: false })
})

test.run()
