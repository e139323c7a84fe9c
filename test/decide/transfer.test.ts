import { emitDocument } from '../../commands/records/document/events.js'
import { emitFolder } from '../../commands/records/folder/events.js'
import { emitRequest } from '../../commands/records/request/events.js'
import { LIMITS } from '../../src/limits.js'
import { suite } from '../support/suite.js'
import { CHANGED, given } from './given.js'
import { collection, content, document, folder, prose, request } from './made.js'
import { someone } from './people.js'

const test = suite('deciding on a folder that goes to another collection')

const transfer = {
  type: 'TransferFolder',
  ...{ id: 'f2', folder: { id: 'f' }, inner: new Map([['g', 'g2']]), collectionId: 'there', parentFolderId: null }
} as const
const here = [collection('here'), folder('f', 'here'), folder('g', 'here', 1024, 'f')]
const both = given(...here, collection('there'), folder('last', 'there'))

test('it is made anew there, what is in it keeps its id, and here it is gone', () =>
  given(
    ...[...here, request('r', 'here', 2048, 'f'), document('d', 'here', 1024, 'g'), request('stays', 'here')],
    ...[collection('there'), folder('last', 'there')]
  )
    .when(transfer)
    .then(
      emitFolder('f2', 'FolderCreated', {
        ...{ collectionId: 'there', parentFolderId: null, sortOrder: 2048, name: 'f', marker: null }
      }),
      emitFolder('g2', 'FolderCreated', {
        ...{ collectionId: 'there', parentFolderId: 'f2', sortOrder: 1024, name: 'g', marker: null }
      }),
      emitRequest('r', 'RequestUpdated', {
        ...{ collectionId: 'there', folderId: 'f2', sortOrder: 2048, content: content('r') },
        previousCollectionId: 'here'
      }),
      emitDocument('d', 'DocumentUpdated', {
        ...{ collectionId: 'there', folderId: 'g2', sortOrder: 1024, content: prose('d') },
        previousCollectionId: 'here'
      }),
      emitFolder('g', 'FolderDeleted', { collectionId: 'here', name: 'g', folders: [], requests: [], documents: [] }),
      emitFolder('f', 'FolderDeleted', { collectionId: 'here', name: 'f', folders: ['g'], requests: [], documents: [] })
    ))

test('it takes leave to change both collections', async () => {
  for (const one of ['here', 'there'])
    await both.when(transfer, { by: someone({ collectionAccess: [one] }) }).refused('Forbidden', 403)
})

test('a folder that came into it meanwhile is no loss: it is read again', () =>
  both.when({ ...transfer, inner: new Map() }).refused(CHANGED, 412))

test('one that holds too much is refused whole', () =>
  given(
    ...[...here, collection('there')],
    ...Array.from({ length: LIMITS.copyItems.max - 1 }, (_, i) => request(`r${i}`, 'here', i, 'g'))
  )
    .when(transfer)
    .refused(
      'It holds too much to go to another collection at once: at most 2000 folders, requests and documents, with 3145728 characters. Move what is in it part by part.',
      413
    ))

test.run()
