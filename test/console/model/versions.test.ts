import * as assert from 'uvu/assert'
import {
  chosenVersions,
  chosenWith,
  isPutBack,
  mergedVersions,
  type Version,
  versionAt,
  whatHappened
} from '../../../clients/console/src/model/versions.js'
import { suite } from '../../support/suite.js'

const test = suite('versions in words')

const version = (number: number, more: Partial<Version> = {}): Version => ({
  version: number,
  position: number * 10,
  at: new Date(number * 1000).toISOString(),
  type: 'RequestUpdated',
  by: { id: 'u', name: 'Mara' },
  changed: [],
  isDeleted: false,
  isErased: false,
  causation: null,
  ...more
})
const told = (more: Partial<Version>, known: readonly Version[] = []) =>
  whatHappened('request', version(9, more), known)

test('what happened is told as people would', () => {
  assert.is(told({ type: 'RequestCreated' }), 'created it')
  assert.is(told({ type: 'RequestRestored' }), 'brought it back')
  assert.is(told({ type: 'RequestDeleted' }), 'deleted it')
  assert.is(told({ type: 'FolderDeleted' }), 'deleted it with its folder')
  assert.is(told({ type: 'CollectionDeleted' }), 'deleted it with its collection')
  assert.is(told({ type: 'RequestMoved', changed: ['sortOrder'] }), 'changed its place')
  assert.is(told({ type: 'RequestMoved', changed: ['folderId', 'sortOrder'] }), 'moved it to another folder')
  assert.is(told({ isErased: true }), 'did something that is erased since')
  assert.is(told({ type: 'SomethingElseHappened' }), 'something else happened')
})

test('a change names its fields, and of many the first', () => {
  assert.is(told({ changed: ['name', 'updatedAt'] }), 'renamed it')
  assert.is(told({ changed: ['url', 'body', 'updatedAt', 'updatedByUserId'] }), 'changed URL and body')
  assert.is(told({ changed: ['url', 'headers', 'body', 'auth'] }), 'changed URL, headers, body, and authorization')
  const many = ['url', 'headers', 'body', 'auth', 'comment']
  assert.is(told({ changed: many }), 'changed URL, headers, body, and 2 more')
  assert.is(told({ changed: ['folderId', 'updatedAt'] }), 'moved it to another folder')
  assert.is(told({ changed: ['updatedAt'] }), 'saved it as it was')
})

test('a restore names the version that it repeats, where that is known', () => {
  const changed = ['body']
  assert.is(told({ changed, causation: 30 }, [version(4), version(3)]), 'restored version 3')
  assert.is(told({ changed, causation: 30 }), 'put back what it was before')
})

test('the version of a moment is the newest that had come by then', () => {
  const all = [version(3), version(2), version(1)]
  assert.is(versionAt(all, '25')?.version, 2)
  assert.is(versionAt(all, '20')?.version, 2)
  assert.is(versionAt(all, new Date(2500).toISOString())?.version, 2)
  assert.is(versionAt(all, '5'), undefined)
})

test('two versions are chosen at most, and the first of three makes room', () => {
  assert.equal(chosenVersions('3,5'), [3, 5])
  assert.equal(chosenVersions('3,x,-1,5,3,7'), [5, 7])
  assert.equal(chosenVersions(null), [])
  assert.equal(chosenWith([3, 5], 7), [5, 7])
  assert.equal(chosenWith([3, 5], 3), [5])
})

test('what is new stands above what was known, without a gap', () => {
  const numbers = (versions: readonly Version[]) => versions.map((one) => one.version)
  assert.equal(numbers(mergedVersions([version(4), version(3)], [version(3), version(2)])), [4, 3, 2])
  assert.equal(numbers(mergedVersions([version(9), version(8)], [version(3), version(2)])), [9, 8])
  assert.equal(numbers(mergedVersions([version(1)], [])), [1])
})

test('a restore puts back what people have written, and neither place nor lock', () => {
  const fields = ['/name', '/headers/1/value', '/sortOrder', '/deletionLocked', '/updatedAt', '/collectionId']
  const kept = (kind: 'request' | 'folder' | 'snippet') => fields.filter((path) => isPutBack(kind, path))
  assert.equal(kept('request'), ['/name', '/headers/1/value'])
  assert.equal(kept('folder'), ['/name'])
  assert.equal(kept('snippet'), ['/name', '/headers/1/value', '/sortOrder'])
})

test.run()
