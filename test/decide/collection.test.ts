import * as assert from 'uvu/assert'
import { noAuth } from '../../commands/content.js'
import { decide } from '../../commands/index.js'
import { emitUser } from '../../commands/people/user/events.js'
import type { CollectionCommand } from '../../commands/records/collection/decide.js'
import { emitCollection } from '../../commands/records/collection/events.js'
import type { CollectionContent } from '../../commands/records/collection/fields.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'
import { by, given, NOW } from './given.js'
import { collection, locked } from './made.js'
import { ada, anAccount, bob, nil, only, ops } from './people.js'

const test = suite('deciding on collections')

const create: CollectionCommand = { type: 'CreateCollection', id: 'c', name: 'Orders' }
const fields: Omit<CollectionContent, 'marker'> = {
  name: 'Orders',
  variables: [],
  headers: [],
  auth: noAuth,
  preRequestScript: '',
  postRequestScript: ''
}
const update = (marker?: string | null): CollectionCommand => ({
  type: 'UpdateCollection',
  id: 'c',
  content: { ...fields, marker }
})
const updated = (marker: string | null) => emitCollection('c', 'CollectionUpdated', { ...fields, marker })
const remove: CollectionCommand = { type: 'DeleteCollection', id: 'c' }
const removeAsAdmin: CollectionCommand = { type: 'DeleteCollectionAsAdmin', id: 'c' }
const lock = (deletionLocked: boolean): CollectionCommand => ({ type: 'LockCollection', id: 'c', deletionLocked })
const deleted = emitCollection('c', 'CollectionDeleted', {
  name: 'c',
  folders: [],
  requests: [],
  documents: []
})

test('whoever has the wildcard creates collections', () => given().when(create).then(collection('c', 'Orders')))

test('a new collection may have a marker', () =>
  given()
    .when({ ...create, marker: '#f00' } as CollectionCommand)
    .then({ ...collection('c'), data: { ...fields, marker: '#f00' } }))

test('without the wildcard nobody creates collections, and administrators never do', async () => {
  for (const caller of [nil, only('c', 'x'), ops]) await given().when(create, { by: caller }).refused('Forbidden', 403)
})

test('whoever has access updates a collection, whoever made it', async () => {
  for (const caller of [bob, only('c')])
    await given(collection('c')).when(update(null), { by: caller }).then(updated(null))
})

test('outside the access list a collection is not updated, whether it exists or not', async () => {
  for (const caller of [nil, only('x'), ops]) {
    await given(collection('c')).when(update(), { by: caller }).refused('Forbidden', 403)
    await given().when(update(), { by: caller }).refused('Forbidden', 403)
  }
})

test('an unknown collection is not found', async () => {
  for (const command of [update(), remove]) await given().when(command).refused('Collection not found', 404)
  for (const command of [lock(true), removeAsAdmin])
    await given().when(command, { by: ops }).refused('Collection not found', 404)
})

test('a marker that an update leaves out stays, and null clears it', async () => {
  const past = given(collection('c'), updated('#f00'))
  await past.when(update()).nothing()
  await past.when(update(null)).then(updated(null))
  await past.when(update('#0f0')).then(updated('#0f0'))
})

test('an update that changes nothing is no event', () => given(collection('c', 'Orders')).when(update()).nothing())

test('only its creator deletes a collection', async () => {
  await given(collection('c')).when(remove).then(deleted)
  await given(collection('c')).when(remove, { by: bob }).refused('Forbidden', 403)
  await given(by(bob, collection('c')))
    .when(remove, { by: bob })
    .then(deleted)
})

test('its creator does not delete a collection without access to it', async () => {
  const past = given(by(only('c'), collection('c')))
  await past.when(remove, { by: only('c') }).then(deleted)
  await past.when(remove, { by: only('x') }).refused('Forbidden', 403)
})

test('nobody is the creator of what a deleted account has made', async () => {
  const past = given(
    emitUser('ada', 'UserCreated', anAccount('Ada')),
    collection('c'),
    emitUser('ada', 'UserDeleted', {})
  )
  await past.when(remove).refused('Forbidden', 403)
  await past.when(removeAsAdmin, { by: ops }).then(deleted)
})

test('a locked collection is not deleted by a user, its creator included', async () => {
  const past = given(collection('c'), locked('c'))
  for (const caller of [ada, bob])
    await past.when(remove, { by: caller }).refused('Deletion is locked for this collection.', 403)
})

test('an administrator deletes it regardless of the lock and of who made it', () =>
  given(collection('c'), locked('c')).when(removeAsAdmin, { by: ops }).then(deleted))

test('an unlocked collection is deleted again by its creator', () =>
  given(collection('c'), locked('c'), emitCollection('c', 'CollectionDeletionUnlocked', {}))
    .when(remove)
    .then(deleted))

test('only administrators lock, unlock and delete as such', async () => {
  for (const command of [lock(true), lock(false), removeAsAdmin]) {
    await given(collection('c')).when(command).refused('Forbidden', 403)
  }
})

test('locking what is locked and unlocking what is not is no event', async () => {
  const [open, shut] = [given(collection('c')), given(collection('c'), locked('c'))]
  const admin = { by: ops }
  await open.when(lock(true), admin).then(locked('c'))
  await open.when(lock(false), admin).nothing()
  await shut.when(lock(true), admin).nothing()
  await shut.when(lock(false), admin).then(emitCollection('c', 'CollectionDeletionUnlocked', {}))
})

test('a change that expects another revision is refused, also after a lock', async () => {
  const message = 'This record has changed since it was read. Read it again, then repeat the change.'
  const past = given(collection('c'), locked('c'), emitCollection('c', 'CollectionDeletionUnlocked', {}))
  await past.when({ ...remove, ifRevision: [1] } as CollectionCommand).refused(message, 412)
  await past.when({ ...update(null), ifRevision: [] } as CollectionCommand).refused(message, 412)
  await past.when({ ...remove, ifRevision: [3] } as CollectionCommand).then(deleted)
})

test('a refusal is a rejection, also where nothing has to be looked up', async () => {
  const read = { ...openMemory().rows(1), ordersIn: async () => null, knownOrdersIn: async () => null }
  const decision = decide(create, { caller: nil, read, now: NOW, models: null })
  const isRefused = await decision.then(
    () => false,
    () => true
  )
  assert.ok(isRefused)
})

test.run()
