import { emitUser } from '../../commands/people/user/events.js'
import { emitCollection } from '../../commands/records/collection/events.js'
import type { RequestCommand } from '../../commands/records/request/decide.js'
import { emitRequest } from '../../commands/records/request/events.js'
import type { RequestContent } from '../../commands/records/request/fields.js'
import { suite } from '../support/suite.js'
import { by, given } from './given.js'
import { collection, content, folder, request } from './made.js'
import { anAccount, bob, nil, only, ops } from './people.js'

const test = suite('deciding on requests')

const create = (folderId: string | null = null, collectionId = 'c'): RequestCommand => ({
  type: 'CreateRequest',
  id: 'r',
  collectionId,
  folderId,
  content: content('r')
})
const update = (
  changes: { content?: RequestContent; collectionId?: string; folderId?: string | null; id?: string } = {}
): RequestCommand => ({
  type: 'UpdateRequest',
  id: 'r',
  collectionId: 'c',
  folderId: null,
  content: content('r'),
  ...changes
})
const updated = (
  sortOrder: number,
  data: {
    content?: RequestContent
    collectionId?: string
    folderId?: string | null
    previousCollectionId?: string
  } = {}
) =>
  emitRequest('r', 'RequestUpdated', { collectionId: 'c', folderId: null, sortOrder, content: content('r'), ...data })
const remove: RequestCommand = { type: 'DeleteRequest', id: 'r' }
const deleted = emitRequest('r', 'RequestDeleted', { name: 'r', collectionId: 'c' })
const move = (id: string, folderId: string | null, index: number): RequestCommand => ({
  type: 'MoveRequest',
  id,
  folderId,
  index
})
const moved = (id: string, folderId: string | null, sortOrder: number) =>
  emitRequest(id, 'RequestMoved', { collectionId: 'c', folderId, sortOrder })
const reorder = (orderedIds: readonly string[], folderId: string | null = null): RequestCommand => ({
  type: 'ReorderRequests',
  collectionId: 'c',
  folderId,
  orderedIds
})
const reordered = (folderId: string | null, ...requests: readonly (readonly [string, number])[]) =>
  emitCollection('c', 'ItemsReordered', {
    folderId,
    requests: requests.map(([id, sortOrder]) => ({ id, sortOrder })),
    documents: []
  })

/** A request `r` at the root of `c`, and a second collection with a folder of its own. */
const one = given(collection('c'), folder('f', 'c'), request('r', 'c'), collection('d'), folder('g', 'd'))
/** Three requests at the root of `c`, and `in` in its folder. */
const three = given(
  collection('c'),
  folder('f', 'c'),
  ...[request('x', 'c', 1024), request('y', 'c', 2048), request('z', 'c', 3072)],
  request('in', 'c', 1024, 'f')
)

test('a request goes to the end of its container', async () => {
  await given(collection('c'))
    .when(create())
    .then(request('r', 'c', 1024))
  await three.when(create()).then(request('r', 'c', 4096))
  await three.when(create('f')).then(request('r', 'c', 2048, 'f'))
})

test('everyone with access to the collection makes, changes, moves and reorders requests', async () => {
  for (const caller of [bob, only('c')]) {
    await one.when({ ...create(), id: 'n' } as RequestCommand, { by: caller }).events(() => {})
    await one.when(update({ content: content('new') }), { by: caller }).then(updated(1024, { content: content('new') }))
    await one.when(move('r', 'f', 0), { by: caller }).then(moved('r', 'f', 1024))
    await one.when(reorder(['r'], 'f'), { by: caller }).then(moved('r', 'f', 1024))
  }
})

test('nobody else does', async () => {
  for (const caller of [nil, only('d'), ops]) {
    for (const command of [create(), update(), remove, move('r', null, 0), reorder(['r'])]) {
      await one.when(command, { by: caller }).refused('Forbidden', 403)
    }
  }
})

test('only its creator deletes a request', async () => {
  await one.when(remove).then(deleted)
  await one.when(remove, { by: bob }).refused('Forbidden', 403)
  await given(collection('c'), by(bob, request('r', 'c')))
    .when(remove, { by: bob })
    .then(deleted)
})

test('nobody is the creator of what a deleted account has made', () =>
  given(emitUser('ada', 'UserCreated', anAccount('Ada')), collection('c'), request('r', 'c'))
    .and(emitUser('ada', 'UserDeleted', {}))
    .when(remove)
    .refused('Forbidden', 403))

test('what is not there is not found, in the order of collection, folder, request', async () => {
  await given().when(create()).refused('Collection not found', 404)
  await given().when(reorder([])).refused('Collection not found', 404)
  for (const command of [update(), remove, move('r', null, 0)])
    await given(collection('c')).when(command).refused('Request not found', 404)
  await one.when(update({ collectionId: 'none' })).refused('Collection not found', 404)
  await one.when(reorder(['r', 'none'])).refused('Request not found', 404)
})

test('a folder must be one of the collection', async () => {
  for (const folderId of ['none', 'g', 'c']) {
    for (const command of [create(folderId), update({ folderId }), move('r', folderId, 0), reorder(['r'], folderId)]) {
      await one.when(command).refused('Folder not found', 404)
    }
  }
})

test('a request of another collection is not taken in by an order', () =>
  one
    .and(request('theirs', 'd'))
    .when(reorder(['theirs']))
    .refused('Request not found', 404))

test('a protocol that is left out stays, and a new request has http', async () => {
  const streamed = content('r', { protocol: 'sse' })
  const { protocol, ...without } = content('r')
  const past = one.and(updated(1024, { content: streamed }))
  await past.when({ ...update(), content: without } as RequestCommand).nothing()
  await past
    .when({ ...update(), content: { ...without, comment: 'x' } } as RequestCommand)
    .then(updated(1024, { content: { ...streamed, comment: 'x' } }))
  await past.when(update({ content: { ...without, protocol } })).then(updated(1024))
})

test('an update that changes nothing is no event, and a marker that is left out stays', async () => {
  const red = content('r', { marker: 'red' })
  const { marker, ...unmarked } = content('r')
  await one.when(update()).nothing()
  const past = one.and(updated(1024, { content: red }))
  await past.when({ ...update(), content: unmarked } as RequestCommand).nothing()
  await past.when(update({ content: { ...unmarked, marker } })).then(updated(1024))
})

test('an update may take a request to a folder or to the root, where it goes to the end', async () => {
  await one
    .and(request('s', 'c', 9, 'f'))
    .when(update({ folderId: 'f' }))
    .then(updated(9 + 1024, { folderId: 'f' }))
  const past = given(collection('c'), folder('f', 'c'), request('r', 'c', 5, 'f'), request('s', 'c', 70))
  await past.when(update()).then(updated(70 + 1024))
})

test('an update may take a request to another collection, with access to both', async () => {
  const there = { collectionId: 'd', folderId: 'g' }
  await one.when(update(there)).then(updated(1024, { ...there, previousCollectionId: 'c' }))
  await one.when(update(there), { by: only('c', 'd') }).then(updated(1024, { ...there, previousCollectionId: 'c' }))
  for (const caller of [only('c'), only('d')]) await one.when(update(there), { by: caller }).refused('Forbidden', 403)
})

test('a request is not taken to another collection together with the folder that it is in', () =>
  given(collection('c'), folder('f', 'c'), request('r', 'c', 5, 'f'), collection('d'))
    .when(update({ collectionId: 'd', folderId: 'f' }))
    .refused('Folder not found', 404))

test('a request moves to a place among its siblings, and nothing else moves', async () => {
  await three.when(move('z', null, 0)).then(moved('z', null, 512))
  await three.when(move('z', null, 1)).then(moved('z', null, 1536))
  await three.when(move('x', null, 1)).then(moved('x', null, 2560))
})

test('an index past the end appends', async () => {
  for (const index of [2, 3, 1000]) await three.when(move('x', null, index)).then(moved('x', null, 4096))
  await three.when(move('x', 'f', 1000)).then(moved('x', 'f', 2048))
})

test('a request moves between folder and root', async () => {
  await three.when(move('x', 'f', 0)).then(moved('x', 'f', 512))
  await three.when(move('in', null, 1)).then(moved('in', null, 1536))
})

test('a request that moves to where it is stays there', async () => {
  for (const command of [
    move('x', null, 0),
    move('y', null, 1),
    move('z', null, 2),
    move('z', null, 7),
    move('in', 'f', 3)
  ]) {
    await three.when(command).nothing()
  }
})

test('where there is no room the siblings are spaced anew first', () =>
  given(collection('c'), request('x', 'c', 1), request('y', 'c', 2), request('z', 'c', 3))
    .when(move('z', null, 1))
    .then(reordered(null, ['x', 1024], ['y', 3072]), moved('z', null, 2048)))

test('a new order takes the places that the requests have, and tells only what changes', async () => {
  await three.when(reorder(['z', 'y', 'x'])).then(reordered(null, ['z', 1024], ['x', 3072]))
  await three.when(reorder(['x', 'y', 'z'])).nothing()
  await three.when(reorder([])).nothing()
})

test('requests that a new order leaves out follow in the order that they have', () =>
  three.when(reorder(['z'])).then(reordered(null, ['z', 1024], ['x', 2048], ['y', 3072])))

test('a new order takes in requests from elsewhere in the collection', () =>
  three.when(reorder(['y', 'in'], 'f')).then(reordered('f', ['in', 2048]), moved('y', 'f', 1024)))

test('an order that names a request twice is refused', () =>
  three.when(reorder(['x', 'x'])).refused('The order must not name a request twice.', 400))

test('an administrator deletes a request whoever made it, and a user does not do so', async () => {
  const command: RequestCommand = { type: 'DeleteRequestAsAdmin', id: 'r' }
  await one.when(command, { by: ops }).then(deleted)
  await one.when(command).refused('Forbidden', 403)
  await given(collection('c')).when(command, { by: ops }).refused('Request not found', 404)
})

test('a change that expects another revision is refused', async () => {
  const message = 'This record has changed since it was read. Read it again, then repeat the change.'
  for (const command of [update({ content: content('new') }), remove, move('r', 'f', 0)]) {
    await one.when({ ...command, ifRevision: [2] } as RequestCommand).refused(message, 412)
    await one.when({ ...command, ifRevision: [2, 3] } as RequestCommand).events(() => {})
  }
})

test.run()
