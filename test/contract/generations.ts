import * as assert from 'uvu/assert'
import type { Storage } from '../../src/storage/storage.js'
import { change, commitAfter, puts } from './commits.js'
import type { Contract } from './storage.js'
import { named, names, type Thing, thing, things } from './tables.js'

/** Generations of read tables, and consistent states of the live one. */
export function generationContract({ test, fresh, again }: Contract): void {
  const ids = async (storage: Storage, generation: number) =>
    (await storage.scan(generation, things, '', 100)).map(({ id }) => id)

  test('a generation is built beside the live one', async () => {
    const storage = await fresh()
    await change(storage, ...puts(things, [thing('live')]))
    await storage.createGeneration(2)
    assert.equal(await ids(storage, 2), [])
    await storage.apply(2, puts(things, [thing('built')]))
    await storage.apply(2, [])
    assert.equal([await ids(storage, 1), await ids(storage, 2)], [['live'], ['built']])
    assert.equal((await storage.rows(2).list(things, 'byParent', ['p1'])).length, 1)
  })

  test('a generation that was filled is completed, also twice, and goes on', async () => {
    const storage = await fresh()
    await storage.createGeneration(2)
    await storage.apply(2, puts(things, [thing('b', { sortOrder: 2 }), thing('a', { sortOrder: 1 })]))
    await storage.completeGeneration(2)
    await storage.completeGeneration(2)
    const sweep = { op: 'deleteWhere', table: things, column: 'parent', value: 'p2' } as const
    await storage.apply(2, [...puts(things, [thing('c', { parent: 'p2' }), thing('d', { sortOrder: 0 })]), sweep])
    const listed = await storage.rows(2).list(things, 'byParent', ['p1'])
    assert.equal(
      listed.map(({ id }) => id),
      ['d', 'a', 'b']
    )
  })

  test('creating a generation again starts from nothing', async () => {
    const storage = await fresh()
    for (const id of ['a', 'b']) {
      await storage.createGeneration(2)
      await storage.apply(2, puts(things, [thing(id)]))
    }
    assert.equal(await ids(storage, 2), ['b'])
  })

  test('a generation is dropped, also when it is gone already', async () => {
    const storage = await fresh()
    await storage.createGeneration(2)
    await storage.dropGeneration(2)
    await storage.dropGeneration(2)
    await storage.dropGeneration(3)
    await storage.createGeneration(2)
    assert.equal(await ids(storage, 2), [])
  })

  test('a commit switches the live generation and writes its rows there', async () => {
    const [storage, other] = [await fresh(), await again()]
    await storage.createGeneration(2)
    const { head, ...commit } = commitAfter(await storage.head(), [{}], puts(things, [thing('new')]))
    await storage.commit({ ...commit, head: { ...head, generation: 2 } })
    assert.is((await other.head()).generation, 2)
    assert.equal([await ids(other, 1), await ids(other, 2)], [[], ['new']])
  })

  test('changes of a generation are applied all or not at all', async () => {
    const storage = await fresh()
    await storage.createGeneration(2)
    const clash = puts(names, [named('1', 'ada'), named('2', 'ada')])
    for (const ops of [clash, [...puts(things, [thing('a')]), ...clash]]) {
      let isRefused = false
      await storage.apply(2, ops).catch(() => {
        isRefused = true
      })
      assert.ok(isRefused)
      assert.equal([await ids(storage, 2), await storage.scan(2, names, '', 10)], [[], []])
    }
  })

  test('integers of any size come out of a generation as they went in', async () => {
    const storage = await fresh()
    await storage.createGeneration(2)
    const sizes = [0, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, -(2 ** 40) - 7, 2 ** 53 - 1, -(2 ** 53) + 1, null]
    const rows = sizes.map((size, i) => thing(`t${i}`, { size }))
    await storage.apply(2, puts(things, rows))
    assert.equal(
      (await storage.scan(2, things, '', 100)).map((row) => (row as Thing).size),
      sizes
    )
  })

  test('how far a generation has come is remembered with what brought it there, and forgotten with it', async () => {
    const storage = await fresh()
    assert.is(await storage.buildOf(2), null)
    await storage.createGeneration(2)
    assert.is(await storage.buildOf(2), null)
    await storage.apply(2, puts(things, [thing('a')]), { position: 7, label: 'v1' })
    assert.equal(await storage.buildOf(2), { position: 7, label: 'v1' })
    await storage.apply(2, [], { position: 9, label: 'v2' })
    await storage.apply(2, puts(things, [thing('b')]))
    assert.equal(await storage.buildOf(2), { position: 9, label: 'v2' })
    await storage.createGeneration(2)
    assert.is(await storage.buildOf(2), null)
    await storage.apply(2, [], { position: 1, label: 'v1' })
    await storage.dropGeneration(2)
    assert.is(await storage.buildOf(2), null)
  })

  test('a snapshot stays as it was while others write', async () => {
    const [storage, other] = [await fresh(), await again()]
    await change(storage, ...puts(things, [thing('a'), thing('b')]))
    const seen = await storage.snapshot(async (at) => {
      await change(other, ...puts(things, [thing('c')]), { op: 'delete', table: things, id: 'b' })
      const inside = await storage.snapshot(async (later) => (await later.scan(things, '', 10)).map(({ id }) => id))
      const rows = await at.scan(things, 'a', 10)
      return { position: at.head.position, ids: rows.map(({ id }) => id), inside }
    })
    assert.equal(seen, { position: 1, ids: ['b'], inside: ['a', 'c'] })
    assert.equal(await ids(storage, 1), ['a', 'c'])
  })

  test('what goes wrong inside a snapshot comes out as it is', async () => {
    const storage = await fresh()
    const mistake = new TypeError('mine')
    const thrown = await storage.snapshot(() => Promise.reject(mistake)).catch((error: unknown) => error)
    assert.is(thrown, mistake)
    assert.is((await storage.head()).position, 0)
  })

  test('a use of a token is remembered, the latest that was noted', async () => {
    const [storage, other] = [await fresh(), await again()]
    assert.equal([...(await storage.tokenUses())], [])
    await storage.touchTokens(new Map())
    await storage.touchTokens(new Map([['a', '2026-01-01T00:00:00.000Z']]))
    await Promise.all([
      storage.touchTokens(new Map(['b', 'a', 'c'].map((id) => [id, '2026-01-02T00:00:00.000Z']))),
      other.touchTokens(new Map(['c', 'b'].map((id) => [id, '2026-01-02T00:00:00.000Z'])))
    ])
    assert.equal(
      [...(await other.tokenUses())].toSorted(),
      ['a', 'b', 'c'].map((id) => [id, '2026-01-02T00:00:00.000Z'])
    )
    assert.is((await storage.head()).position, 0)
  })
}
