import { emitUser } from '../../commands/people/user/events.js'
import { emitRequest } from '../../commands/records/request/events.js'
import { emitRunResult } from '../../commands/records/runResult/events.js'
import type { CommentCommand } from '../../commands/talk/comment/decide.js'
import { type Discussed, type DiscussedKind, emitComment } from '../../commands/talk/comment/events.js'
import type { SentComment } from '../../commands/talk/comment/said.js'
import { emitDevice } from '../../commands/talk/device/events.js'
import { suite } from '../support/suite.js'
import { by, given } from './given.js'
import { collection, content, folder, request } from './made.js'
import { ada, anAccount, bob, nil, only, ops } from './people.js'

const test = suite('deciding on comments')

const target = { kind: 'request' as const, id: 'r' }
const said = (text: string): SentComment => ({ body: text })
const write = (sent: SentComment = said('Why?'), kind: DiscussedKind = 'request', id = 'r'): CommentCommand => ({
  type: 'WriteComment',
  id: 'x',
  target: { kind, id },
  sent
})
const reply = (commentId: string, sent: SentComment = said('So')): CommentCommand => ({
  type: 'ReplyToComment',
  id: 'x',
  commentId,
  sent
})
const edit = (sent: SentComment = said('New')): CommentCommand => ({ type: 'EditComment', id: 'a', sent })
const retract: CommentCommand = { type: 'RetractComment', id: 'a' }
const resolve = (id = 'a'): CommentCommand => ({ type: 'ResolveThread', id })
const reopen = (id = 'a'): CommentCommand => ({ type: 'ReopenThread', id })

const comment = (id: string, parentId: string | null = null, depth = 1, text = 'Why?', rootId = 'a') =>
  emitComment(id, 'CommentWritten', { target, collectionId: 'c', parentId, rootId, depth, text, mentions: [] })
const edited = (text: string) => emitComment('a', 'CommentEdited', { target, collectionId: 'c', text })
const retracted = (id = 'a') => emitComment(id, 'CommentRetracted', { target, collectionId: 'c' })

const things = given(collection('c'), folder('f', 'c'), request('r', 'c'))
const removed = emitRequest('r', 'RequestDeleted', { name: 'r', collectionId: 'c' })
const past = things.and(comment('a'))
const chain = things.and(comment('a'), comment('b', 'a', 2), comment('d', 'b', 3))

test('whoever may see a thing writes a comment on it, which begins a thread', async () => {
  const place = { parentId: null, rootId: 'x', depth: 1, text: 'Why?', mentions: [] }
  for (const [kind, id] of [
    ['request', 'r'],
    ['folder', 'f'],
    ['collection', 'c']
  ] as const) {
    const made = emitComment('x', 'CommentWritten', { target: { kind, id }, collectionId: 'c', ...place })
    await things.when(write(said('Why?'), kind, id), { by: only('c') }).then(made)
  }
})

test('a run result is discussed by every user, and stands in no collection', async () => {
  const shared = emitRunResult('x', 'RunResultShared', {
    ...{ kind: 'request-run-results', label: 'Nightly', collectionName: null, requestName: null },
    summary: { passed: 1, failed: 0, skipped: 0 },
    payload: {}
  })
  const made = emitComment('x', 'CommentWritten', {
    ...{ target: { kind: 'runResult', id: 'x' }, collectionId: null },
    ...{ parentId: null, rootId: 'x', depth: 1, text: 'Why?', mentions: [] }
  })
  const asked = write(said('Why?'), 'runResult', 'x')
  await given(shared).when(asked, { by: nil }).then(made)
  await given(shared).when(asked, { by: ops }).refused('Forbidden', 403)
})

test('what is not there is looked for before the access: 404, then 403', async () => {
  await things.when(write(said('Why?'), 'request', 'nowhere'), { by: nil }).refused('Target entity not found', 404)
  await things.when(write(said('Why?'), 'folder', 'r')).refused('Target entity not found', 404)
  for (const caller of [nil, only('d'), ops]) {
    await things.when(write(said('')), { by: caller }).refused('Forbidden', 403)
    await past.when(reply('a'), { by: caller }).refused('Forbidden', 403)
    await past.when(edit(), { by: caller }).refused('Forbidden', 403)
  }
  await past.when(retract, { by: nil }).refused('Forbidden', 403)
  for (const command of [reply('nowhere'), { ...edit(), id: 'nowhere' }, { ...retract, id: 'nowhere' }])
    await past.when(command).refused('Discussion comment not found', 404)
})

test('a comment has a text, which loses the blanks around it', async () => {
  await things.when(write(said(' \n Why? '))).then(comment('x', null, 1, 'Why?', 'x'))
  for (const empty of [{}, said(''), said(' \n\t')]) {
    await things.when(write(empty)).refused('Comment body is required', 400)
    await past.when(reply('a', empty)).refused('Comment body is required', 400)
    await past.when(edit(empty)).refused('Comment body is required', 400)
  }
})

test('what is encrypted is refused, with a text beside it too', async () => {
  const why = 'Encrypted discussion payloads are only accepted on E2EE-enabled Team Hubs'
  for (const sent of [{ encryptedPayload: {} }, { body: 'Why?', encryptedPayload: { epoch: 1 } }]) {
    await things.when(write(sent)).refused(why, 400)
    await past.when(reply('a', sent)).refused(why, 400)
    await past.when(edit(sent)).refused(why, 400)
  }
  await things.when(write({ body: 'Why?', encryptedPayload: null })).then(comment('x', null, 1, 'Why?', 'x'))
})

test('where discussions are encrypted, a comment is what an active device of its author has encrypted for the group', async () => {
  const deviceId = '0b6e7a3c-1f6f-4a53-9d0e-3f2b8b1c9d10'
  const encrypted = {
    ...{ ciphertext: 'C', mlsGroupId: 'thread:request:r', epoch: 0, senderDeviceId: deviceId },
    keyFormat: 'mls-v1' as const
  }
  const on = (command: CommentCommand) => ({ ...command, isEncrypted: true })
  const sent = { encryptedPayload: { ...encrypted, more: 1 } }
  const device = emitDevice('d', 'DeviceEnrolled', {
    ...{ userId: 'ada', deviceId, label: 'Laptop', publicKey: 'key', keyFormat: 'identity-v1', fingerprint: 'ab' },
    replaces: null
  })
  const place = { target, collectionId: 'c', parentId: null, rootId: 'x', depth: 1 }
  const made = emitComment('x', 'CommentWritten', { ...place, text: '', encrypted, mentions: [] })
  await things
    .and(device)
    .when(on(write(sent)))
    .then(made)
  const plain = things.and(device, comment('a'))
  await plain.when(on(edit(sent))).then(emitComment('a', 'CommentEdited', { ...pick(place), text: '', encrypted }))
  const why = 'Plaintext discussion bodies are not accepted on this Team Hub. Encrypted payloads are required.'
  for (const other of [{}, said('Why?'), { ...sent, body: 'Why?' }]) {
    await plain.when(on(write(other))).refused(why, 400)
    await plain.when(on(reply('a', other))).refused(why, 400)
    await plain.when(on(edit(other))).refused(why, 400)
  }
  const elsewhere = { encryptedPayload: { ...encrypted, mlsGroupId: 'thread:folder:f' } }
  await plain.when(on(write(elsewhere))).refused('MLS group id must be that of what is discussed.', 400)
  const none = 'Sender device is not enrolled on this Team Hub'
  await things
    .and(device)
    .when(on(write(sent)), { by: bob })
    .refused(none, 403)
  await plain.when(on(edit(sent)), { by: bob }).refused('You can only edit your own comments', 403)
  await things
    .and(device, emitDevice('d', 'DeviceRevoked', {}))
    .when(on(write(sent)))
    .refused(none, 403)
  const again = things.and(
    device,
    emitComment('a', 'CommentWritten', { ...place, rootId: 'a', text: '', encrypted, mentions: [] })
  )
  await again.when(on(edit(sent))).nothing()
})

const pick = ({ target, collectionId }: { readonly target: Discussed; readonly collectionId: string }) => ({
  target,
  collectionId
})

test('an answer stands below what it answers, and below the third level beside it', async () => {
  await chain.when(reply('a')).then(comment('x', 'a', 2, 'So'))
  await chain.when(reply('b')).then(comment('x', 'b', 3, 'So'))
  await chain.when(reply('d')).then(comment('x', 'b', 3, 'So'))
})

test('what is retracted is answered no more; what stands below it is', async () => {
  const broken = things.and(comment('a'), comment('b', 'a', 2), comment('d', 'b', 3), retracted('b'))
  await broken.when(reply('b')).refused('Cannot reply to a deleted comment', 400)
  await broken.when(reply('d')).then(comment('x', 'b', 3, 'So'))
})

test('the author alone edits a comment', async () => {
  await past.when(edit()).then(edited('New'))
  await past.when(edit(), { by: bob }).refused('You can only edit your own comments', 403)
  await past.when(edit(said('')), { by: bob }).refused('Comment body is required', 400)
})

test('an edit that changes nothing leaves no event', () => past.when(edit(said(' Why? '))).nothing())

test('the author or an administrator retracts a comment, once', async () => {
  await past.when(retract).then(retracted())
  await past.when(retract, { by: ops }).then(retracted())
  await past.when(retract, { by: bob }).refused('Forbidden', 403)
  const gone = things.and(comment('a'), retracted())
  await gone.when(retract).nothing()
  await gone.when(retract, { by: ops }).nothing()
  await gone.when(retract, { by: bob }).refused('Forbidden', 403)
  await gone.when(edit()).refused('Discussion comment not found', 404)
})

const resolved = emitComment('a', 'ThreadResolved', { target, collectionId: 'c' })
const reopened = emitComment('a', 'ThreadReopened', { target, collectionId: 'c' })

test('whoever may comment resolves a thread and reopens it, once each, whoever has begun it', async () => {
  const done = things.and(comment('a'), resolved)
  for (const caller of [ada, bob, only('c')]) {
    await past.when(resolve(), { by: caller }).then(resolved)
    await done.when(reopen(), { by: caller }).then(reopened)
  }
  await done.when(resolve(), { by: bob }).nothing()
  await past.when(reopen()).nothing()
  await things.and(comment('a'), resolved, reopened).when(resolve()).then(resolved)
})

test('nobody resolves a thread who may not comment there, nor what is no thread', async () => {
  for (const command of [resolve, reopen]) {
    for (const caller of [nil, only('d'), ops]) await past.when(command(), { by: caller }).refused('Forbidden', 403)
    for (const id of ['nowhere', 'b', 'd']) await chain.when(command(id)).refused('Discussion thread not found', 404)
    await things.and(comment('a'), removed).when(command()).refused('Discussion thread not found', 404)
  }
})

test('a thread whose first comment is retracted is resolved too, and answers leave it resolved', async () => {
  await things
    .and(comment('a'), comment('b', 'a', 2), retracted())
    .when(resolve())
    .then(resolved)
  const answered = things.and(comment('a'), resolved, comment('b', 'a', 2))
  await answered.when(resolve()).nothing()
  await answered.when(reply('a')).then(comment('x', 'a', 2, 'So'))
})

test('comments of what is deleted are not there, and are again when it is', async () => {
  const gone = things.and(comment('a'), removed)
  await gone.when(write()).refused('Target entity not found', 404)
  for (const command of [reply('a'), edit(), retract])
    await gone.when(command).refused('Discussion comment not found', 404)
  await gone.when(retract, { by: ops }).refused('Discussion comment not found', 404)
  const restored = emitRequest('r', 'RequestRestored', {
    ...{ collectionId: 'c', folderId: null, sortOrder: 1024, content: content('r') },
    origin: {
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
      createdBy: null,
      updatedBy: null
    },
    deletionPositions: [6]
  })
  await things.and(comment('a'), removed, restored).when(edit()).then(edited('New'))
})

test('a comment goes with its request to another collection, and so does who may see it', async () => {
  const moved = emitRequest('r', 'RequestUpdated', {
    ...{ collectionId: 'd', folderId: null, sortOrder: 1024, previousCollectionId: 'c' },
    content: content('r')
  })
  const elsewhere = things.and(collection('d'), comment('a'), moved)
  const place = { target, collectionId: 'd', parentId: 'a', rootId: 'a', depth: 2, text: 'So', mentions: [] }
  await elsewhere.when(reply('a'), { by: only('d') }).then(emitComment('x', 'CommentWritten', place))
  await elsewhere.when(reply('a'), { by: only('c') }).refused('Forbidden', 403)
})

test('nobody edits what an account that is gone has written, and administrators alone retract it', async () => {
  const people = [emitUser('ada', 'UserCreated', anAccount('Ada')), emitUser('ada', 'UserDeleted', {})] as const
  const orphaned = given(people[0], collection('c'), request('r', 'c'), by(ada, comment('a')), people[1])
  await orphaned.when(edit()).refused('You can only edit your own comments', 403)
  await orphaned.when(retract).refused('Forbidden', 403)
  await orphaned.when(retract, { by: ops }).then(retracted())
})

test.run()
