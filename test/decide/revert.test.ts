import { systemCaller } from '../../commands/people/user/system.js'
import { emitDocument } from '../../commands/records/document/events.js'
import { emitEnvironment } from '../../commands/records/environment/events.js'
import { emitFolder } from '../../commands/records/folder/events.js'
import type { Restorable } from '../../commands/records/kinds.js'
import { emitRequest } from '../../commands/records/request/events.js'
import type { Revert, RevertCommand } from '../../commands/records/revert/decide.js'
import { emitSnippet } from '../../commands/records/snippet/events.js'
import { suite } from '../support/suite.js'
import { CHANGED, given } from './given.js'
import { collection, collectionDeleted, content, document, folder, prose, request } from './made.js'
import { ada, ops } from './people.js'

const test = suite('deciding on records that are put back to what they were')

const then = '2024-01-02T03:04:05.000Z'
const origin = { createdAt: then, updatedAt: then, createdBy: null, updatedBy: null }
const text = { name: 's', code: '', scope: 'any', sortOrder: 0 } as const
const variables = { name: 'e', variables: [], marker: null, parentUuid: null }
const held = { folders: [], requests: [], documents: [] }

const revert = (...reverts: readonly Revert[]): RevertCommand => ({ type: 'RevertRecords', reverts })
const gone = (kind: Revert['kind'], id: string, revision: number): Revert => ({ kind, id, revision, to: null })
const toRequest = (data: { collectionId?: string; folderId?: string | null } = {}): Restorable => ({
  type: 'RequestRestored',
  id: 'r',
  stream: 'request-r',
  follows: 1,
  data: {
    collectionId: 'c',
    folderId: null,
    sortOrder: 7,
    content: content('old'),
    origin,
    deletionPositions: [],
    ...data
  }
})
const toSnippet = (deletionLocked: boolean): Restorable => ({
  type: 'SnippetRestored',
  id: 's',
  stream: 'snippet-s',
  follows: 1,
  data: { content: { ...text, name: 'old' }, deletionLocked, origin, deletionPositions: [] }
})
const system = { by: systemCaller }

test('a record that was not there before is deleted, whatever kind it is of', async () => {
  const past = given(
    ...[collection('c'), folder('f', 'c'), request('r', 'c'), document('d', 'c', 2048)],
    emitEnvironment('e', 'EnvironmentCreated', variables),
    emitSnippet('s', 'SnippetCreated', text)
  )
  await past
    .when(
      revert(
        ...[gone('folder', 'f', 2), gone('request', 'r', 3), gone('document', 'd', 4)],
        ...[gone('environment', 'e', 5), gone('snippet', 's', 6)]
      ),
      system
    )
    .then(
      emitFolder('f', 'FolderDeleted', { collectionId: 'c', name: 'f', ...held }),
      emitRequest('r', 'RequestDeleted', { collectionId: 'c', name: 'r' }),
      emitDocument('d', 'DocumentDeleted', { collectionId: 'c', name: 'd' }),
      emitEnvironment('e', 'EnvironmentDeleted', { name: 'e' }),
      emitSnippet('s', 'SnippetDeleted', { name: 's' })
    )
})

for (const [what, inside] of [
  ['a request', request('r', 'c', 1024, 'f')],
  ['a document', document('d', 'c', 1024, 'f')],
  ['a folder', folder('g', 'c', 1024, 'f')]
] as const)
  test(`what holds ${what} is not taken away, since that is somebody's`, async () => {
    const past = given(collection('c'), folder('f', 'c'), inside)
    await past.when(revert(gone('folder', 'f', 2)), system).refused(CHANGED, 412)
    await past.when(revert(gone('collection', 'c', 1)), system).refused(CHANGED, 412)
  })

test('a collection in which nothing is is deleted', () =>
  given(collection('c'))
    .when(revert(gone('collection', 'c', 1)), system)
    .then(collectionDeleted('c')))

test('a record becomes what it was: its content and its place', () =>
  given(collection('c'), folder('f', 'c'), request('r', 'c', 1024, 'f'))
    .when(revert({ kind: 'request', id: 'r', revision: 3, to: toRequest() }), system)
    .then(
      emitRequest('r', 'RequestUpdated', { collectionId: 'c', folderId: null, sortOrder: 7, content: content('old') })
    ))

test('a document taken to another collection goes back, and the event tells which it leaves', () =>
  given(collection('c'), collection('other'), document('d', 'other'))
    .when(
      revert({
        ...{ kind: 'document', id: 'd', revision: 3 },
        to: {
          ...{ type: 'DocumentRestored', id: 'd', stream: 'document-d', follows: 1 },
          data: {
            collectionId: 'c',
            folderId: null,
            sortOrder: 7,
            content: prose('old'),
            origin,
            deletionPositions: []
          }
        }
      }),
      system
    )
    .then(
      emitDocument('d', 'DocumentUpdated', {
        ...{ collectionId: 'c', folderId: null, sortOrder: 7, content: prose('old') },
        previousCollectionId: 'other'
      })
    ))

test('a folder gets its name and its place back', () =>
  given(collection('c'), folder('f', 'c'))
    .when(
      revert({
        ...{ kind: 'folder', id: 'f', revision: 2 },
        to: {
          ...{ type: 'FolderRestored', id: 'f', stream: 'folder-f', follows: 1 },
          data: {
            ...{ collectionId: 'c', parentFolderId: null, sortOrder: 7, name: 'old', marker: 'red' },
            ...{ origin, deletionPositions: [] }
          }
        }
      }),
      system
    )
    .then(
      emitFolder('f', 'FolderUpdated', { collectionId: 'c', name: 'old', marker: 'red' }),
      emitFolder('f', 'FolderMoved', { collectionId: 'c', parentFolderId: null, sortOrder: 7 })
    ))

test('a lock is put back only where it was another', async () => {
  const past = given(emitSnippet('s', 'SnippetCreated', text))
  const updated = emitSnippet('s', 'SnippetUpdated', { ...text, name: 'old' })
  const to = (deletionLocked: boolean) =>
    revert({ kind: 'snippet', id: 's', revision: 1, to: toSnippet(deletionLocked) })
  await past.when(to(false), system).then(updated)
  await past.when(to(true), system).then(emitSnippet('s', 'SnippetDeletionLocked', {}), updated)
})

const below = (parentUuid: string) =>
  revert({
    ...{ kind: 'environment', id: 'e', revision: 1 },
    to: {
      ...{ type: 'EnvironmentRestored', id: 'e', stream: 'environment-e', follows: 1 },
      data: {
        content: { ...variables, name: 'old', parentUuid },
        ...{ deletionLocked: false, origin, deletionPositions: [] }
      }
    }
  })

test('an environment does not go below one that is below it by now, directly or through others', async () => {
  const past = given(
    emitEnvironment('e', 'EnvironmentCreated', variables),
    emitEnvironment('f', 'EnvironmentCreated', { ...variables, parentUuid: 'e' }),
    emitEnvironment('g', 'EnvironmentCreated', { ...variables, parentUuid: 'f' })
  )
  for (const parent of ['f', 'g'])
    await past
      .when(below(parent), system)
      .refused('An environment cannot be its own parent, directly or through others.', 400)
})

test('an environment whose parent is gone has none', () =>
  given(emitEnvironment('e', 'EnvironmentCreated', variables))
    .when(below('gone'), system)
    .then(emitEnvironment('e', 'EnvironmentUpdated', { ...variables, name: 'old' })))

test('when one has changed meanwhile, or is gone, none is put back', async () => {
  const past = given(collection('c'), folder('f', 'c'), request('r', 'c'))
  await past.when(revert(gone('folder', 'f', 2), gone('request', 'r', 2)), system).refused(CHANGED, 412)
  await past.when(revert(gone('folder', 'f', 2), gone('request', 'none', 3)), system).refused(CHANGED, 412)
})

test('nothing goes back to a place that is no more', async () => {
  const past = given(collection('c'), request('r', 'c'))
  await past
    .when(revert({ kind: 'request', id: 'r', revision: 2, to: toRequest({ collectionId: 'gone' }) }), system)
    .refused('The collection that this belonged to is deleted. Bring the collection back first.', 409)
  await past
    .when(revert({ kind: 'request', id: 'r', revision: 2, to: toRequest({ folderId: 'gone' }) }), system)
    .refused('Folder not found', 404)
})

test('administrators put records back, and users do not', async () => {
  const past = given(collection('c'), collection('other'))
  const deleted = collectionDeleted('c')
  await past.when(revert(gone('collection', 'c', 1)), { by: ops }).then(deleted)
  await past.when(revert(gone('collection', 'c', 1)), { by: ada }).refused('Forbidden', 403)
})

test.run()
