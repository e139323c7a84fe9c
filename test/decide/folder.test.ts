import * as assert from 'uvu/assert'
import { emitCollection } from '../../commands/records/collection/events.js'
import type { FolderCommand } from '../../commands/records/folder/decide.js'
import { emitFolder } from '../../commands/records/folder/events.js'
import { suite } from '../support/suite.js'
import { atFirst, given } from './given.js'
import { collection, folder } from './made.js'
import { bob, nil, only, ops } from './people.js'

const test = suite('deciding on folders')

const create = (parentFolderId: string | null = null): FolderCommand => ({
  type: 'CreateFolder',
  id: 'f',
  collectionId: 'c',
  parentFolderId,
  name: 'f'
})
const rename = (name: string, marker?: string | null): FolderCommand => ({
  type: 'UpdateFolder',
  id: 'f',
  name,
  marker
})
const remove: FolderCommand = { type: 'DeleteFolder', id: 'f' }
const move = (id: string, parentFolderId: string | null, index?: number): FolderCommand => ({
  type: 'MoveFolder',
  id,
  parentFolderId,
  index
})
const reorder = (orderedFolderIds: readonly string[], parentFolderId?: string | null): FolderCommand => ({
  type: 'ReorderFolders',
  collectionId: 'c',
  parentFolderId,
  orderedFolderIds
})
const moved = (id: string, parentFolderId: string | null, sortOrder: number) =>
  emitFolder(id, 'FolderMoved', { collectionId: 'c', parentFolderId, sortOrder })
const reordered = (parentFolderId: string | null, ...folders: readonly (readonly [string, number])[]) =>
  emitCollection('c', 'FoldersReordered', {
    parentFolderId,
    folders: folders.map(([id, sortOrder]) => ({ id, sortOrder }))
  })

/** Three folders at the root, and `in` inside the first. */
const tree = given(
  collection('c'),
  folder('a', 'c', 1024),
  folder('b', 'c', 2048),
  folder('z', 'c', 3072),
  folder('in', 'c', 1024, 'a')
)

const there = given(collection('c'))

test('a folder goes behind its siblings', async () => {
  await there.when(create()).then(folder('f', 'c', 1024))
  await tree.when(create()).then(folder('f', 'c', 3072 + 1024))
  await tree.when(create('a')).then(folder('f', 'c', 2048, 'a'))
  await tree.when(create('b')).then(folder('f', 'c', 1024, 'b'))
})

const deleted = (id: string, folders: string[] = []) =>
  emitFolder(id, 'FolderDeleted', { collectionId: 'c', name: id, folders, requests: [], documents: [] })

test('everyone with access to the collection makes, changes, moves and deletes folders', async () => {
  for (const caller of [bob, only('c')]) {
    const past = given(collection('c'), folder('f', 'c'), folder('g', 'c', 2048))
    await past.when({ ...create(), id: 'n' } as FolderCommand, { by: caller }).events(() => {})
    await past
      .when(rename('new'), { by: caller })
      .then(emitFolder('f', 'FolderUpdated', { collectionId: 'c', name: 'new', marker: null }))
    await past.when(move('f', 'g'), { by: caller }).then(moved('f', 'g', 1024))
    await past.when(reorder(['g', 'f']), { by: caller }).then(reordered(null, ['g', 1024], ['f', 2048]))
    await past.when(remove, { by: caller }).then(deleted('f'))
  }
})

test('nobody else does', async () => {
  const past = given(collection('c'), folder('f', 'c'))
  for (const caller of [nil, only('x'), ops]) {
    for (const command of [create(), rename('new'), move('f', null, 0), reorder(['f']), remove]) {
      await past.when(command, { by: caller }).refused('Forbidden', 403)
    }
  }
})

test('what is not there is not found', async () => {
  await atFirst.when(create()).refused('Collection not found', 404)
  await atFirst.when(reorder([])).refused('Collection not found', 404)
  for (const command of [rename('x'), move('f', null), remove])
    await there.when(command).refused('Folder not found', 404)
  await tree.when(reorder(['a', 'none'])).refused('Folder not found', 404)
})

test('a parent must be a folder of the same collection', async () => {
  const past = tree.and(collection('d'), folder('other', 'd'))
  const message = 'Parent folder not found in collection'
  for (const parent of ['none', 'other']) {
    await past.when(create(parent)).refused(message, 404)
    await past.when(move('a', parent)).refused(message, 404)
    await past.when(reorder(['a'], parent)).refused(message, 404)
  }
  await past.when(reorder(['other'])).refused('Folder not found', 404)
})

test('a name or marker that does not change is no event, and a marker that is left out stays', async () => {
  const past = given(
    collection('c'),
    folder('f', 'c'),
    emitFolder('f', 'FolderUpdated', { collectionId: 'c', name: 'f', marker: 'red' })
  )
  await past.when(rename('f')).nothing()
  await past.when(rename('g')).then(emitFolder('f', 'FolderUpdated', { collectionId: 'c', name: 'g', marker: 'red' }))
  await past
    .when(rename('f', null))
    .then(emitFolder('f', 'FolderUpdated', { collectionId: 'c', name: 'f', marker: null }))
})

test('a folder is deleted with all folders inside it, the innermost first', () =>
  tree
    .and(folder('f', 'c', 2048, 'a'), folder('deep', 'c', 1024, 'f'), folder('deeper', 'c', 1024, 'deep'))
    .when({ ...remove, id: 'a' } as FolderCommand)
    .then(...['deeper', 'deep', 'f', 'in'].map((id) => deleted(id)), deleted('a', ['in', 'f', 'deep', 'deeper'])))

test('a folder moves to a place among its siblings', async () => {
  await tree.when(move('z', null, 0)).then(moved('z', null, 512))
  await tree.when(move('a', null, 1)).then(moved('a', null, 2560))
  await tree.when(move('a', null, 2)).then(moved('a', null, 4096))
  await tree.when(move('a', null, 99)).then(moved('a', null, 4096))
})

test('a folder moves into another one, to the end unless a place is named', async () => {
  await tree.when(move('b', 'a')).then(moved('b', 'a', 2048))
  await tree.when(move('b', 'a', 0)).then(moved('b', 'a', 512))
  await tree.when(move('in', null)).then(moved('in', null, 4096))
})

test('a folder that moves to where it is, and names no place, goes to the end', async () => {
  await tree.when(move('b', null)).then(moved('b', null, 4096))
})

test('a folder that moves to where it is stays there', async () => {
  for (const command of [
    move('b', null, 1),
    move('z', null, 2),
    move('z', null),
    move('z', null, 9),
    move('in', 'a', 5)
  ]) {
    await tree.when(command).nothing()
  }
})

test('where there is no room the siblings are spaced anew first', () =>
  given(collection('c'), folder('a', 'c', 1), folder('b', 'c', 2), folder('z', 'c', 3))
    .when(move('z', null, 1))
    .then(reordered(null, ['a', 1024], ['b', 3072]), moved('z', null, 2048)))

test('a folder does not move into itself or into what is inside it', async () => {
  const message = 'Cannot move a folder under itself or a descendant.'
  const past = tree.and(folder('deep', 'c', 1024, 'in'))
  for (const parent of ['a', 'in', 'deep']) {
    await past.when(move('a', parent)).refused(message, 400)
    await past.when(reorder(['a'], parent)).refused(message, 400)
  }
})

test('folders that an older hub has left in each other are deleted, moved and put in order like others', async () => {
  const past = given(
    collection('c'),
    folder('f', 'c'),
    folder('g', 'c'),
    folder('h', 'c'),
    moved('f', 'g', 1),
    moved('g', 'f', 1)
  )
  await past.when(remove).events((events) =>
    assert.equal(
      events.map(({ stream }) => stream),
      ['folder-g', 'folder-f']
    )
  )
  await past.when(move('f', 'g', 5)).refused('Cannot move a folder under itself or a descendant.', 400)
  await past.when(move('f', null)).then(moved('f', null, 2048))
  await past.when(reorder(['h'], 'g')).then(reordered('g', ['f', 2048]), moved('h', 'g', 1024))
})

test('a new order takes the places that the folders have, and tells only what changes', async () => {
  await tree.when(reorder(['z', 'b', 'a'])).then(reordered(null, ['z', 1024], ['a', 3072]))
  await tree.when(reorder(['a', 'b', 'z'])).nothing()
  await tree.when(reorder([])).nothing()
})

test('folders that a new order leaves out follow in the order that they have', () =>
  tree.when(reorder(['z'])).then(reordered(null, ['z', 1024], ['a', 2048], ['b', 3072])))

test('a new order without a parent leaves every folder below the parent that it has', () =>
  tree
    .and(folder('in2', 'c', 2048, 'a'))
    .when(reorder(['in2', 'b', 'in', 'a']))
    .then(reordered('a', ['in2', 1024], ['in', 2048]), reordered(null, ['b', 1024], ['a', 2048])))

test('a new order with a parent takes in folders from elsewhere', () =>
  tree.when(reorder(['b', 'in'], 'a')).then(reordered('a', ['in', 2048]), moved('b', 'a', 1024)))

test('an order that names a folder twice is refused', () =>
  tree.when(reorder(['a', 'a'])).refused('orderedFolderIds must not name a folder twice.', 400))

test.run()
