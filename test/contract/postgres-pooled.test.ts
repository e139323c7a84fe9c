import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { openLedger } from '../../src/app/openLedger.js'
import type { PostgresConfig } from '../../src/config/types.js'
import { openPostgres } from '../../src/storage/postgres.js'
import type { Storage } from '../../src/storage/storage.js'
import { settleUser, wrongs } from '../race/world.js'
import { postgresDatabase } from '../support/databases.js'
import { PGBOUNCER_PLACES, startPgbouncer } from '../support/pgbouncer.js'
import { suite } from '../support/suite.js'
import { needing } from '../tls/setting.js'

const test = suite('storage: postgres behind a pooler', { needs: ['postgres'] })
const withPooler = await needing(test, ['pgbouncer', PGBOUNCER_PLACES])

const IGNORED = 'ignore_startup_parameters = statement_timeout,options,extra_float_digits'

for (const mode of ['transaction', 'session'] as const)
  for (const more of [[], [IGNORED]])
    withPooler(
      `${mode} pooling${more.length > 0 ? ' that ignores settings' : ''}: hubs that share connections lose nothing`,
      () =>
        behind({ mode, size: mode === 'session' ? 30 : 6, more }, async (open) => {
          const storages = await Promise.all([open(), open(), open()])
          await migrate(storages[0])
          const ledgers = await Promise.all([opened(storages[0]), opened(storages[1]), opened(storages[2])])
          const ada = await settleUser(ledgers[0], 'ada')
          const commands = Array.from(
            { length: 20 },
            (_, i) => ({ type: 'CreateCollection', id: randomUUID(), name: `c${i}` }) as const
          )
          const before = (await storages[0].head()).position
          await Promise.all(
            ledgers.map(async (ledger) => {
              for (const command of commands) {
                await ledger.run({ ...command, id: randomUUID() }, ada)
                await ledger.readModel.current()
              }
            })
          )
          assert.is((await storages[0].head()).position, before + ledgers.length * commands.length)
          for (const ledger of ledgers) assert.equal(await wrongs(ledger), [])
          await Promise.all(ledgers.map((ledger) => ledger.close()))
        })
    )

withPooler('what is to be done alone is, over connections that are given out by the transaction', () =>
  behind({ mode: 'transaction', size: 6 }, async (open) => {
    const storages = await Promise.all([open(), open(), open()])
    await migrate(storages[0])
    let running = 0
    const most: number[] = []
    await Promise.all(
      storages.map((storage) =>
        storage.schema.exclusively(async () => {
          most.push(++running)
          await sleep(50)
          await storage.head()
          running--
        })
      )
    )
    assert.equal(most, [1, 1, 1])
  })
)

const opened = (storage: Storage) => openLedger(storage, () => null)

async function behind(
  settings: Parameters<typeof startPgbouncer>[1],
  work: (open: () => Promise<Storage>) => Promise<void>
): Promise<void> {
  const database = await postgresDatabase('pooled')
  if (database === null) throw new Error('There is no Postgres.')
  const pooler = await startPgbouncer(database.config, settings)
  const config: PostgresConfig = { ...database.config, host: '127.0.0.1', port: pooler.port }
  const all: Storage[] = []
  try {
    await work(async () => {
      const storage = await openPostgres(config, tables)
      all.push(storage)
      return storage
    })
  } finally {
    await Promise.all(all.map((storage) => storage.close()))
    await pooler.stop()
    await database.drop()
  }
}

test.run()
