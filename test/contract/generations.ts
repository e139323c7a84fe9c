import * as assert from 'uvu/assert'
import { BuildLost, type Storage } from '../../src/storage/storage.js'
import { builderOf, filling, goingOn } from './builds.js'
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
    const second = await filling(storage, 2)
    assert.equal(await ids(storage, 2), [])
    await second.apply(puts(things, [thing('built')]))
    await second.apply([])
    assert.equal([await ids(storage, 1), await ids(storage, 2)], [['live'], ['built']])
    assert.equal((await storage.rows(2).list(things, 'byParent', ['p1'])).length, 1)
  })

  test('a generation that was filled is completed, also twice, and goes on', async () => {
    const storage = await fresh()
    const second = await filling(storage, 2)
    await second.apply(puts(things, [thing('b', { sortOrder: 2 }), thing('a', { sortOrder: 1 })]))
    const removal = { op: 'deleteWhere', table: things, column: 'parent', value: 'p2' } as const
    await second.apply([...puts(things, [thing('c', { parent: 'p2' }), thing('d', { sortOrder: 0 })]), removal])
    const listed = await storage.rows(2).list(things, 'byParent', ['p1'])
    assert.equal(
      listed.map(({ id }) => id),
      ['d', 'a', 'b']
    )
  })

  test('creating a generation again starts from nothing', async () => {
    const storage = await fresh()
    for (const id of ['a', 'b']) await (await filling(storage, 2)).apply(puts(things, [thing(id)]))
    assert.equal(await ids(storage, 2), ['b'])
  })

  test('a generation is dropped, also when it is gone already', async () => {
    const storage = await fresh()
    await filling(storage, 2)
    for (const generation of [2, 2, 3]) await storage.dropGeneration(generation, await builderOf(storage, generation))
    await filling(storage, 2)
    assert.equal(await ids(storage, 2), [])
  })

  test('a commit switches the live generation and writes its rows there', async () => {
    const [storage, other] = [await fresh(), await again()]
    await change(storage)
    const fence = (await filling(storage, 2)).fence()
    const { head, ...commit } = commitAfter(await storage.head(), [{}], puts(things, [thing('new')]))
    await storage.commit({ ...commit, head: { ...head, generation: 2 }, switch: { fence, left: 'was live' } })
    const before = await storage.buildOf(1)
    assert.equal([before?.label, before?.position], ['was live', 1])
    assert.is((await other.head()).generation, 2)
    assert.equal([await ids(other, 1), await ids(other, 2)], [[], ['new']])
  })

  test('changes of a generation are applied all or not at all', async () => {
    const storage = await fresh()
    const second = await filling(storage, 2)
    const clash = puts(names, [named('1', 'ada'), named('2', 'ada')])
    for (const ops of [clash, [...puts(things, [thing('a')]), ...clash]]) {
      let isRefused = false
      await second.apply(ops).catch(() => {
        isRefused = true
      })
      assert.ok(isRefused)
      assert.equal([await ids(storage, 2), await storage.scan(2, names, '', 10)], [[], []])
    }
  })

  test('integers of any size come out of a generation as they went in', async () => {
    const storage = await fresh()
    const second = await filling(storage, 2)
    const sizes = [0, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, -(2 ** 40) - 7, 2 ** 53 - 1, -(2 ** 53) + 1, null]
    const rows = sizes.map((size, i) => thing(`t${i}`, { size }))
    await second.apply(puts(things, rows))
    assert.equal(
      (await storage.scan(2, things, '', 100)).map((row) => (row as Thing).size),
      sizes
    )
  })

  test('how far a generation has come is remembered with what brought it there, and forgotten with it', async () => {
    const storage = await fresh()
    const second = await filling(storage, 2, 'v1')
    const come = async () => {
      const build = await storage.buildOf(2)
      return build && [build.position, build.label]
    }
    assert.equal(await come(), [0, 'v1'])
    await second.apply(puts(things, [thing('a')]), 7)
    assert.equal(await come(), [7, 'v1'])
    await second.apply([], 9)
    assert.equal(await come(), [9, 'v1'])
    await filling(storage, 2, 'v2')
    assert.equal(await come(), [0, 'v2'])
    await storage.dropGeneration(2, await builderOf(storage, 2))
    assert.equal(await come(), [0, ''])
  })

  const lost = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => null,
      (error: unknown) => error
    )
    assert.instance(error, BuildLost)
  }

  test('a builder whose generation was taken over changes nothing any more, and the other goes on where it was', async () => {
    const [storage, other] = [await fresh(), await again()]
    const first = await filling(storage, 2)
    await first.apply(puts(things, [thing('a')]), 5)
    const taken = await other.takeOver(2, await builderOf(other, 2))
    assert.equal([taken.position, taken.label], [5, 'v1'])
    const removal = { op: 'deleteWhere', table: things, column: 'parent', value: 'p1' } as const
    await lost(first.apply(puts(things, [thing('late')])))
    await lost(first.apply([removal]))
    await lost(storage.dropGeneration(2, first.fence().builder))
    await lost(storage.createGeneration(2, first.fence().builder, 'v1'))
    await lost(storage.takeOver(2, first.fence().builder))
    const commit = commitAfter(await storage.head(), [{}], puts(things, [thing('late')]))
    const head = { ...commit.head, generation: 2 }
    await lost(storage.commit({ ...commit, head, switch: { fence: first.fence(), left: '' } }))
    await goingOn(other, 2, taken).apply(puts(things, [thing('b')]))
    assert.equal(await ids(other, 2), ['a', 'b'])
    assert.equal([(await other.head()).position, (await other.head()).generation], [0, 1])
  })

  test('changes apply where the build is, and nowhere else', async () => {
    const storage = await fresh()
    const second = await filling(storage, 2)
    const before = second.fence()
    await second.apply(puts(things, [thing('a')]), 5)
    await lost(storage.apply(before, puts(things, [thing('b')]), 5))
    await lost(storage.apply({ ...before, position: 9 }, puts(things, [thing('b')]), 10))
    for (const ops of [puts(things, [thing('b')]), []]) await lost(storage.apply({ ...before, generation: 3 }, ops, 10))
    assert.equal(await ids(storage, 2), ['a'])
  })

  test('whoever has not seen who builds a generation takes nothing from them', async () => {
    const storage = await fresh()
    const second = await filling(storage, 2)
    await second.apply(puts(things, [thing('a')]))
    await lost(storage.createGeneration(2, null, 'v1'))
    await lost(storage.takeOver(2, null))
    await lost(storage.dropGeneration(2, null))
    await second.apply(puts(things, [thing('b')]))
    assert.equal(await ids(storage, 2), ['a', 'b'])
  })

  test('a generation that is live is nobody’s to make, drop, fill or take over', async () => {
    const storage = await fresh()
    await change(storage, ...puts(things, [thing('first')]))
    await lost(storage.createGeneration(1, await builderOf(storage, 1), 'v1'))
    await lost(storage.dropGeneration(1, await builderOf(storage, 1)))
    await lost(storage.takeOver(1, await builderOf(storage, 1)))
    assert.equal(await ids(storage, 1), ['first'])
    const second = await filling(storage, 2)
    await second.apply(puts(things, [thing('built')]), 1)
    const { head, ...commit } = commitAfter(await storage.head(), [{}])
    await storage.commit({ ...commit, head: { ...head, generation: 2 }, switch: { fence: second.fence(), left: 'l' } })
    await lost(second.apply(puts(things, [thing('late')])))
    await lost(storage.dropGeneration(2, await builderOf(storage, 2)))
    await lost(storage.takeOver(2, await builderOf(storage, 2)))
    assert.equal(await ids(storage, 2), ['built'])
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
