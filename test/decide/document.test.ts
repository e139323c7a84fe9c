import { emitCollection } from '../../commands/records/collection/events.js'
import type { DocumentCommand } from '../../commands/records/document/decide.js'
import { emitDocument } from '../../commands/records/document/events.js'
import type { DocumentContent } from '../../commands/records/document/fields.js'
import { suite } from '../support/suite.js'
import { by, given } from './given.js'
import { collection, document, folder, prose, request } from './made.js'
import { bob, nil, only, ops } from './people.js'

const test = suite('deciding on documents')

const CHANGED = 'This record has changed since it was read. Read it again, then repeat the change.'
interface Placed {
  readonly collectionId?: string
  readonly folderId?: string | null
  readonly content?: DocumentContent
  readonly previousCollectionId?: string
}
const root = { collectionId: 'c', folderId: null, content: prose('d') }
const create: DocumentCommand = { type: 'CreateDocument', id: 'd', ...root }
const update = (changes: Placed = {}, ifRevision?: readonly number[]): DocumentCommand => ({
  type: 'UpdateDocument',
  id: 'd',
  ...root,
  ...changes,
  ...(ifRevision && { ifRevision })
})
const updated = (sortOrder: number, changes: Placed) =>
  emitDocument('d', 'DocumentUpdated', { ...root, sortOrder, ...changes })
const remove: DocumentCommand = { type: 'DeleteDocument', id: 'd' }
const deleted = emitDocument('d', 'DocumentDeleted', { name: 'd', collectionId: 'c' })
const move = (folderId: string | null, index: number): DocumentCommand => ({
  type: 'MoveDocument',
  id: 'd',
  folderId,
  index
})
const moved = (folderId: string | null, sortOrder: number) =>
  emitDocument('d', 'DocumentMoved', { collectionId: 'c', folderId, sortOrder })
const reorder = (...orderedIds: readonly string[]): DocumentCommand => ({
  type: 'ReorderDocuments',
  collectionId: 'c',
  folderId: null,
  orderedIds
})

/** A document `d` at the root of `c` in front of a request, a folder, and a second collection. */
const one = given(collection('c'), folder('f', 'c'), document('d', 'c'), request('r', 'c', 2048), collection('other'))

test('a document goes behind everything in its container, requests included', async () => {
  await given(collection('c'))
    .when(create)
    .then(document('d', 'c', 1024))
  await given(collection('c'), request('r', 'c', 1024))
    .when(create)
    .then(document('d', 'c', 2048))
})

test('everyone with access to the collection makes, changes, moves and reorders documents', async () => {
  for (const caller of [bob, only('c')]) {
    await given(collection('c')).when(create, { by: caller }).then(document('d', 'c'))
    const content = prose('d', { content: 'Read me.' })
    await one.when(update({ content }), { by: caller }).then(updated(1024, { content }))
    await one.when(move('f', 0), { by: caller }).then(moved('f', 1024))
    await one
      .and(document('e', 'c', 3072))
      .when(reorder('e', 'd'), { by: caller })
      .events(() => {})
  }
})

test('nobody else does', async () => {
  for (const caller of [nil, only('other'), ops]) {
    for (const command of [create, update(), move(null, 0), reorder('d'), remove])
      await one.when(command, { by: caller }).refused('Forbidden', 403)
  }
})

test('what is not there is not found', async () => {
  for (const command of [create, reorder()]) await given().when(command).refused('Collection not found', 404)
  for (const command of [update(), remove, move(null, 0)])
    await given(collection('c')).when(command).refused('Document not found', 404)
  for (const command of [update({ folderId: 'none' }), move('none', 0)])
    await one.when(command).refused('Folder not found', 404)
})

test('only its creator deletes a document', async () => {
  const past = given(collection('c'), by(bob, document('d', 'c')))
  await past.when(remove).refused('Forbidden', 403)
  await past.when(remove, { by: bob }).then(deleted)
})

test('an update that changes nothing is no event, and a marker that is left out stays', async () => {
  const red = prose('d', { marker: 'red' })
  const past = one.and(updated(1024, { content: red }))
  const { marker: _, ...unmarked } = red
  await past.when({ ...update(), content: unmarked } as DocumentCommand).nothing()
  await past.when(update({ content: prose('d') })).then(updated(1024, { content: prose('d') }))
})

test('an update takes a document to another collection with access to both, and tells which it leaves', async () => {
  const away = update({ collectionId: 'other' })
  await one.when(away).then(updated(1024, { collectionId: 'other', previousCollectionId: 'c' }))
  for (const caller of [only('c'), only('other')]) await one.when(away, { by: caller }).refused('Forbidden', 403)
})

test('a document that moves behind a request stands behind it, and one that stays is no event', async () => {
  await one.when(move(null, 1)).then(moved(null, 3072))
  await one.when(move(null, 0)).nothing()
})

test('a new order of the documents leaves the requests between them where they are', () =>
  given(collection('c'), document('d', 'c', 1024), request('r', 'c', 2048), document('e', 'c', 3072))
    .when(reorder('e', 'd'))
    .then(
      emitCollection('c', 'ItemsReordered', {
        folderId: null,
        requests: [],
        documents: [
          { id: 'e', sortOrder: 1024 },
          { id: 'd', sortOrder: 3072 }
        ]
      })
    ))

test('a change that expects another revision is refused', async () => {
  await one.when(update({ content: prose('new') }, [1])).refused(CHANGED, 412)
  await one.when({ ...remove, ifRevision: [] } as DocumentCommand).refused(CHANGED, 412)
  await one.when({ ...remove, ifRevision: [3] } as DocumentCommand).then(deleted)
})

test.run()
