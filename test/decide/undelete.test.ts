import { emitUser } from '../../commands/people/user/events.js'
import { emitEnvironment } from '../../commands/records/environment/events.js'
import type { Restorable } from '../../commands/records/kinds.js'
import { emitRequest } from '../../commands/records/request/events.js'
import type { UndeleteCommand } from '../../commands/records/undelete/decide.js'
import type { NewEvent } from '../../src/log/event.js'
import { suite } from '../support/suite.js'
import { atFirst, given } from './given.js'
import { collection, collectionDeleted, content, document, folder, request } from './made.js'
import { ada, anAccount, bob, ops } from './people.js'

const test = suite('deciding on deleted records that come back')

const then = '2024-01-02T03:04:05.000Z'
const origin = { createdAt: then, updatedAt: then, createdBy: 'ada', updatedBy: null }
/** As Ada's account is there in none of these pasts unless they say so. */
const nobodys = { ...origin, createdBy: null }
type Of<T extends Restorable['type']> = Extract<Restorable, { type: T }>

const aRequest = (folderId: string | null, sortOrder: number, id = 'r'): Of<'RequestRestored'> => ({
  type: 'RequestRestored',
  id,
  stream: `request-${id}`,
  follows: 2,
  data: { collectionId: 'c', folderId, sortOrder, content: content(id), origin, deletionPositions: [9] }
})
const aFolder = (sortOrder: number): Of<'FolderRestored'> => ({
  type: 'FolderRestored',
  id: 'f',
  stream: 'folder-f',
  follows: 2,
  data: { collectionId: 'c', parentFolderId: null, sortOrder, name: 'f', marker: null, origin, deletionPositions: [9] }
})
const anEnvironment = (parentUuid: string | null): Of<'EnvironmentRestored'> => ({
  type: 'EnvironmentRestored',
  id: 'e',
  stream: 'environment-e',
  follows: 2,
  data: {
    content: { name: 'E', variables: [], marker: null, parentUuid },
    deletionLocked: true,
    origin,
    deletionPositions: [9]
  }
})
const aCollection: Of<'CollectionRestored'> = {
  type: 'CollectionRestored',
  id: 'c',
  stream: 'collection-c',
  follows: 2,
  data: {
    content: {
      ...{ name: 'c', variables: [], headers: [], auth: content('').auth, marker: null },
      ...{ preRequestScript: '', postRequestScript: '' }
    },
    deletionLocked: false,
    origin,
    deletionPositions: [9]
  }
}

const restore = (...records: readonly Restorable[]): UndeleteCommand => ({ type: 'RestoreRecords', records })
/** The event of a record that comes back, with what is no longer as it was. */
const restored = ({ type, stream, follows, data }: Restorable, changes: object = {}): NewEvent => {
  return { stream, type, data: { ...data, origin: nobodys, ...changes }, follows }
}
const admin = { by: ops }
const there = given(collection('c'))

test('a record comes back to its old place in its collection, its stream going on', () =>
  there.when(restore(aRequest(null, 7)), admin).then(restored(aRequest(null, 7))))

test('a collection comes back with its folders and what was in them', () =>
  atFirst
    .when(restore(aCollection, aFolder(5), aRequest('f', 7)), admin)
    .then(restored(aCollection), restored(aFolder(5)), restored(aRequest('f', 7))))

test('users bring nothing back where no deletion of their own is named', () =>
  atFirst.when(restore(aCollection), { by: ada }).refused('Forbidden', 403))

test('a user undoes a deletion of their own, once, and as long as they may see what comes back', async () => {
  const deleted = emitRequest('r', 'RequestDeleted', { name: 'r', collectionId: 'c' })
  const past = given(collection('c'), request('r', 'c'), deleted)
  const back = aRequest(null, 7)
  const undo: UndeleteCommand = { ...restore(back), deletion: { kind: 'request', position: 3 } }
  await past.when(undo).then(restored(back))
  const notThere = ['Request not found', 404] as const
  for (const other of [
    bob,
    ...[{ collectionAccess: [] }, { collectionAccess: ['d'] }, { viewed: ['c'] }].map((less) => ({ ...ada, ...less }))
  ])
    await past.when(undo, { by: other }).refused(...notThere)
  const elsewhere = { ...back, data: { ...back.data, collectionId: 'd' } }
  await past.when({ ...undo, records: [elsewhere] }, { by: { ...ada, collectionAccess: ['c'] } }).refused(...notThere)
  const undone = emitRequest('r', 'RequestRestored', { ...back.data, deletionPositions: [3] })
  await past
    .and(undone)
    .when(undo)
    .refused(...notThere)
  await there.when(undo).refused(...notThere)
})

test('records that are here stay as they are, so it can be repeated', async () => {
  const past = given(collection('c'), request('r', 'c'))
  await past.when(restore(aRequest(null, 7)), admin).nothing()
  await past.when(restore(aRequest(null, 7), aRequest(null, 8, 's')), admin).then(restored(aRequest(null, 8, 's')))
})

test('without its collection nothing comes back', async () => {
  const message = 'The collection that this belonged to is deleted. Bring the collection back first.'
  for (const record of [aFolder(5), aRequest(null, 7)]) await atFirst.when(restore(record), admin).refused(message, 409)
})

test('a place that is taken, by a request or a document, becomes the end of the container', async () => {
  for (const sibling of [request('x', 'c', 2048), document('x', 'c', 2048)]) {
    const past = given(collection('c'), sibling)
    await past.when(restore(aRequest(null, 2048)), admin).then(restored(aRequest(null, 2048), { sortOrder: 3072 }))
    await past.when(restore(aRequest(null, 7)), admin).then(restored(aRequest(null, 7)))
  }
  await given(collection('c'), folder('x', 'c', 2048))
    .when(restore(aFolder(2048)), admin)
    .then(restored(aFolder(2048), { sortOrder: 3072 }))
})

test('of two that come back to one place that is free, the second goes to the end', () =>
  given(collection('c'), request('x', 'c', 1024))
    .when(restore(aRequest(null, 7), aRequest(null, 7, 's')), admin)
    .then(restored(aRequest(null, 7)), restored(aRequest(null, 7, 's'), { sortOrder: 2048 })))

test('several that come back to places that are taken go behind one another', () =>
  given(collection('c'), request('x', 'c', 1024))
    .when(restore(aRequest(null, 1024), aRequest(null, 1024, 's')), admin)
    .then(
      restored(aRequest(null, 1024), { sortOrder: 2048 }),
      restored(aRequest(null, 1024, 's'), { sortOrder: 3072 })
    ))

test('with exact places, and in containers that came back just before, a place that is taken is taken again', async () => {
  const past = given(collection('c'), request('x', 'c', 2048))
  const command = restore(aRequest(null, 2048))
  await past.when({ ...command, isExact: true }, admin).then(restored(aRequest(null, 2048)))
  await past.when({ ...command, emptied: new Set(['c']) }, admin).then(restored(aRequest(null, 2048)))
})

test('what was in a folder that is gone, or is now in another collection, comes back at the end of its collection', async () => {
  const atTheEnd = restored(aRequest('f', 7), { folderId: null, sortOrder: 2048 })
  await given(collection('c'), request('x', 'c', 1024))
    .when(restore(aRequest('f', 7)), admin)
    .then(atTheEnd)
  await given(collection('c'), request('x', 'c', 1024), collection('other'), folder('f', 'other'))
    .when(restore(aRequest('f', 7)), admin)
    .then(atTheEnd)
})

test('accounts that are there are told of as before, and others are left out', () =>
  given(emitUser('ada', 'UserCreated', anAccount('Ada')))
    .when(restore(aCollection), admin)
    .then(restored(aCollection, { origin })))

test('an environment comes back below one that comes back with it, and of two that were below each other one below none', async () => {
  const named = (id: string, parentUuid: string | null) => ({
    ...anEnvironment(parentUuid),
    ...{ id, stream: `environment-${id}` }
  })
  const [child, parent] = [named('child', 'parent'), named('parent', null)]
  await atFirst.when(restore(child, parent), admin).then(restored(child), restored(parent))
  const other = named('parent', 'child')
  await atFirst
    .when(restore(child, other), admin)
    .then(restored(child, { content: anEnvironment(null).data.content }), restored(other))
})

test('an environment comes back locked as it was, and below its parent where that is there', async () => {
  const child = anEnvironment('parent')
  const parent = emitEnvironment('parent', 'EnvironmentCreated', anEnvironment(null).data.content)
  await given(parent).when(restore(child), admin).then(restored(child))
  await atFirst.when(restore(child), admin).then(restored(child, { content: anEnvironment(null).data.content }))
})

test('what came back and was deleted once more comes back once more', () =>
  given(collection('c'), collectionDeleted('c')).when(restore(aCollection), admin).then(restored(aCollection)))

test.run()
