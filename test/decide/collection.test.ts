import * as assert from 'uvu/assert'
import { noAuth } from '../../commands/content.js'
import { decide } from '../../commands/index.js'
import { emitUser } from '../../commands/people/user/events.js'
import type { CollectionCommand } from '../../commands/records/collection/decide.js'
import { emitCollection } from '../../commands/records/collection/events.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'
import { atFirst, by, given, NOW } from './given.js'
import { collection, collectionDeleted } from './made.js'
import { anAccount, bob, nil, only, ops } from './people.js'

const test = suite('deciding on collections')

const create: CollectionCommand = { type: 'CreateCollection', id: 'c', name: 'Orders' }
const scripts = { preRequestScript: '', postRequestScript: '' }
const fields = { name: 'Orders', variables: [], headers: [], auth: noAuth, ...scripts }
const update = (marker?: string | null): CollectionCommand => ({
  type: 'UpdateCollection',
  id: 'c',
  content: { ...fields, marker }
})
const updated = (marker: string | null) => emitCollection('c', 'CollectionUpdated', { ...fields, marker })
const remove: CollectionCommand = { type: 'DeleteCollection', id: 'c' }
const removeAsAdmin: CollectionCommand = { type: 'DeleteCollectionAsAdmin', id: 'c' }
const deleted = collectionDeleted('c')

test('a new collection may have a marker', () =>
  atFirst
    .when({ ...create, marker: '#f00' } as CollectionCommand)
    .then({ ...collection('c'), data: { ...fields, marker: '#f00' } }))

test('a marker that an update leaves out stays, and null clears it', async () => {
  const past = given(collection('c'), updated('#f00'))
  await past.when(update()).nothing()
  await past.when(update(null)).then(updated(null))
  await past.when(update('#0f0')).then(updated('#0f0'))
})

test('only its creator deletes a collection, with access to it', async () => {
  const past = given(by(only('c'), collection('c')))
  for (const caller of [bob, only('x')]) await past.when(remove, { by: caller }).refused('Forbidden', 403)
  await past.when(remove, { by: only('c') }).then(deleted)
})

test('nobody is the creator of what a deleted account has made', async () => {
  const [made, gone] = [emitUser('ada', 'UserCreated', anAccount('Ada')), emitUser('ada', 'UserDeleted', {})]
  const past = given(made, collection('c'), gone)
  await past.when(remove).refused('Forbidden', 403)
  await past.when(removeAsAdmin, { by: ops }).then(deleted)
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
