import * as assert from 'uvu/assert'
import { type Storage, StorageUnavailable } from '../../src/storage/storage.js'
import { tellingWaits } from '../../src/storage/waiting.js'
import { rejection } from '../log/faults.js'
import { filling } from './builds.js'
import { change, commitAfter, puts } from './commits.js'
import type { Contract } from './storage.js'
import { thing, things } from './tables.js'

/** What migrations do. */
export function schemaContract({ test, fresh, again, empty, logs }: Contract): void {
  test('what is closed can be closed again, and whatever is asked of it is an outage that leaves the log as it is', async () => {
    const [storage] = await logs(['_'])
    if (!storage) return
    await change(storage, ...puts(things, [thing('a')]))
    const head = await storage.head()
    for (let time = 1; time <= 2; time++) await storage.close()
    const many = Array.from({ length: 200 }, (_, i) => thing(`m${i}`))
    for (const ask of [
      () => storage.head(),
      () => storage.rows(1).get(things, 'a'),
      () => storage.write(async (before) => commitAfter(before, [{}])),
      () => storage.commit(commitAfter(head, [{}], puts(things, many))),
      () => storage.touchTokens(new Map([['t', '2026-01-01T00:00:00.000Z']])),
      () => storage.snapshot(async () => {})
    ])
      assert.instance(await rejection(ask()), StorageUnavailable, String(ask))
    assert.equal(await (await again()).head(), head)
  })

  test('nothing is applied where nothing was set up', async () => {
    const storage = await empty()
    assert.equal(await storage.schema.applied(), [])
  })

  test('a server says what it is before anything is set up, and how many connections its readers share', async () => {
    const storage = await empty()
    assert.match(await storage.version(), /^(memory|SQLite 3\.|PostgreSQL \d|MySQL \d|\d+\.\S*MariaDB|Firestore)/)
    const pool = storage.pool()
    if (!pool) return
    const { active, idle, waiting, max } = pool
    assert.ok(idle >= 1 && active + idle <= max, JSON.stringify(pool))
    assert.is(waiting, 0)
  })

  test('migrations are recorded, ascending, and once however often they are run', async () => {
    const storage = await fresh()
    for (const number of [2, 1, 2]) await storage.schema.record(number, `m${number}`, '2026-01-01T00:00:00.000Z')
    assert.equal(await (await again()).schema.applied(), [1, 2])
  })

  test('who has asked which migrations are there learns of those that others record', async () => {
    const [storage, other] = [await fresh(), await again()]
    assert.equal(await other.schema.applied(), [])
    for (const number of [1, 2, 3]) {
      await storage.schema.record(number, `m${number}`, '2026-01-01T00:00:00.000Z')
      assert.equal((await other.schema.applied()).at(-1), number)
    }
    assert.equal(await other.schema.applied(), [1, 2, 3])
  })

  test('a database says what it is paid for, if anything', async () => {
    const storage = await fresh()
    const before = storage.documents()
    if (!before) return
    await change(storage, ...puts(things, [thing('a')]))
    await storage.head()
    await storage.head()
    const [head, after] = [await storage.head(), storage.documents()]
    assert.is(head.position, 1)
    assert.is(after?.commits, before.commits + 1)
    assert.ok((after?.written ?? 0) > before.written)
    await storage.head()
    assert.is(
      storage.documents()?.read,
      (after?.read ?? 0) + 1,
      'a look at a log that has not moved reads one document'
    )
  })

  test('a log that many set up at once is set up for all of them', async () => {
    const all = [await empty(), ...(await Promise.all([1, 2, 3].map(again)))]
    await Promise.all(all.map(({ schema }) => schema.createTables()))
    for (const storage of all) await change(storage)
    assert.is((await all[0]?.head())?.position, all.length)
  })

  test('setting up again leaves everything as it is', async () => {
    const storage = await fresh()
    await change(storage, ...puts(things, [thing('a')]))
    const head = await storage.head()
    await storage.schema.createTables()
    assert.equal(await storage.head(), head)
    assert.is((await storage.scan(1, things, '', 10)).length, 1)
  })

  test('who writes under something else than the head names is stale, until it is read again', async () => {
    const [storage, other] = [await fresh(), await again()]
    await change(storage, ...puts(things, [thing('a')]))
    const before = await storage.head()
    await other.schema.writeUnder('v2')
    assert.is(await storage.commit(commitAfter(before, [{}], puts(things, [thing('late')]))), 'stale')
    const named = { ...before, writtenUnder: 'v2' }
    assert.equal([await storage.head(), await other.head()], [named, named])
    await other.schema.writeUnder('v3')
    assert.is(await storage.commit(commitAfter(named, [{}], puts(things, [thing('late')]))), 'stale')
    await change(storage, ...puts(things, [thing('b')]))
    assert.is((await other.head()).writtenUnder, 'v3')
    assert.is((await storage.scan(1, things, '', 10)).length, 2)
  })

  test('a name that is put into the head while others commit stands there behind them', async () => {
    const [storage, other] = [await fresh(), await again()]
    await storage.schema.writeUnder('v0')
    for (let round = 1; round <= 10; round++) {
      const commits = Array.from({ length: 3 }, () => other.write(async (head) => commitAfter(head, [{}])))
      await Promise.all([storage.schema.writeUnder(`v${round}`), ...commits])
      assert.is((await other.head()).writtenUnder, `v${round}`)
    }
  })

  test('logs with different prefixes share a database and know nothing of each other', async () => {
    const one = await fresh()
    await change(one, ...puts(things, [thing('a')]))
    await one.touchTokens(new Map([['t', '2026-01-01T00:00:00.000Z']]))
    await one.schema.record(1, 'one', '2026-01-01T00:00:00.000Z')
    const other = await fresh()
    assert.is((await other.head()).position, 0)
    assert.equal([await other.scan(1, things, '', 10), [...(await other.tokenUses())]], [[], []])
    assert.equal(await other.schema.applied(), [])
    await (await filling(other, 2)).apply(puts(things, [thing('b')]))
    assert.equal([await one.buildOf(2), await one.scan(1, things, 'a', 10)], [null, []])
    assert.is((await one.scan(1, things, '', 10)).length, 1)
  })

  test('a log that is dropped takes everything of its own away, and nothing of another whose prefix begins alike', async () => {
    for (const dropped of [0, 1]) {
      const all = await logs(['_', '_abc_', '_abcd_'])
      if (all.length === 0) return
      for (const log of all) await filled(log)
      for (let time = 1; time <= 2; time++) await all[dropped]?.schema.drop()
      for (const [i, log] of all.entries()) {
        if (i === dropped) {
          assert.equal(await log.schema.applied(), [])
          // Nothing is left that a log which is set up there now would find.
          await log.schema.createTables()
        }
        assert.equal(
          await heldIn(log),
          i === dropped ? NOTHING : EVERYTHING,
          `${dropped} was dropped, and ${i} is seen`
        )
      }
    }
  })

  test('exclusive work waits for its turn, and other writers do not wait for it', async () => {
    const [one, other] = [await fresh(), await again()]
    const order: string[] = []
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const first = one.schema.exclusively(async () => {
      begin()
      await change(other, ...puts(things, [thing('meanwhile')]))
      await other.schema.exclusively(async () => void order.push('something else'), 'verify')
      await new Promise((resolve) => setTimeout(resolve, 30))
      order.push('first')
    })
    await begun
    const second = other.schema.exclusively(async () => void order.push('second'))
    await Promise.all([first, second])
    assert.equal(order, ['something else', 'first', 'second'])
  })

  test('who waits for exclusive work gives up when it is told to, and the work goes on', async () => {
    const [one, other] = [await fresh(), await again()]
    const order: string[] = []
    await one.schema.exclusively(async () => {
      const stop = new AbortController()
      const late = other.schema.exclusively(async () => void order.push('late'), 'migrate', stop.signal)
      stop.abort('enough')
      assert.is(await late.catch((reason: unknown) => reason), 'enough')
      order.push('first')
    })
    await other.schema.exclusively(async () => void order.push('second'))
    assert.equal(order, ['first', 'second'])
  })

  test('exclusive work of one log does not wait for that of another, however long and alike their names are', async () => {
    const [one, other] = await logs(['1', '2'].map((end) => `_${'a'.repeat(30)}${end}_`))
    const done = await one?.schema.exclusively(async () => other?.schema.exclusively(async () => 'done'))
    assert.is(done, one && 'done')
  })

  test('who waits for exclusive work of another process says so after a while, and of which kind it is', async () => {
    const [one, other] = [await fresh(), await again()]
    const said: string[] = []
    const patient = tellingWaits(other, (text) => said.push(text), 50)
    for (const [what, doing] of [
      ['migrate', 'migrates this database'],
      ['rebuild', 'rebuilds the read tables of this database']
    ] as const) {
      let second: Promise<unknown> | undefined
      await one.schema.exclusively(async () => {
        second = patient.schema.exclusively(async () => {}, what)
        while (said.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
      }, what)
      await second
      assert.equal(said.splice(0), [`Waiting for another process that ${doing}…`])
    }
    const atOnce = { ...other, schema: { ...other.schema, exclusively: <T>(work: () => Promise<T>) => work() } }
    const working = tellingWaits(atOnce, (text) => said.push(text), 50)
    await working.schema.exclusively(() => new Promise((resolve) => setTimeout(resolve, 80)))
    assert.equal(said, [], 'who works waits for nobody')
  })

  test('exclusive work that fails lets go, and its mistake comes out as it is', async () => {
    const [one, other] = [await fresh(), await again()]
    const mistake = new TypeError('mine')
    const thrown = await one.schema.exclusively(() => Promise.reject(mistake)).catch((error: unknown) => error)
    assert.is(thrown, mistake)
    assert.is(await other.schema.exclusively(async () => 'done'), 'done')
  })
}

const NOTHING = { position: 0, rows: 0, filled: 0, filling: 0, uses: 0, state: null, blob: false, migrations: [] }
const EVERYTHING = { position: 1, rows: 1, filled: 1, filling: 1, uses: 1, state: 'kept', blob: true, migrations: [1] }
const IMAGE = 'a'.repeat(64)

async function filled(log: Storage): Promise<void> {
  await change(log, ...puts(things, [thing('a')]))
  await (await filling(log, 2)).apply(puts(things, [thing('b')]))
  await log.touchTokens(new Map([['t', '2026-01-01T00:00:00.000Z']]))
  await log.state.put('key', 'kept', null)
  await log.blobs.put(IMAGE, Buffer.from('image'))
  await log.schema.record(1, 'one', '2026-01-01T00:00:00.000Z')
}

async function heldIn(log: Storage) {
  const { position } = await log.head()
  return {
    position,
    rows: (await log.scan(1, things, '', 10)).length,
    // Where tables are made there are none any more.
    filled: (await log.scan(2, things, '', 10).catch(() => [])).length,
    filling: (await log.buildOf(2)) === null ? 0 : 1,
    uses: (await log.tokenUses()).size,
    state: (await log.state.get('key'))?.text ?? null,
    blob: (await log.blobs.get(IMAGE)) !== null,
    migrations: [...(await log.schema.applied())]
  }
}
