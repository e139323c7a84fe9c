import type { ErasureCommand } from '../../commands/log/erasure/decide.js'
import { emitErasure } from '../../commands/log/erasure/events.js'
import { emitUser } from '../../commands/people/user/events.js'
import { emitRunResult } from '../../commands/records/runResult/events.js'
import { emitComment } from '../../commands/talk/comment/events.js'
import { suite } from '../support/suite.js'
import { atFirst, given } from './given.js'
import { collection, collectionDeleted } from './made.js'
import { ada, anAccount, nil, ops } from './people.js'

const test = suite('deciding on erasures')

const payloads = (kind: string, id: string) => ({ kind, id, positions: [1, 2] })
const erasePayloads = (kind: string, id: string): ErasureCommand => ({
  type: 'ErasePayloads',
  id: 'e',
  data: payloads(kind, id)
})
const names = { actorId: 'eve', afterPosition: 0, throughPosition: 9 }
const value = { kind: 'collection', id: 'c', position: 1, path: '/name', remainingHash: 'hash' }
const eraseNames: ErasureCommand = { type: 'EraseNames', id: 'e', data: names }
const eraseValue: ErasureCommand = { type: 'EraseValue', id: 'e', data: value }
const admin = { by: ops }

test('an administrator erases what happened to a record that is deleted', () =>
  given(collection('c'), collectionDeleted('c'))
    .when(erasePayloads('collection', 'c'), admin)
    .then(emitErasure('e', 'PayloadsErased', payloads('collection', 'c'))))

test('what happened to a record or an account that is there is not erased: the read tables are made of it', async () => {
  const past = given(collection('c'), emitUser('eve', 'UserCreated', anAccount('Eve')))
  const message = 'Only what is deleted can be erased. Delete it first.'
  await past.when(erasePayloads('collection', 'c'), admin).refused(message, 409)
  await past.when(erasePayloads('user', 'eve'), admin).refused(message, 409)
})

test('a run result is erased once it is deleted', async () => {
  const shared = emitRunResult('x', 'RunResultShared', {
    ...{ kind: 'request-run-results', label: 'Nightly', collectionName: null, requestName: null },
    ...{ summary: { passed: 1, failed: 0, skipped: 0 }, payload: {} }
  })
  const erased = emitErasure('e', 'PayloadsErased', payloads('runresult', 'x'))
  const erase = erasePayloads('runresult', 'x')
  await given(shared).when(erase, admin).refused('Only what is deleted can be erased. Delete it first.', 409)
  await given(shared, emitRunResult('x', 'RunResultDeleted', {}))
    .when(erase, admin)
    .then(erased)
})

test('a comment is erased once what it is about is deleted, and is nowhere then', async () => {
  const deleted = collectionDeleted('c')
  const comment = emitComment('m', 'CommentWritten', {
    ...{ target: { kind: 'collection' as const, id: 'c' }, collectionId: 'c' },
    ...{ parentId: null, rootId: 'm', depth: 1, text: 'Why?', mentions: [] }
  })
  const message = 'Only what is deleted can be erased. Delete it first.'
  const erased = emitErasure('e', 'PayloadsErased', payloads('comment', 'm'))
  await given(collection('c'), comment).when(erasePayloads('comment', 'm'), admin).refused(message, 409)
  await given(collection('c'), comment, deleted).when(erasePayloads('comment', 'm'), admin).then(erased)
  await given(collection('c'), comment, erased)
    .when({ type: 'RetractComment', id: 'm' })
    .refused('Discussion comment not found', 404)
})

test('names and single values are erased whether their owner is there or not', async () => {
  for (const past of [atFirst, given(collection('c'), emitUser('eve', 'UserCreated', anAccount('Eve')))]) {
    await past.when(eraseNames, admin).then(emitErasure('e', 'NamesErased', names))
    await past.when(eraseValue, admin).then(emitErasure('e', 'ValueErased', value))
  }
})

test('users erase nothing', async () => {
  for (const caller of [ada, nil]) {
    for (const command of [erasePayloads('collection', 'gone'), eraseNames, eraseValue])
      await atFirst.when(command, { by: caller }).refused('Forbidden', 403)
  }
})

test.run()
