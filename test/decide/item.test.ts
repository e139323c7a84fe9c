import type { Command } from '../../commands/index.js'
import { emitUser } from '../../commands/people/user/events.js'
import { emitCollection } from '../../commands/records/collection/events.js'
import { recordEvent } from '../../commands/records/kind.js'
import { documentKind, requestKind } from '../../commands/records/kinds.js'
import { emitRequest } from '../../commands/records/request/events.js'
import { suite } from '../support/suite.js'
import { atFirst, by, CHANGED, given } from './given.js'
import { collection, content as contentOfRequest, document, folder, prose, request } from './made.js'
import { anAccount, bob, nil, only, ops } from './people.js'

/** Each kind of item, how one and one of the other kind come to be, and what it holds. */
const kinds = [
  { kind: requestKind, item: request, other: document, content: contentOfRequest },
  { kind: documentKind, item: document, other: request, content: prose }
]

for (const { kind, item, other, content } of kinds) {
  const { label, plural } = kind
  const test = suite(`deciding on ${plural}`)
  const command = (type: string, more: object = {}) => ({ type, id: 'i', ...more }) as Command
  const root = { collectionId: 'c', folderId: null, content: content('i') }
  const create = (folderId: string | null = null) => command(`Create${label}`, { ...root, folderId })
  const update = (changes: object = {}) => command(`Update${label}`, { ...root, ...changes })
  const updated = (sortOrder: number, changes: object = {}) =>
    recordEvent(kind, 'i', 'Updated', { ...root, sortOrder, ...changes })
  const remove = command(`Delete${label}`)
  const deleted = recordEvent(kind, 'i', 'Deleted', { name: 'i', collectionId: 'c' })
  const move = (id: string, folderId: string | null, index: number) => command(`Move${label}`, { id, folderId, index })
  const moved = (id: string, folderId: string | null, sortOrder: number) =>
    recordEvent(kind, id, 'Moved', { collectionId: 'c', folderId, sortOrder })
  const reorder = (orderedIds: readonly string[], folderId: string | null = null) =>
    command(`Reorder${label}s`, { collectionId: 'c', folderId, orderedIds })
  const reordered = (folderId: string | null, ...placed: readonly (readonly [string, number])[]) => {
    const orders = placed.map(([id, sortOrder]) => ({ id, sortOrder }))
    return emitCollection('c', 'ItemsReordered', { folderId, requests: [], documents: [], [plural]: orders })
  }

  /** An item `i` at the root of `c`, and a second collection with a folder of its own. */
  const one = given(collection('c'), folder('f', 'c'), item('i', 'c'), collection('d'), folder('g', 'd'))
  /** Three items at the root of `c`, and `in` in its folder. */
  const three = given(
    ...[collection('c'), folder('f', 'c'), item('x', 'c', 1024), item('y', 'c', 2048), item('z', 'c', 3072)],
    item('in', 'c', 1024, 'f')
  )
  /** An item in front of one of the other kind, with another behind it. */
  const mixed = given(collection('c'), item('i', 'c', 1024), other('o', 'c', 2048), item('j', 'c', 3072))

  test('one goes to the end of its container, behind those of the other kind too', async () => {
    await given(collection('c'))
      .when(create())
      .then(item('i', 'c', 1024))
    await given(collection('c'), other('o', 'c', 1024))
      .when(create())
      .then(item('i', 'c', 2048))
    await three.when(create()).then(item('i', 'c', 4096))
    await three.when(create('f')).then(item('i', 'c', 2048, 'f'))
  })

  test('everyone with access to the collection makes, changes, moves and reorders them', async () => {
    for (const caller of [bob, only('c')]) {
      await given(collection('c')).when(create(), { by: caller }).then(item('i', 'c'))
      await one
        .when(update({ content: content('new') }), { by: caller })
        .then(updated(1024, { content: content('new') }))
      await one.when(move('i', 'f', 0), { by: caller }).then(moved('i', 'f', 1024))
      await one.when(reorder(['i'], 'f'), { by: caller }).then(moved('i', 'f', 1024))
    }
  })

  test('nobody else does', async () => {
    for (const caller of [nil, only('d'), ops])
      for (const command of [create(), update(), remove, move('i', null, 0), reorder(['i'])])
        await one.when(command, { by: caller }).refused('Forbidden', 403)
  })

  test('only its creator deletes one', async () => {
    await one.when(remove).then(deleted)
    await one.when(remove, { by: bob }).refused('Forbidden', 403)
    await given(collection('c'), by(bob, item('i', 'c')))
      .when(remove, { by: bob })
      .then(deleted)
  })

  test('nobody is the creator of what a deleted account has made', () =>
    given(emitUser('ada', 'UserCreated', anAccount('Ada')), collection('c'), item('i', 'c'))
      .and(emitUser('ada', 'UserDeleted', {}))
      .when(remove)
      .refused('Forbidden', 403))

  test('what is not there is not found, in the order of collection, folder, item', async () => {
    for (const command of [create(), reorder([])]) await atFirst.when(command).refused('Collection not found', 404)
    for (const command of [update(), remove, move('i', null, 0)])
      await given(collection('c')).when(command).refused(`${label} not found`, 404)
    await one.when(update({ collectionId: 'none' })).refused('Collection not found', 404)
    await one.when(reorder(['i', 'none'])).refused(`${label} not found`, 404)
  })

  test('a folder must be one of the collection', async () => {
    for (const folderId of ['none', 'g', 'c'])
      for (const command of [create(folderId), update({ folderId }), move('i', folderId, 0), reorder(['i'], folderId)])
        await one.when(command).refused('Folder not found', 404)
  })

  test('one of another collection, or of the other kind, is not taken in by an order', async () => {
    const past = one.and(item('theirs', 'd'), other('o', 'c'))
    for (const id of ['theirs', 'o']) await past.when(reorder([id])).refused(`${label} not found`, 404)
  })

  test('an update that changes nothing is no event, and a marker that is left out stays', async () => {
    const { marker, ...unmarked } = content('i')
    await one.when(update()).nothing()
    const past = one.and(updated(1024, { content: { ...unmarked, marker: 'red' } }))
    await past.when(update({ content: unmarked })).nothing()
    await past.when(update({ content: { ...unmarked, marker } })).then(updated(1024))
  })

  test('an update may take one to a folder or to the root, where it goes to the end', async () => {
    await one
      .and(item('s', 'c', 9, 'f'))
      .when(update({ folderId: 'f' }))
      .then(updated(9 + 1024, { folderId: 'f' }))
    const past = given(collection('c'), folder('f', 'c'), item('i', 'c', 5, 'f'), item('s', 'c', 70))
    await past.when(update()).then(updated(70 + 1024))
  })

  test('an update may take one to another collection, with access to both', async () => {
    const there = { collectionId: 'd', folderId: 'g' }
    for (const caller of [bob, only('c', 'd')])
      await one.when(update(there), { by: caller }).then(updated(1024, { ...there, previousCollectionId: 'c' }))
    for (const caller of [only('c'), only('d')]) await one.when(update(there), { by: caller }).refused('Forbidden', 403)
  })

  test('one is not taken to another collection together with the folder that it is in', () =>
    given(collection('c'), folder('f', 'c'), item('i', 'c', 5, 'f'), collection('d'))
      .when(update({ collectionId: 'd', folderId: 'f' }))
      .refused('Folder not found', 404))

  test('one moves to a place among its siblings, of the other kind too, and nothing else moves', async () => {
    await three.when(move('z', null, 0)).then(moved('z', null, 512))
    await three.when(move('z', null, 1)).then(moved('z', null, 1536))
    await three.when(move('x', null, 1)).then(moved('x', null, 2560))
    await mixed.when(move('j', null, 1)).then(moved('j', null, 1536))
  })

  test('an index past the end appends', async () => {
    for (const index of [2, 3, 1000]) await three.when(move('x', null, index)).then(moved('x', null, 4096))
    await three.when(move('x', 'f', 1000)).then(moved('x', 'f', 2048))
  })

  test('one moves between folder and root', async () => {
    await three.when(move('x', 'f', 0)).then(moved('x', 'f', 512))
    await three.when(move('in', null, 1)).then(moved('in', null, 1536))
  })

  test('one that moves to where it is stays there', async () => {
    for (const [id, index] of [
      ['x', 0],
      ['y', 1],
      ['z', 2],
      ['z', 7]
    ] as const)
      await three.when(move(id, null, index)).nothing()
    await three.when(move('in', 'f', 3)).nothing()
  })

  test('where there is no room the siblings are spaced anew first', () =>
    given(collection('c'), item('x', 'c', 1), item('y', 'c', 2), item('z', 'c', 3))
      .when(move('z', null, 1))
      .then(reordered(null, ['x', 1024], ['y', 3072]), moved('z', null, 2048)))

  test('a new order takes the places that they have, those of the other kind stay, and only what changes is told', async () => {
    await three.when(reorder(['z', 'y', 'x'])).then(reordered(null, ['z', 1024], ['x', 3072]))
    await mixed.when(reorder(['j', 'i'])).then(reordered(null, ['j', 1024], ['i', 3072]))
    for (const order of [['x', 'y', 'z'], []]) await three.when(reorder(order)).nothing()
  })

  test('those that a new order leaves out follow in the order that they have', () =>
    three.when(reorder(['z'])).then(reordered(null, ['z', 1024], ['x', 2048], ['y', 3072])))

  test('a new order takes in items from elsewhere in the collection', () =>
    three.when(reorder(['y', 'in'], 'f')).then(reordered('f', ['in', 2048]), moved('y', 'f', 1024)))

  test('an order that names one twice is refused', () =>
    three.when(reorder(['x', 'x'])).refused(`The order must not name a ${label.toLowerCase()} twice.`, 400))

  test('a change that expects another revision is refused', async () => {
    for (const command of [update({ content: content('new') }), remove, move('i', 'f', 0)]) {
      await one.when({ ...command, ifRevision: [2] } as Command).refused(CHANGED, 412)
      await one.when({ ...command, ifRevision: [2, 3] } as Command).events(() => {})
    }
  })

  test.run()
}

const ofRequests = suite('deciding on requests alone')
const one = given(collection('c'), request('r', 'c'))

ofRequests('a protocol that is left out stays, and a new request has http', async () => {
  const root = { id: 'r', collectionId: 'c', folderId: null }
  const update = (content: object) => ({ type: 'UpdateRequest', ...root, content }) as Command
  const updated = (content: ReturnType<typeof contentOfRequest>) =>
    emitRequest('r', 'RequestUpdated', { collectionId: 'c', folderId: null, sortOrder: 1024, content })
  const streamed = contentOfRequest('r', { protocol: 'sse' })
  const { protocol, ...without } = contentOfRequest('r')
  const past = one.and(updated(streamed))
  await past.when(update(without)).nothing()
  await past.when(update({ ...without, comment: 'x' })).then(updated({ ...streamed, comment: 'x' }))
  await past.when(update({ ...without, protocol })).then(updated(contentOfRequest('r')))
})

ofRequests('an administrator deletes one whoever made it, and a user does not do so', async () => {
  const command: Command = { type: 'DeleteRequestAsAdmin', id: 'r' }
  await one.when(command, { by: ops }).then(emitRequest('r', 'RequestDeleted', { name: 'r', collectionId: 'c' }))
  await one.when(command).refused('Forbidden', 403)
  await given(collection('c')).when(command, { by: ops }).refused('Request not found', 404)
})

ofRequests.run()
