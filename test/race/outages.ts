import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { openLedger } from '../../src/app/openLedger.js'
import { type CommandOrigin, type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { type Storage, StorageUnavailable } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import type { Suite } from '../support/suite.js'
import { assertUnavailable, LIMIT_MS, lostAnswerTests, newCollection, positionOf } from './lostAnswers.js'
import { type Network, startNetwork, type Wire } from './network.js'
import { newUser, settleUser, wrongs } from './world.js'

/** Where a database is. */
interface Address {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

/** A database of its own on a server that a network can lead to. */
export interface Server<A extends Address> {
  readonly config: A
  /** Keeps others from writing to the log until what it returns is called. */
  lockHead(): Promise<() => Promise<void>>
  /** Ends the sessions of everybody else in the database. */
  terminate(): Promise<void>
  /** Removes the database. */
  drop(): Promise<void>
}

/** A hanging database is given up sooner than this. */
const GIVEN_UP_MS = 3000

/** What may happen to a driver whose database is on a server. */
export function outageSuite<A extends Address>(
  test: Suite,
  wire: Wire,
  find: () => Promise<Server<A>>,
  open: (config: A) => Promise<Storage>
): void {
  let database: Server<A>
  let network: Network
  let ledger: Ledger
  let ada: CommandOrigin
  const openBehind = () => open({ ...database.config, host: '127.0.0.1', port: network.port })

  test.before(async () => {
    database = await find()
    network = await startNetwork(database.config, wire)
    const storage = await openBehind()
    await migrate(storage)
    ledger = await openLedger(storage, () => null)
    ada = await settleUser(ledger, 'ada')
  })
  test.after(async () => {
    await ledger.close()
    await network.stop()
    await database.drop()
  })
  test.after.each(async () => assert.equal(await wrongs(ledger), []))

  const behind = () => ({ network, ledger, ada })
  const create = () => newCollection(behind())
  const position = () => positionOf(behind())

  lostAnswerTests(test, behind, 5)

  test('a unique name is not taken twice by a command whose answer was lost', async () => {
    network.cutAt('before its answer reaches the client')
    await ledger.run(newUser('grace').command, systemOrigin)
    const again = await rejection(ledger.run(newUser('grace').command, systemOrigin))
    assert.match(String(again), 'User name is already in use.')
  })

  test('while the database is away everything is refused quickly, and when it is back everything works', async () => {
    await network.down()
    await assertUnavailable(() => ledger.storage.head())
    await assertUnavailable(() => ledger.readModel.current())
    await assertUnavailable(() => create())
    const many = Array.from({ length: 20 }, () => create())
    for (const one of many) assert.instance(await rejection(one), StorageUnavailable)
    await network.up()
    const before = await position()
    await Promise.all([create(), create(), create()])
    assert.is(await position(), before + 3)
  })

  test('a database that is away for a moment is not noticed by those who write', async () => {
    const before = await position()
    await network.down()
    const writing = Promise.all([create(), create()])
    await new Promise((resolve) => setTimeout(resolve, 200))
    await network.up()
    await writing
    assert.is(await position(), before + 2)
  })

  test('sessions that the server ends do not end the process', async () => {
    await database.terminate()
    await create()
    const inSession = await rejection(
      ledger.storage.snapshot(async (at) => {
        await database.terminate()
        for (const table of tables) await at.scan(table, '', 10)
      })
    )
    assert.instance(inSession, StorageUnavailable)
    const inLock = ledger.storage.schema.exclusively(async () => {
      await database.terminate()
      return 'done'
    })
    assert.is(await inLock, 'done')
    await Promise.all([create(), database.terminate(), create()])
  })

  test('a commit that waits for a lock longer than a hanging database is waited for is waited for', async () => {
    const before = await position()
    const unlock = await database.lockHead()
    const creating = create()
    await sleep(GIVEN_UP_MS + 500)
    assert.is(await position(), before, 'reading goes on meanwhile')
    await unlock()
    assert.is((await creating).position, before + 1)
  })

  for (const [what, newOnly] of [
    ['that hangs', false],
    ['whose old connections never answer again', true]
  ] as const) {
    test(`a database ${what}: whoever asks is refused, and it works when it is back`, async () => {
      // Readers and the writer have connections, and some of them are idle when it begins.
      await Promise.all([create(), ledger.storage.head(), ledger.storage.head(), ledger.storage.readLog(0, 1)])
      const before = await position()
      network.freeze()
      const asked: Promise<void>[] = []
      for (let turn = 0; turn < 12; turn++) {
        asked.push(assertUnavailable(() => ledger.readModel.current()))
        asked.push(assertUnavailable(() => ledger.storage.readLog(0, 1)))
        asked.push(assertUnavailable(() => create()))
        await sleep(250)
      }
      await Promise.all(asked)
      await assertUnavailable(() => create())

      network.thaw(newOnly)
      let isWorking = false
      while (!isWorking) {
        isWorking = await Promise.all([create(), ...Array.from({ length: 8 }, () => ledger.storage.readLog(0, 1))])
          .then(() => true)
          .catch(() => false)
        if (!isWorking) await sleep(20)
      }
      // What was refused may have happened, each at most once; what was acknowledged has.
      const after = await position()
      assert.ok(after > before && after <= before + 14, `${after - before} commits`)
    })
  }

  test('who reads a snapshot when the database begins to hang is refused', async () => {
    const reading = () =>
      ledger.storage.snapshot(async (at) => {
        network.freeze()
        for (const table of tables) await at.scan(table, '', 10)
      })
    await assertUnavailable(reading)
    network.thaw()
    while (
      await ledger.storage.head().then(
        () => false,
        () => true
      )
    )
      await sleep(20)
  })

  test('closing does not wait for a database that does not answer', async () => {
    const storage = await openBehind()
    await storage.head()
    network.freeze()
    const started = performance.now()
    await storage.close()
    assert.ok(performance.now() - started < LIMIT_MS)
    await network.down()
    network.thaw()
    await network.up()
    await ledger.storage.head().catch(() => {})
  })

  test('a database that cannot be reached, or does not let us in, is not opened', async () => {
    const { config } = database
    const others = [
      { ...config, port: 1 },
      { ...config, database: `${config.database}_none` },
      { ...config, user: 'nobody-of-that-name' }
    ]
    for (const other of others) await assertUnavailable(() => open(other))
  })
}
