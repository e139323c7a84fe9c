import * as assert from 'uvu/assert'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { inOrder, NAMES, namesIn, orderedKinds, type Placed } from './ordered.js'
import type { World } from './world.js'

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
        await move(id, index)
        expected.splice(expected.indexOf(name), 1)
        expected.splice(index, 0, name)
        assert.is(namesIn(parent, await list(collectionId)), expected.join(''), `${name} to ${index}`)
      }
    }
  })

  test(`${kind}: forty moves to the same place keep one order`, async () => {
    const { collectionId, ids } = await five()
    for (let i = 0; i < 40; i++) await move(ids[i % 5], 1)
    const all = await list(collectionId)
    const orders = all.map(({ sortOrder }) => sortOrder)
    assert.is(new Set(orders).size, 5)
    assert.is(namesIn(parent, all)[1], 'e')
  })

  test(`${kind}: a move where there is room writes nothing else, and a move to where it is writes nothing`, async () => {
    const { collectionId, ids } = await five()
    const before = await list(collectionId)
    const position = world.position()
    await move(ids[3], 1)
    assert.is(world.position(), position + 1)
    const after = await list(collectionId)
    const others = (list: readonly Placed[]) =>
      list.flatMap(({ sortOrder: _, ...one }) => (one.id === ids[3] ? [] : [one]))
    assert.equal(others(after), others(before))
    await move(ids[3], 1)
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
      await move(id, index, folder)
    assert.is(namesIn(parent, await list(collectionId), folder), 'bca')
    await move(ids[2], 1)
    assert.equal(namesIn(parent, await list(collectionId)).replace('X', ''), 'dce')
  })

  test(`${kind}: a new order of some puts those first, the others follow as they were`, async () => {
    const { collectionId, ids } = await five()
    await reorder(collectionId, [ids[4], ids[1]])
    assert.is(namesIn(parent, await list(collectionId)), 'ebacd')
  })

  test(`${kind}: a new order takes in what was elsewhere in the collection`, async () => {
    const { collectionId, ids } = await five()
    const folder = await world.folder(collectionId, null, 'X')
    const inner = await make(collectionId, 'i', folder)
    await reorder(collectionId, [ids[2], inner, ids[0]], folder)
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
  const { request: send } = world.client(world.owner)
  const path = { collectionId }
  const body = { orderedFolderIds: ids.toReversed() }
  await send('PUT', '/collections/{collectionId}/folders/reorder', { path, body })
  const { folders } = (await send('GET', '/collections/{collectionId}/folders', { path })).body
  const inside = folders.filter(({ parentFolderId }) => parentFolderId === parent)
  assert.equal(
    inside.map(({ name }) => name),
    ['b', 'a']
  )
})

test('folders: a new order cannot put a folder into itself', async () => {
  const collectionId = await world.collection()
  const outer = await world.folder(collectionId)
  const inner = await world.folder(collectionId, outer)
  const { request: send } = world.client(world.owner)
  const body = { parentFolderId: inner, orderedFolderIds: [outer] }
  await world.denied(
    400,
    () => send('PUT', '/collections/{collectionId}/folders/reorder', { path: { collectionId }, body }),
    'Cannot move a folder under itself or a descendant.'
  )
})

test('requests and documents of a container are in one order, as the client that drags them sends it', async () => {
  const collectionId = await world.collection()
  const kinds = orderedKinds.filter(({ parent }) => parent === 'folderId').map((kind) => inOrder(kind, () => world))
  assert.is(kinds.length, 2)
  const made: { kind: (typeof kinds)[number]; id: string }[] = []
  for (const [i, kind] of [...kinds, ...kinds, ...kinds].entries())
    made.push({ kind, id: await kind.make(collectionId, `${i}`) })
  const wanted = [4, 1, 5, 0, 3, 2].flatMap((i) => made[i] ?? [])
  for (const [index, { kind, id }] of wanted.entries()) await kind.move(id, index)
  const lists = await Promise.all(kinds.map(({ list }) => list(collectionId)))
  const together = lists.flat().toSorted((a, b) => a.sortOrder - b.sortOrder)
  assert.equal(
    together.map(({ id }) => id),
    wanted.map(({ id }) => id)
  )
})

test.run()
