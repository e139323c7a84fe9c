import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { nameKey } from '../../commands/keys.js'
import { usersTable } from '../../commands/people/user/table.js'
import { collectionsTable } from '../../commands/records/collection/table.js'
import { foldersTable } from '../../commands/records/folder/table.js'
import { migrations } from '../../migrations/index.js'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { openLedger } from '../../src/app/openLedger.js'
import type { DbConfig } from '../../src/config/types.js'
import { type CommandOrigin, type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import type { TestDatabase } from '../contract/databases.js'
import { isFull } from '../support/full.js'
import type { Suite } from '../support/suite.js'
import { startWorker, type Worker } from './process.js'
import { newCollections, newFolders, newUser, settleUser, wrongs } from './world.js'

const MIGRATORS = isFull ? 16 : 4
/** From before the first table is there to after the last, on whatever machine and database. */
const KILLED_AFTER_MS = [0, 5, 20, 80]

/** What may happen when several processes work on one log, of a driver that processes can share. */
export function raceSuite(test: Suite, open: () => Promise<TestDatabase>): void {
  let database: TestDatabase
  let config: DbConfig
  let ledger: Ledger
  let ada: CommandOrigin
  let workers: readonly [Worker, Worker]

  test.before(async () => {
    database = await open()
    if (!database.config) throw new Error('No other process can open this database.')
    config = database.config
    const storage = await database.open(tables)
    await migrate(storage)
    ledger = await openLedger(storage, () => null)
    ada = await settleUser(ledger, 'ada')
    workers = await Promise.all([startWorker(config), startWorker(config)])
  })
  test.after(async () => {
    await Promise.all(workers.map((worker) => worker.kill()))
    await ledger.close()
  })
  test.after.each(async () => assert.equal(await wrongs(ledger), []))

  const children = (collectionId: string) => ledger.storage.rows(1).list(foldersTable, 'byCollection', [collectionId])
  const newCollection = async () => {
    const [command] = newCollections(1)
    if (!command) throw new Error('There is no command.')
    await ledger.run(command, ada)
    return command.id
  }

  test('processes that append at once all finish, and nothing is lost', async () => {
    const collectionId = await newCollection()
    const before = (await ledger.storage.head()).position
    const each = 40
    await Promise.all([
      ...workers.map((worker) => worker.run(newFolders(each, collectionId), ada)),
      ...newFolders(each, collectionId).map((command) => ledger.run(command, ada))
    ])
    assert.is((await ledger.storage.head()).position, before + 3 * each)
    const orders = (await children(collectionId)).map(({ sortOrder }) => sortOrder)
    assert.is(new Set(orders).size, 3 * each, 'no two folders have the same place')
  })

  test('processes that change one record in turn each build on what the other left', async () => {
    const collectionId = await newCollection()
    const rename = (worker: Worker, name: string) =>
      worker.run([{ type: 'CreateFolder', id: randomUUID(), collectionId, parentFolderId: null, name }], ada)
    for (let turn = 0; turn < 6; turn++) await rename(workers[turn % 2 === 0 ? 0 : 1], `turn ${turn}`)
    const names = (await children(collectionId)).map(({ body }) => JSON.parse(body).name)
    assert.equal(
      names,
      [0, 1, 2, 3, 4, 5].map((turn) => `turn ${turn}`)
    )
  })

  test('a name that two processes claim at once belongs to one of them', async () => {
    for (let round = 0; round < 5; round++) {
      const name = `twin ${round}`
      const claims = await Promise.allSettled([
        ...workers.map((worker) => worker.run([newUser(name).command], systemOrigin)),
        ledger.run(newUser(name).command, systemOrigin)
      ])
      const refusals = claims.flatMap((claim) => (claim.status === 'rejected' ? [claim.reason.message] : []))
      assert.equal(refusals, Array(2).fill('User name is already in use.'))
      assert.is((await ledger.storage.rows(1).list(usersTable, 'byNameKey', [nameKey(name)])).length, 1)
    }
  })

  test('what is added to a collection while another process deletes it is refused or goes with it', async () => {
    for (let round = 0; round < 5; round++) {
      const collectionId = await newCollection()
      const [adding, deleting] = round % 2 === 0 ? workers : [workers[1], workers[0]]
      const additions = newFolders(8, collectionId).map((command) => adding.run([command], ada))
      const outcomes = Promise.allSettled(additions)
      await deleting.run([{ type: 'DeleteCollection', id: collectionId }], ada)
      for (const outcome of await outcomes) {
        if (outcome.status === 'rejected') assert.is(outcome.reason.message, 'Collection not found')
      }
      assert.is(await ledger.storage.rows(1).get(collectionsTable, collectionId), null)
      assert.equal(await children(collectionId), [])
    }
  })

  test('a token that another process revokes changes nothing from then on', async () => {
    const { command, agent } = newUser(`revoked ${randomUUID()}`)
    await ledger.run(command, systemOrigin)
    await workers[0].run(newCollections(1), agent)
    await ledger.run({ type: 'RevokeToken', id: agent.tokenId ?? '' }, systemOrigin)
    const refusal = await workers[0].run(newCollections(1), agent).catch((error: Error) => error.message)
    assert.is(refusal, 'Unauthorized')
  })

  test('of a process that is killed while it writes, everything acknowledged is there and the log is whole', async () => {
    for (const enough of [1, 40]) {
      const victim = await startWorker(config)
      const acknowledged: string[] = []
      const writing = victim.report(newCollections(300, 'x'.repeat(500)), ada, (id) => {
        acknowledged.push(id)
        if (acknowledged.length === enough) void victim.kill()
      })
      await writing.catch(() => {})
      await victim.kill()
      assert.ok(acknowledged.length >= enough)
      const found = await ledger.storage.rows(1).getAll(collectionsTable, acknowledged)
      assert.is(found.length, acknowledged.length)
      assert.equal(await wrongs(ledger), [])
    }
    await workers[0].run(newCollections(1), ada)
  })

  test('a lock for exclusive work is free again when the process that held it is killed', async () => {
    const holder = await startWorker(config)
    await holder.hold()
    let isMine = false
    const mine = ledger.storage.schema.exclusively(async () => {
      isMine = true
    })
    await ledger.run({ type: 'CreateCollection', id: randomUUID(), name: 'meanwhile' }, ada)
    assert.not(isMine)
    await holder.kill()
    await mine
  })

  /** Works with a new database that other processes can open. */
  const withFresh = async (use: (config: DbConfig, fresh: TestDatabase) => Promise<void>) => {
    const fresh = await open()
    if (!fresh.config) throw new Error('No other process can open this database.')
    await use(fresh.config, fresh).finally(fresh.remove)
  }

  /** Every migration is recorded, and the hub that was set up is whole and can be written to. */
  const assertMigrated = async (fresh: TestDatabase) => {
    const storage = await fresh.open(tables)
    const all = migrations.map(({ number }) => number)
    assert.equal(await storage.schema.applied(), all)
    const opened = await openLedger(storage, () => null)
    await opened.run({ type: 'CreateCollection', id: randomUUID(), name: 'first' }, await settleUser(opened, 'grace'))
    assert.equal(await wrongs(opened), [])
  }

  test(
    `${MIGRATORS} processes that migrate a new database at once apply each migration once`,
    () =>
      withFresh(async (config, fresh) => {
        const migrators = await Promise.all(Array.from({ length: MIGRATORS }, () => startWorker(config)))
        const applied = await Promise.all(migrators.map((migrator) => migrator.migrate()))
        await Promise.all(migrators.map((migrator) => migrator.kill()))
        assert.equal(
          applied.filter((count) => count > 0),
          [migrations.length]
        )
        await assertMigrated(fresh)
      }),
    { timeout_ms: 90_000 }
  )

  test(
    'a migration whose process is killed in the middle is finished by the next',
    async () => {
      for (const after_ms of KILLED_AFTER_MS) {
        await withFresh(async (config, fresh) => {
          const [victim, next] = await Promise.all([startWorker(config), fresh.open(tables)])
          const dying = victim.migrate().catch(() => {})
          await setTimeout(after_ms)
          await victim.kill()
          await dying
          await migrate(next)
          await assertMigrated(fresh)
        })
      }
    },
    { timeout_ms: 90_000 }
  )

  test('a migration whose process is killed before it says that it is done is done again, and harms nothing', () =>
    withFresh(async (config, fresh) => {
      const [victim, waiting] = await Promise.all([startWorker(config), fresh.open(tables)])
      await victim.dieMigrating()
      assert.is((await migrate(waiting)).length, migrations.length)
      assert.is((await migrate(waiting)).length, 0)
      await assertMigrated(fresh)
    }))
}
