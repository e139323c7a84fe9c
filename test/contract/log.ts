import * as assert from 'uvu/assert'
import { LIMITS } from '../../src/limits.js'
import { GENESIS, link, seal } from '../../src/log/chain.js'
import type { Sealed } from '../../src/log/event.js'
import { columnOf } from '../../src/storage/order.js'
import { WHOLE_LOG } from '../../src/storage/search.js'
import type { LogFilter } from '../../src/storage/storage.js'
import { change, commitAfter, puts } from './commits.js'
import type { Contract } from './storage.js'
import { named, names, thing, things } from './tables.js'

/** The log itself: commits, positions, reading. */
export function logContract({ test, fresh, again }: Contract): void {
  test('a fresh log ends at position 0 with an empty past', async () => {
    const storage = await fresh()
    const { position, chain, generation } = await storage.head()
    assert.equal([position, chain, generation], [0, GENESIS, 1])
    assert.equal(await storage.readLog(0, 10), [])
  })

  test('a commit moves the head, stores its events as they are and changes rows', async () => {
    const storage = await fresh()
    const commit = commitAfter(
      await storage.head(),
      [
        { stream: 'thing-a', tokenId: 'token' },
        { stream: 'thing-b', payload: seal('{"a":"Ä \\u0000"}') }
      ],
      puts(things, [thing('a')])
    )
    assert.is(await storage.commit(commit), 'committed')
    assert.equal(await storage.head(), commit.head)
    assert.equal(await storage.readLog(0, 10), commit.events)
    assert.equal((await storage.rows(1).get(things, 'a'))?.id, 'a')
  })

  test('the head keeps the seal of the commit that it comes from, and none where that has none', async () => {
    const storage = await fresh()
    for (const seal of ['0123456789abcdef.one', '0123456789abcdef.other', undefined, '0123456789abcdef.third']) {
      const { head, ...commit } = commitAfter(await storage.head(), [{}])
      const { seal: _, ...unsealed } = head
      const next = seal === undefined ? unsealed : { ...unsealed, seal }
      assert.is(await storage.commit({ ...commit, head: next }), 'committed')
      for (const one of [storage, await again()]) assert.equal(await one.head(), next)
      assert.equal(await storage.snapshot(async (at) => at.head), next)
    }
  })

  test('what another connection has committed is seen at once', async () => {
    const [one, other] = [await fresh(), await again()]
    await change(one, ...puts(things, [thing('a')]))
    assert.is((await other.head()).position, 1)
    assert.is((await other.rows(1).get(things, 'a'))?.id, 'a')
  })

  test('a commit behind the head is stale and changes nothing', async () => {
    const storage = await fresh()
    const before = await storage.head()
    await change(storage)
    const head = await storage.head()
    const late = commitAfter(
      before,
      [{ stream: 'thing-late' }, { stream: 'thing-later' }],
      puts(things, [thing('late')])
    )
    assert.is(await storage.commit(late), 'stale')
    assert.equal(await storage.head(), head)
    assert.is((await storage.readLog(0, 10)).length, 1)
    assert.is(await storage.rows(1).get(things, 'late'), null)
  })

  test('a commit beyond the head is stale, so positions have no gaps', async () => {
    const storage = await fresh()
    const beyond = commitAfter({ ...(await storage.head()), position: 5 }, [{}])
    assert.is(await storage.commit(beyond), 'stale')
    assert.is((await storage.head()).position, 0)
  })

  test('a commit that continues another past than the one in the log is stale', async () => {
    const storage = await fresh()
    await change(storage)
    const other = commitAfter({ ...(await storage.head()), chain: GENESIS }, [{}])
    assert.is(await storage.commit(other), 'stale')
    assert.is((await storage.head()).position, 1)
  })

  test('of commits that race for one position exactly one succeeds', async () => {
    const storage = await fresh()
    const storages = [storage, await again(), await again()]
    for (let round = 0; round < 5; round++) {
      const after = await storage.head()
      const outcomes = await Promise.all(
        storages.map((one, i) => one.commit(commitAfter(after, [{ stream: `thing-${round}-${i}` }])))
      )
      assert.equal(outcomes.toSorted(), ['committed', 'stale', 'stale'])
    }
    const log = await storage.readLog(0, 100)
    assert.equal(
      log.map(({ position }) => position),
      [1, 2, 3, 4, 5]
    )
    log.reduce((previous, event) => {
      assert.is(event.chain, link(previous, event))
      return event.chain
    }, GENESIS)
  })

  test('a commit that breaks a unique key is refused as a whole', async () => {
    const storage = await fresh()
    await change(storage, ...puts(names, [named('1', 'ada')]))
    const head = await storage.head()
    const ops = [...puts(things, [thing('a')]), ...puts(names, [named('2', 'ada')])]
    await rejects(storage.commit(commitAfter(head, [{}], ops)))
    assert.equal(await storage.head(), head)
    assert.is(await storage.rows(1).get(things, 'a'), null)
    assert.is((await storage.readLog(0, 10)).length, 1)
    await change(storage, ...puts(names, [named('2', 'Ada')]))
    assert.is((await storage.head()).position, 2)
  })

  test('a unique key that a commit sets free is free for what it puts behind that', async () => {
    const storage = await fresh()
    await change(storage, ...puts(names, [named('1', 'ada'), named('2', 'bob'), named('3', 'cid')]))
    await change(
      storage,
      { op: 'delete', table: names, id: '1' },
      { op: 'patch', table: names, id: '2', set: { name: 'ada' } },
      { op: 'patch', table: names, id: '3', set: { name: 'dan' } },
      ...puts(names, [named('4', 'bob'), named('5', 'cid')])
    )
    assert.equal(
      (await storage.scan(1, names, '', 10)).map((row) => [row.id, columnOf(row, 'name')]),
      [
        ['2', 'ada'],
        ['3', 'dan'],
        ['4', 'bob'],
        ['5', 'cid']
      ]
    )
  })

  test('a version that a stream already has is refused with its whole commit', async () => {
    const storage = await fresh()
    await change(storage)
    const head = await storage.head()
    const [first] = await storage.readLog(0, 1)
    const again = commitAfter(head, [{}, { stream: first?.stream ?? '', version: 1 }], puts(things, [thing('a')]))
    await rejects(storage.commit(again))
    assert.equal(await storage.head(), head)
    assert.is(await storage.rows(1).get(things, 'a'), null)
  })

  test('the log is read from any position, up to a limit', async () => {
    const storage = await fresh()
    await storage.commit(commitAfter(await storage.head(), Array(7).fill({})))
    const positions = async (after: number, limit: number) =>
      (await storage.readLog(after, limit)).map(({ position }) => position)
    assert.equal(await positions(0, 3), [1, 2, 3])
    assert.equal(await positions(3, 3), [4, 5, 6])
    assert.equal(await positions(6, 3), [7])
    assert.equal(await positions(7, 3), [])
  })

  test('an answer with texts ends where a page is full, and the next one goes on there', async () => {
    const storage = await fresh()
    const large = Array.from({ length: 7 }, (_, i) => ({
      stream: 'thing-a',
      version: i + 1,
      payload: seal(JSON.stringify('x'.repeat(i === 3 ? LIMITS.page.max + 1 : LIMITS.page.max / 2.5)))
    }))
    await storage.commit(commitAfter(await storage.head(), large))
    const readers = {
      log: (after: number) => storage.readLog(after, 7),
      positions: (after: number) => storage.readAt([1, 2, 3, 4, 5, 6, 7].slice(after))
    }
    for (const [name, read] of Object.entries(readers)) {
      const seen: number[][] = []
      for (let after = 0; ; ) {
        const page = await read(after)
        if (page.length === 0) break
        seen.push(page.map(({ position }) => position))
        after = page.at(-1)?.position ?? 7
      }
      assert.equal(seen.flat(), [1, 2, 3, 4, 5, 6, 7], name)
      assert.ok(seen.length >= 4 && seen.every((page) => page.length <= 2), `${name}: ${JSON.stringify(seen)}`)
    }
    assert.is((await storage.readHeaders(0, 7)).length, 7)
    assert.equal(
      (await storage.readTypes(2, 5)).map(({ position, stream, type, chain }) => [position, stream, type, chain]),
      (await storage.readHeaders(2, 3)).map(({ position, stream, type, chain }) => [position, stream, type, chain])
    )
    assert.equal(await storage.readTypes(7, 7), [])
  })

  test('the newest event of each stream is found by its types, up to a position', async () => {
    const storage = await fresh()
    const events = [
      { stream: 'thing-a', version: 1, type: 'Made' },
      { stream: 'thing-b', version: 1, type: 'Made' },
      { stream: 'thing-a', version: 2, type: 'Changed' },
      { stream: 'thing-a', version: 3, type: 'Moved' },
      { stream: 'thing-b', version: 2, type: 'Changed' }
    ]
    await storage.commit(commitAfter(await storage.head(), events))
    const found = async (streams: string[], types: string[], through = 5) =>
      (await storage.lastOf(streams, types, through)).map(({ position }) => position).sort((a, b) => a - b)
    assert.equal(await found(['thing-a', 'thing-b', 'thing-c'], ['Made', 'Changed']), [3, 5])
    assert.equal(await found(['thing-a', 'thing-b'], ['Made', 'Changed'], 4), [2, 3])
    assert.equal(await found(['thing-b'], ['Moved']), [])
    assert.equal(await found([], ['Made']), [])
  })

  test('a stream is found apart from all others', async () => {
    const storage = await fresh()
    const [a, ab] = ['thing-a', 'thing-ab']
    await storage.commit(
      commitAfter(await storage.head(), [
        { stream: a, version: 1 },
        { stream: ab, version: 1 },
        { stream: a, version: 2 },
        { stream: a, version: 3 }
      ])
    )
    const found = async (stream: string, limit: number) =>
      (await storage.searchLog({ streams: [stream] }, WHOLE_LOG, limit, false)).map((one) => [
        one.version,
        one.position
      ])
    assert.equal(await found(a, 2), [
      [1, 1],
      [2, 3]
    ])
    assert.equal((await found(a, 10)).at(-1), [3, 4])
    assert.equal(await found('thing-none', 10), [])
  })

  test('a search finds the events that a filter wants, in a stretch of the log, from either end', async () => {
    const storage = await fresh()
    const who = (address: string) => seal(JSON.stringify({ address, name: 'Ada' }))
    const events = [
      { stream: 'thing-a', actorId: 'ada', tokenId: 'one', type: 'Made', who: who('10.0.0.1') },
      { stream: 'other-a', actorId: 'bob', requestId: 'r%', type: 'Made', who: who('10.0.0.11') },
      { stream: 'thing-b', actorId: 'ada', type: 'Changed', who: who('::1') },
      { stream: 'thing_b', actorId: 'ada', type: 'Made', who: who('10.0.0.1') },
      {
        stream: 'thing-a',
        version: 2,
        actorId: 'bob',
        type: 'Changed',
        who: { ...who('10.0.0.1'), text: null, salt: null }
      }
    ]
    await storage.commit(commitAfter(await storage.head(), events))
    const all = { after: 0, through: 5 }
    const found = async (filter: LogFilter, within = all, limit = 10, newestFirst = false) =>
      (await storage.searchLog(filter, within, limit, newestFirst)).map(({ position }) => position)
    assert.equal(await found({}), [1, 2, 3, 4, 5])
    assert.equal(await found({ actorId: 'ada' }), [1, 3, 4])
    assert.equal(await found({ actorId: 'ada' }, { after: 1, through: 3 }), [3])
    assert.equal(await found({ actorId: 'ada' }, all, 2, true), [4, 3])
    assert.equal(await found({ tokenId: 'one', types: ['Made'] }), [1])
    assert.equal(await found({ requestId: 'r%' }), [2])
    assert.equal(await found({ address: '10.0.0.1' }), [1, 4])
    assert.equal(await found({ streamPrefix: 'thing-' }), [1, 3, 5])
    assert.equal(await found({ streamPrefix: 'thing_' }), [4])
    assert.equal(await found({ streams: ['thing-a', 'other-a'], types: ['Made'] }), [1, 2])
    assert.equal(await found({ streams: ['thing-a', 'thing-b', 'thing-a'] }), [1, 3, 5], 'each once')
    assert.equal(await found({ actorId: 'nobody' }), [])
    assert.equal(await found({ streams: ['thing-a', 'other-a', 'thing-b'] }, { after: 1, through: 4 }, 2, true), [3, 2])
    assert.equal(await found({ streams: ['thing-a'], actorId: 'bob' }, all, 5, true), [5])
    assert.equal(await found({ streams: [] }), [])
    const many = Array.from({ length: 40 }, (_, i) => `Made${i}`)
    assert.equal(await found({ streams: ['thing-a', 'thing-b'], types: [...many, 'Changed'] }, all, 2, true), [5, 3])
    const [event] = await storage.readLog(0, 1)
    if (event) await storage.erase([{ event, part: 'who', text: null }])
    assert.equal(await found({ address: '10.0.0.1' }), [4])
  })

  test('addresses that begin alike for longer than an index looks are told apart', async () => {
    const storage = await fresh()
    const addresses = ['a', 'b', 'c"', 'c"d'].map((end) => `${'x'.repeat(80)}${end}`)
    const events = addresses.map((address) => ({ who: seal(JSON.stringify({ address, name: 'Ada' })) }))
    await storage.commit(commitAfter(await storage.head(), events))
    for (const [i, address] of addresses.entries()) {
      const found = await storage.searchLog({ address }, WHOLE_LOG, 10, false)
      assert.equal(
        found.map(({ position }) => position),
        [i + 1],
        address
      )
    }
  })

  test('what is erased is gone with its salt, or has something else in its place, and all else is as it was', async () => {
    const storage = await fresh()
    await storage.commit(commitAfter(await storage.head(), [{}, {}]))
    const [event, other] = await storage.readLog(0, 2)
    if (!event) throw new Error('There is no event.')
    const { who, payload } = event
    const gone = (sealed: Sealed, text: string | null): Sealed => ({ ...sealed, text, salt: null })
    const told = async () =>
      (await storage.readHeaders(0, 1)).map(({ whoErased, payloadErased }) => [whoErased, payloadErased])
    for (let time = 1; time <= 2; time++) {
      await storage.erase([{ event, part: 'payload', text: '{"rest":1}' }])
      assert.equal(await storage.readLog(0, 2), [{ ...event, payload: gone(payload, '{"rest":1}') }, other])
    }
    assert.equal(await told(), [[false, false]])
    await storage.erase([
      { event, part: 'who', text: null },
      { event, part: 'payload', text: null }
    ])
    assert.equal(await storage.readAt([1, 2]), [
      { ...event, who: gone(who, null), payload: gone(payload, null) },
      other
    ])
    assert.equal(await told(), [[true, true]])
  })
}

async function rejects(promise: Promise<unknown>): Promise<void> {
  try {
    await promise
  } catch {
    return
  }
  assert.unreachable('It did not reject.')
}
