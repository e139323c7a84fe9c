import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { detailOf } from '../../src/ops/check.js'
import { openPostgres } from '../../src/storage/postgres.js'
import { type Storage, StorageUnavailable } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import { type Network, startNetwork } from '../race/network.js'
import { afterwards } from '../support/afterwards.js'
import { installedPostgres, type PrivatePostgres, startPrivatePostgres } from '../support/postgres-service.js'
import { suite } from '../support/suite.js'
import { needing } from '../tls/setting.js'
import { change, puts } from './commits.js'
import { asked, postgresAt } from './postgresServers.js'
import { contractTables, thing, things } from './tables.js'

const test = suite('storage: postgres where another server takes over')
const withServers = await needing(test, ['postgres', await installedPostgres()])

let primary: PrivatePostgres
let standby: PrivatePostgres
let toPrimary: Network
let toStandby: Network

test.before(async () => {
  primary = await startPrivatePostgres()
  standby = await startPrivatePostgres({ follows: primary.port })
  const wire = { isCommit: () => false, isAnswer: () => false }
  const between = ({ port }: PrivatePostgres) => startNetwork({ host: '127.0.0.1', port }, wire)
  ;[toPrimary, toStandby] = [await between(primary), await between(standby)]
})
test.after(async () => {
  await Promise.all([toPrimary?.stop(), toStandby?.stop()])
  await Promise.all([primary?.stop(), standby?.stop()])
})

/** Does something while nobody reaches a server. */
async function without<T>(network: Network, work: () => Promise<T>): Promise<T> {
  await network.down()
  try {
    return await work()
  } finally {
    await network.up()
  }
}

/** Asks again and again, with a pause: while nobody answers the refusal comes at once, and nothing else would have its turn. */
async function untilItAnswers(storage: Storage): Promise<void> {
  while ((await storage.head().catch(() => null)) === null) await sleep(20)
}

withServers('a standby is passed over, and alone it is refused with what it is', async () => {
  const storage = await openPostgres(postgresAt([standby, primary]), contractTables)
  await storage.schema.createTables()
  await change(storage, ...puts(things, [thing('a')]))
  await storage.close()
  const error = await rejection(openPostgres(postgresAt([standby]), contractTables))
  assert.instance(error, StorageUnavailable)
  assert.match(String(error), 'The server is a standby, which only reads: name the one that it follows.')
})

withServers('a server that another has taken over from is not used again, though it takes writes', async () => {
  const storage = await openPostgres(postgresAt([toPrimary, toStandby]), contractTables)
  afterwards(() => storage.close())
  await storage.head()
  await asked(standby.port, 'SELECT pg_promote()')
  const { position } = await without(toPrimary, async () => {
    await untilItAnswers(storage)
    await change(storage, ...puts(things, [thing('b')]))
    return storage.head()
  })
  await without(toStandby, async () => {
    assert.instance(await rejection(storage.head()), StorageUnavailable)
    const error = await rejection(change(storage, ...puts(things, [thing('c')])))
    assert.instance(error, StorageUnavailable)
    assert.match(detailOf(error), 'Another server has taken over from this one')
  })
  await untilItAnswers(storage)
  assert.is((await storage.head()).position, position)
  const [former] = await asked(primary.port, 'SELECT position::int FROM hub_head')
  assert.is(former?.position, position - 1)
})

test.run()
