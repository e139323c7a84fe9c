import * as assert from 'uvu/assert'
import { askedWords } from '../../src/followers/search/question.js'
import { searchIndex } from '../../src/followers/search/thread.js'
import { tiersOf } from '../../src/followers/search/tiers.js'
import { LIMITS } from '../../src/limits.js'
import { content, prose } from '../decide/made.js'
import { suite } from '../support/suite.js'
import { reader, type Searched, searched } from './searched.js'

const CREATE = JSON.stringify({ name: 'Create' })
const test = suite('search by folders')
let hub: Searched

test.before.each(async () => {
  hub = await searched()
})
test.after.each(() => hub.close())

const collection = (id: string, name: string) => hub.run({ type: 'CreateCollection', id, name })
const folder = (id: string, name: string, parentFolderId: string | null = null, collectionId = 'c') =>
  hub.run({ type: 'CreateFolder', id, collectionId, parentFolderId, name })
const request = (id: string, name: string, folderId: string | null, collectionId = 'c') =>
  hub.run({ type: 'CreateRequest', id, collectionId, folderId, content: content(name) })

test('a request is found by the names of its folder, of folders above and of its collection, behind what has the words itself', async () => {
  await collection('c', 'Billing')
  await folder('payments', 'Payments')
  await folder('cards', 'Cards', 'payments')
  await request('deep', 'Create', 'cards')
  await request('own', 'Create cards payments', null)
  await request('elsewhere', 'Create', null)
  assert.equal(await hub.found('cards create'), ['own', 'deep'])
  assert.equal(await hub.found('create payments'), ['own', 'deep'])
  assert.equal(await hub.found('payments cards create'), ['own', 'deep'])
  assert.equal(await hub.found('billing create'), ['elsewhere', 'own', 'deep'])
  assert.equal(await hub.found('payments'), ['payments', 'own', 'deep', 'cards'], 'the folder itself comes first')
  assert.equal(await hub.found('payments missing'), [])
})

test('the folder or the collection by whose name something is found is shown', async () => {
  await collection('c', 'Billing')
  await folder('payments', 'Payments in parts')
  await folder('cards', 'Cards', 'payments')
  await request('r', 'Create', 'cards')
  const shown = async (q: string) => (await hub.ask(q)).results.find(({ id }) => id === 'r')?.snippets
  assert.equal(await shown('create payments parts'), [
    { field: 'name', text: 'Create', matches: [[0, 6]] },
    {
      field: 'folder',
      text: 'Payments in parts',
      matches: [
        [0, 8],
        [12, 17]
      ]
    }
  ])
  assert.equal(await shown('biling'), [{ field: 'collection', text: 'Billing', matches: [[0, 7]] }])
  assert.equal(await shown('create'), [{ field: 'name', text: 'Create', matches: [[0, 6]] }])
})

test('a document is found by its folder, and kinds and collections are kept to', async () => {
  await collection('c', 'One')
  await collection('other', 'Other')
  await folder('f', 'Drawer')
  await folder('g', 'Drawer', null, 'other')
  await hub.run({ type: 'CreateDocument', id: 'd', collectionId: 'c', folderId: 'f', content: prose('Notes') })
  await request('r', 'Notes', 'g', 'other')
  assert.equal(await hub.found('drawer notes'), ['r', 'd'])
  assert.equal(await hub.found({ q: 'drawer notes', kinds: ['document'] }), ['d'])
  assert.equal(await hub.found({ q: 'drawer notes', collectionId: 'c' }), ['d'])
})

test('where a folder is renamed, moved or deleted, and where a request is moved, it is found as it stands now', async () => {
  await collection('c', 'C')
  await folder('upper', 'Upper')
  await folder('f', 'Drawer')
  await request('r', 'Create', 'f')
  assert.equal(await hub.found('drawer create'), ['r'])
  await hub.run({ type: 'UpdateFolder', id: 'f', name: 'Cabinet' })
  assert.equal([await hub.found('drawer create'), await hub.found('cabinet create')], [[], ['r']])
  assert.equal(await hub.found('upper create'), [])
  await hub.run({ type: 'MoveFolder', id: 'f', parentFolderId: 'upper', index: 0 })
  assert.equal([await hub.found('upper create'), await hub.found('upper cabinet create')], [['r'], ['r']])
  await hub.run({ type: 'MoveRequest', id: 'r', folderId: null, index: 0 })
  assert.equal([await hub.found('upper create'), await hub.found('cabinet create')], [[], []])
  await hub.run({ type: 'MoveRequest', id: 'r', folderId: 'f', index: 0 })
  await hub.run({ type: 'DeleteFolder', id: 'upper' })
  assert.equal([await hub.found('upper'), await hub.found('create')], [[], []])
})

test('whoever may not see a collection finds nothing by the names of its folders', async () => {
  await collection('c', 'Secret')
  await collection('mine', 'Mine')
  await folder('f', 'Merger')
  await request('r', 'Create', 'f')
  await folder('g', 'Plans', null, 'mine')
  await request('own', 'Create', 'g', 'mine')
  const caller = reader(['mine'])
  for (const q of ['merger', 'merger create', 'secret create', 'mergr create'])
    assert.equal(await hub.found(q, caller), [], q)
  assert.equal(await hub.found('plans create', caller), ['own'])
  const many = reader(['mine', ...Array.from({ length: 300 }, (_, i) => `none${i}`)])
  assert.equal([await hub.found('plans create', many), await hub.found('merger create', many)], [['own'], []])
})

test('what is found by a folder comes by pages, each once', async () => {
  await collection('c', 'C')
  await folder('f', 'Drawer')
  for (let i = 0; i < 5; i++) await request(`r${i}`, `Create ${i}`, 'f')
  await request('own', 'Create drawer', null)
  assert.equal(await hub.paged('drawer create', 2), ['own', 'r4', 'r3', 'r2', 'r1', 'r0'])
})

test('of more folders than are looked into, those count whose names have more of the words', async () => {
  const index = searchIndex(null)
  const at = { area: 'collection', scope: 'collection-c', folderId: null }
  const put = Array.from({ length: LIMITS.searchFolders.max * 2 }, (_, i) => [
    {
      ...at,
      id: `folder-${i}`,
      kind: 'folder' as const,
      position: 2 * i + 1,
      body: JSON.stringify({ name: `Users ${i}` })
    },
    { ...at, folderId: String(i), id: `request-${i}`, kind: 'request' as const, position: 2 * i + 2, body: CREATE }
  ]).flat()
  await index.apply(null, null, { put, remove: [] })
  const found = async (q: string) =>
    (await index.find({ tiers: tiersOf(askedWords(q)), from: { tier: 0 }, limit: 1000 })).map(({ id }) => id)
  assert.equal(await found('users 17 create'), ['request-17'])
  assert.is((await found('users create')).length, LIMITS.searchFolders.max / 2)
  await index.close()
})

test('to rename a folder of many requests changes one record of the index', async () => {
  await collection('c', 'C')
  await folder('f', 'Drawer')
  for (let i = 0; i < 40; i++) await request(`r${i}`, `Create ${i}`, 'f')
  await hub.found('drawer create')
  const before = hub.written()
  await hub.run({ type: 'UpdateFolder', id: 'f', name: 'Cabinet' })
  assert.is((await hub.found({ q: 'cabinet create', limit: 100 })).length, 40)
  assert.is(hub.written() - before, 1)
})

test.run()
