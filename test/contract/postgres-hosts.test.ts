import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Address } from '../../src/config/types.js'
import { openPostgres } from '../../src/storage/postgres.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import { afterwards } from '../support/afterwards.js'
import { installedPostgres, type PrivatePostgres, startPrivatePostgres } from '../support/postgres-service.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { needing } from '../tls/setting.js'
import { change, puts } from './commits.js'
import { asked, postgresAt } from './postgresServers.js'
import { contractTables, thing, things } from './tables.js'

const test = suite('storage: postgres with several hosts')
const withServers = await needing(test, ['postgres', await installedPostgres()])

let servers: readonly [PrivatePostgres, PrivatePostgres]

test.before(async () => {
  servers = await Promise.all([startPrivatePostgres(), startPrivatePostgres()])
})
test.after(() => Promise.all(servers?.map(({ stop }) => stop()) ?? []))
test.after.each(async () => {
  for (const server of servers) await onlyReads(server, false)
})

/** False for an answer that the database does not answer now. */
function unlessUnavailable(error: unknown): false {
  if (error instanceof StorageUnavailable) return false
  throw error
}

const place = ({ port }: { readonly port: number }): Address => ({ host: '127.0.0.1', port })

/** Has a server take no writes, or take them again, on connections that are there too. */
async function onlyReads({ port }: PrivatePostgres, is: boolean): Promise<void> {
  await asked(port, `ALTER SYSTEM ${is ? 'SET' : 'RESET'} default_transaction_read_only${is ? ' = on' : ''}`)
  await asked(port, 'SELECT pg_reload_conf()')
  const isSo = async () => (await asked(port, 'SHOW transaction_read_only'))[0]?.transaction_read_only
  while ((await isSo()) !== (is ? 'on' : 'off')) await sleep(10)
}

/** Connections of a hub to a server. */
async function connectionsTo({ port }: PrivatePostgres): Promise<number> {
  const text = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'collections-hub'"
  return Number((await asked(port, text, 'template1'))[0]?.n)
}

/** A place that takes connections and never says a word. */
async function silentPlace() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port')
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { place: place(address), isAsked: () => sockets.size > 0, close }
}

withServers('the first one is used, and the others are left alone', async () => {
  const storage = await openPostgres(postgresAt(servers.map(place)), contractTables)
  afterwards(() => storage.close())
  await storage.schema.createTables()
  await storage.head()
  assert.ok((await connectionsTo(servers[0])) > 0)
  assert.is(await connectionsTo(servers[1]), 0)
})

withServers('one that is not there is passed over', async () => {
  const gone = place({ port: await freePort() })
  const storage = await openPostgres(postgresAt([gone, place(servers[0])]), contractTables)
  afterwards(() => storage.close())
  await storage.schema.createTables()
  assert.is((await storage.head()).position, 0)
})

withServers('one that takes connections and is silent is passed over', async () => {
  const silent = await silentPlace()
  afterwards(silent.close)
  const asking = async () => {
    const storage = await openPostgres(postgresAt([silent.place, place(servers[0])]), contractTables)
    afterwards(() => storage.close())
    await storage.schema.createTables()
  }
  // On a busy machine the other one may need longer for a sign of life than somebody who asks is kept waiting.
  while (!(await asking().then(() => true, unlessUnavailable))) await sleep(100)
  assert.ok(silent.isAsked())
})

withServers('where none can be used, each is told with its reason', async () => {
  const [one, other] = [await freePort(), await freePort()]
  const error = await rejection(
    openPostgres(postgresAt([place({ port: one }), place({ port: other })]), contractTables)
  )
  assert.instance(error, StorageUnavailable)
  assert.ok(error instanceof Error && error.cause instanceof AggregateError)
  const reasons = error.cause.errors.map(String)
  assert.match(reasons[0] ?? '', `127.0.0.1:${one}: connect ECONNREFUSED`)
  assert.match(reasons[1] ?? '', `127.0.0.1:${other}: connect ECONNREFUSED`)
})

withServers('read-write passes over one that only reads, any does not', async () => {
  await onlyReads(servers[0], true)
  const storage = await openPostgres(
    postgresAt(servers.map(place), { targetSessionAttrs: 'read-write' }),
    contractTables
  )
  try {
    await storage.schema.createTables()
    assert.is(await connectionsTo(servers[0]), 0)
    assert.ok((await connectionsTo(servers[1])) > 0)
  } finally {
    await storage.close()
  }
  const any = await openPostgres(postgresAt(servers.map(place)), contractTables)
  assert.ok((await connectionsTo(servers[0])) > 0)
  await any.close()
  const only = postgresAt([place(servers[0])], { targetSessionAttrs: 'read-write' })
  const error = await rejection(openPostgres(only, contractTables))
  assert.instance(error, StorageUnavailable)
  assert.match(String(error), 'The server only reads')
})

withServers('when the one in use begins to only read, the other one is used from the next write on', async () => {
  const all = postgresAt(servers.map(place), { targetSessionAttrs: 'read-write' })
  for (const server of servers) {
    const own = await openPostgres(postgresAt([place(server)]), contractTables)
    await own.schema.createTables()
    await own.close()
  }
  const storage = await openPostgres(all, contractTables)
  afterwards(() => storage.close())
  await change(storage, ...puts(things, [thing('a')]))
  assert.is(await connectionsTo(servers[1]), 0)
  await onlyReads(servers[0], true)
  let refusals = 0
  while ((await connectionsTo(servers[1])) === 0) {
    const failed = await change(storage, ...puts(things, [thing('b')])).then(
      () => null,
      (error: unknown) => error
    )
    if (failed === null) continue
    assert.instance(failed, StorageUnavailable)
    refusals++
  }
  assert.ok(refusals > 0)
  // Whoever reads is there too, and nobody where they were.
  await change(storage, ...puts(things, [thing('c')]))
  while ((await connectionsTo(servers[0])) > 0) await sleep(10)
})

test.run()
