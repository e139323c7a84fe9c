import * as assert from 'uvu/assert'
import type { Fields } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { items } from './kinds.js'
import { inOrder, NAMES, namesIn, orderedKinds } from './ordered.js'
import { listed, succeeded, type World } from './world.js'

let world: World
// Places are decided above the storage, so one driver tells it for all.
const test = hubSuite('order', sqlite, (made) => {
  world = made
})

for (const ordered of orderedKinds) {
  const { kind, parent } = ordered
  const { five, make, move, reorder, list } = inOrder(ordered, () => world)

  test(`${kind}: from every place to every index, and past the end`, async () => {
    const { collectionId, ids } = await five()
    const expected = [...NAMES]
    for (const index of [0, 2, 4, 5, Number.MAX_SAFE_INTEGER]) {
      for (const name of ['a', 'd']) {
        const id = ids[NAMES.indexOf(name)]
        succeeded(await move(id, index))
        expected.splice(expected.indexOf(name), 1)
        expected.splice(index, 0, name)
        assert.is(namesIn(parent, await list(collectionId)), expected.join(''), `${name} to ${index}`)
      }
    }
  })

  test(`${kind}: forty moves to the same place keep one order`, async () => {
    const { collectionId, ids } = await five()
    for (let i = 0; i < 40; i++) succeeded(await move(ids[i % 5], 1))
    const all = await list(collectionId)
    const orders = all.map(({ sortOrder }) => sortOrder)
    assert.is(new Set(orders).size, 5)
    assert.is(namesIn(parent, all)[1], 'e')
  })

  test(`${kind}: a move where there is room writes nothing else, and a move to where it is writes nothing`, async () => {
    const { collectionId, ids } = await five()
    const before = await list(collectionId)
    const position = world.position()
    succeeded(await move(ids[3], 1))
    assert.is(world.position(), position + 1)
    const after = await list(collectionId)
    const others = (list: readonly Fields[]) =>
      list.flatMap(({ sortOrder: _, ...one }) => (one.id === ids[3] ? [] : [one]))
    assert.equal(others(after), others(before))
    succeeded(await move(ids[3], 1))
    assert.is(world.position(), position + 1)
  })

  test(`${kind}: into a folder at an index, and back to the root`, async () => {
    const { collectionId, ids } = await five()
    const folder = await world.folder(collectionId, null, 'X')
    for (const [id, index] of [
      [ids[0], 0],
      [ids[1], 0],
      [ids[2], 1]
    ] as const)
      succeeded(await move(id, index, folder))
    assert.is(namesIn(parent, await list(collectionId), folder), 'bca')
    succeeded(await move(ids[2], 1))
    assert.equal(namesIn(parent, await list(collectionId)).replace('X', ''), 'dce')
  })

  test(`${kind}: a new order of some puts those first, the others follow as they were`, async () => {
    const { collectionId, ids } = await five()
    succeeded(await reorder(collectionId, [ids[4], ids[1]]))
    assert.is(namesIn(parent, await list(collectionId)), 'ebacd')
  })

  test(`${kind}: a new order takes in what was elsewhere in the collection`, async () => {
    const { collectionId, ids } = await five()
    const folder = await world.folder(collectionId, null, 'X')
    const inner = await make(collectionId, 'i', { [parent]: folder })
    succeeded(await reorder(collectionId, [ids[2], inner, ids[0]], folder))
    const all = await list(collectionId)
    assert.is(namesIn(parent, all, folder), 'cia')
    assert.is(namesIn(parent, all).replace('X', ''), 'bde')
  })

  test(`${kind}: the order that there is already, or none, changes nothing`, async () => {
    const { collectionId, ids } = await five()
    const before = world.position()
    assert.is((await reorder(collectionId, ids)).status, 204)
    assert.is((await reorder(collectionId, [])).status, 204)
    assert.is(world.position(), before)
  })

  test(`${kind}: names settle nothing while orders differ, new ones go last`, async () => {
    const collectionId = await world.collection()
    for (const name of ['z', 'm', 'a']) await make(collectionId, name)
    assert.is(namesIn(parent, await list(collectionId)), 'zma')
  })
}

test('folders: without parentFolderId a new order stays below the parent that they have', async () => {
  const collectionId = await world.collection()
  const parent = await world.folder(collectionId)
  const ids = [await world.folder(collectionId, parent, 'a'), await world.folder(collectionId, parent, 'b')]
  const { put } = world.by(world.owner)
  succeeded(await put(`/collections/${collectionId}/folders/reorder`, { orderedFolderIds: ids.toReversed() }))
  const inside = (await listed(world, `/collections/${collectionId}/folders`)).filter(
    ({ parentFolderId }) => parentFolderId === parent
  )
  assert.equal(
    inside.map(({ name }) => name),
    ['b', 'a']
  )
})

test('folders: a new order cannot put a folder into itself', async () => {
  const collectionId = await world.collection()
  const outer = await world.folder(collectionId)
  const inner = await world.folder(collectionId, outer)
  const { put } = world.by(world.owner)
  const body = { parentFolderId: inner, orderedFolderIds: [outer] }
  await world.refused(
    400,
    () => put(`/collections/${collectionId}/folders/reorder`, body),
    'A folder cannot be moved into itself or into a folder inside it.'
  )
})

test('requests and documents of a container are in one order, as the client that drags them sends it', async () => {
  const collectionId = await world.collection()
  const made: { kind: string; id: string }[] = []
  for (const [i, { path, content }] of [...items, ...items, ...items].entries()) {
    made.push({
      kind: path,
      id: await world.make(`collections/${collectionId}/${path}`, { ...content, name: `${i}` })
    })
  }
  const wanted = [4, 1, 5, 0, 3, 2].flatMap((i) => made[i] ?? [])
  const { put } = world.by(world.owner)
  for (const [index, { kind, id }] of wanted.entries()) {
    succeeded(await put(`/${kind}/${id}/move`, { folderId: null, index }))
  }
  const lists = await Promise.all(items.map(({ path }) => listed(world, `/collections/${collectionId}/${path}`)))
  const together = lists.flat().toSorted((a, b) => Number(a.sortOrder) - Number(b.sortOrder))
  assert.equal(
    together.map(({ id }) => id),
    wanted.map(({ id }) => id)
  )
})

test.run()
