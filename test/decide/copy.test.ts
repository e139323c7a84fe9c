import { noAuth } from '../../commands/content.js'
import { emitCollection } from '../../commands/records/collection/events.js'
import { emitEnvironment } from '../../commands/records/environment/events.js'
import { emitFolder } from '../../commands/records/folder/events.js'
import { emitRequest } from '../../commands/records/request/events.js'
import { suite } from '../support/suite.js'
import { atFirst, given } from './given.js'
import { collection, content, folder, request } from './made.js'
import { ada, someone } from './people.js'

const test = suite('deciding on a copy')

const settings = {
  ...{ name: 'C (copy)', variables: [], headers: [], auth: noAuth, marker: null },
  ...{ preRequestScript: '', postRequestScript: '' }
}
const aFolder = {
  kind: 'folder',
  id: 'f2',
  parentId: null,
  sortOrder: 1024,
  content: { name: 'F', marker: null }
} as const
const aRequest = { kind: 'request', id: 'r2', parentId: 'f2', sortOrder: 1024, content: content('R') } as const
const ofCollection = { type: 'CopyCollection', id: 'c2', content: settings, members: [aFolder, aRequest] } as const
const ofFolder = {
  type: 'CopyFolder',
  ...{ id: 'f2', collectionId: 'c', parentFolderId: null },
  ...{ content: { name: 'F (copy)', marker: null }, members: [aRequest] }
} as const

test('a collection is made with all that it is to hold', () =>
  atFirst.when(ofCollection).then(
    emitCollection('c2', 'CollectionCreated', settings),
    emitFolder('f2', 'FolderCreated', {
      collectionId: 'c2',
      parentFolderId: null,
      sortOrder: 1024,
      ...aFolder.content
    }),
    emitRequest('r2', 'RequestCreated', {
      collectionId: 'c2',
      folderId: 'f2',
      sortOrder: 1024,
      content: content('R')
    })
  ))

test('a folder stands behind the last one, with what is in it', () =>
  given(collection('c'), folder('f', 'c'), request('r', 'c', 1024, 'f'))
    .when(ofFolder)
    .then(
      emitFolder('f2', 'FolderCreated', {
        collectionId: 'c',
        parentFolderId: null,
        sortOrder: 2048,
        name: 'F (copy)',
        marker: null
      }),
      emitRequest('r2', 'RequestCreated', { collectionId: 'c', folderId: 'f2', sortOrder: 1024, content: content('R') })
    ))

test('who may make no collection copies none, and who may not see one copies nothing in it', async () => {
  await atFirst.when(ofCollection, { by: someone({ collectionAccess: ['c'] }) }).refused('Forbidden', 403)
  await given(collection('c'))
    .when(ofFolder, { by: someone({ collectionAccess: [] }) })
    .refused('Forbidden', 403)
})

test('an environment is made with the values of another that the caller may see, below the same one', async () => {
  const variables = [{ key: 'token', value: 's3cret', defaultValue: '', share: false, enabled: true }]
  const there = { name: 'E', variables, marker: '#ff0000', parentUuid: 'e0' }
  const above = emitEnvironment('e0', 'EnvironmentCreated', {
    name: 'Base',
    variables: [],
    marker: null,
    parentUuid: null
  })
  const past = given(above, emitEnvironment('e1', 'EnvironmentCreated', there))
  const copy = { type: 'CopyEnvironment', id: 'e2', from: 'e1', name: 'E (copy)' } as const
  const made = emitEnvironment('e2', 'EnvironmentCreated', { ...there, name: 'E (copy)' })
  await past.when(copy, { by: ada }).then(made)
  await past.when(copy, { by: someone({ environmentAccess: ['e1'] }) }).refused('Forbidden', 403)
  await past.when({ ...copy, from: 'e9' }).refused('Environment not found', 404)
})

test.run()
