import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { openReadyLedger } from '../../src/app/hub.js'
import { loadConfig } from '../../src/config/load.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { exportedEvents } from '../cli/exported.js'
import { newHome } from '../cli/support.js'
import { type Driver, firestore, mysql, postgres } from '../http/drivers.js'
import { isFull } from '../support/full.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { caller, firstStart, withId } from './client.js'

const EVENTS = Number(process.env.HUB_TEST_TRANSFER_EVENTS ?? 500)

const LIMITS = { maxFailures: 10, windowSeconds: 900, blockSeconds: 900, maxFailuresPerAddress: 100 }
const verified = z.object({
  equal: z.boolean(),
  tables: z.array(z.object({ table: z.string(), rows: z.number(), live: z.string() }))
})

const NAME = 'Zebulon Quartermain'

/** Moves a hub of many events from SQLite to another database, in two parts, between which somebody is erased. */
async function proveTransfer(driver: Driver): Promise<void> {
  const home = await newHome()
  const place = await driver.open('transfer', LIMITS)
  const port = await freePort()
  home.configure({ port })
  const { server, call, admin, user } = await firstStart(home, port)
  const { id } = withId.parse(await call(user, 'POST', '/collections', { name: 'Payments' }))
  await server.stop()
  await fill(join(home.path, 'server.yaml'), id)

  const file = join(home.path, 'log.backup')
  const done = async (...args: readonly string[]) => {
    const { code, stderr } = await home.here(...args)
    assert.is(code, 0, `${args.join(' ')}: ${stderr}`)
  }
  await done('user', 'create', '--name', NAME, '--role', 'user')
  await done('log', 'export', file)
  home.configure({ port, db: JSON.stringify(place.db) })
  await done('log', 'import', file)

  // The old hub goes on meanwhile.
  home.configure({ port })
  await done('erase', 'user', NAME, '--yes')
  await done('log', 'export', file)
  const before = verified.parse(await home.json('projections', 'verify'))
  const answers = await readAll(home, port, user, admin, id)

  home.configure({ port, db: JSON.stringify(place.db) })
  await done('log', 'import', file)
  // That changes nothing.
  await done('log', 'import', file)
  await done('audit', 'verify')
  const after = verified.parse(await home.json('projections', 'verify'))
  assert.ok(before.equal && after.equal)
  assert.equal(after.tables, before.tables, 'the digests are the same')
  assert.equal(
    await readAll(home, port, user, admin, id),
    answers,
    'the answers are the same, and the tokens still work'
  )
  const copied = JSON.stringify(await exportedEvents(home))
  assert.ok(!copied.includes(NAME) && copied.includes('Payments'), 'what was erased in between is gone')
}

/** Lets the system account write folders and users until the log is long enough. */
async function fill(configPath: string, collectionId: string): Promise<void> {
  const { config } = loadConfig(configPath, {})
  const ledger = await openReadyLedger(config)
  try {
    const count = Math.ceil(EVENTS / 100)
    for (let batch = 0; batch < count; batch++) {
      const records = Array.from({ length: 100 }, (_, i) => folder(collectionId, batch * 100 + i))
      await ledger.run({ type: 'ImportRecords', records }, systemOrigin)
    }
  } finally {
    await ledger.close()
  }
}

const THEN = '2024-03-05T10:20:30.000Z'

function folder(collectionId: string, i: number) {
  const origin = { createdAt: THEN, updatedAt: THEN, createdBy: null, updatedBy: null }
  const data = { collectionId, parentFolderId: null, sortOrder: i, name: `Folder ${i % 7} ✓`, marker: null, origin }
  return { stream: `folder-${randomUUID()}`, type: 'FolderImported', data }
}

async function readAll(
  home: Awaited<ReturnType<typeof newHome>>,
  port: number,
  user: string,
  admin: string,
  id: string
) {
  const server = await home.start(['start'])
  const call = caller(`http://127.0.0.1:${port}`)
  const read = await Promise.all([
    call(user, 'GET', '/auth/session'),
    call(user, 'GET', '/collections'),
    call(user, 'GET', `/collections/${id}/folders`),
    call(admin, 'GET', '/admin/users')
  ])
  await server.stop()
  return read
}

/** An import is a restoring, which test/whole/backup.test.ts shows on the others. */
const targets = isFull ? [postgres, mysql, firestore] : [mysql]
for (const driver of targets) {
  const test = suite(`a log exported from SQLite and imported into ${driver.name}`, { needs: driver.needs })
  test('gives equal digests and equal answers, and old tokens still work', () => proveTransfer(driver), {
    timeout_ms: 150_000
  })
  test.run()
}
