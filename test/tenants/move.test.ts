import { appendFileSync, existsSync, readdirSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { tenantsTable } from '../../commands/tenants/tenant/table.js'
import { versions } from '../../projections/index.js'
import { openReadyStorage, openStorage } from '../../src/app/databases.js'
import { openReadyLedger } from '../../src/app/hub.js'
import { loadConfig } from '../../src/config/load.js'
import { editorOrigin } from '../../src/ledger/ledger.js'
import { isClosed, SCHEMA, textOfWriting } from '../../src/ledger/release.js'
import type { Storage } from '../../src/storage/storage.js'
import { configOfTenant, type TenantAt } from '../../src/tenants/config.js'
import { type Home, newHome, postgresSection } from '../cli/support.js'
import { until } from '../http/support.js'
import { postgresDatabase } from '../support/databases.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'

const WRITERS = 6
/** Enough that a move is seen before it is over. */
const FILLED = 1500
const MOVING = 'This tenant is being moved: it can be read, and nothing can be changed. Try again in a moment.'
const withId = z.object({ id: z.string() })
const ids = z.object({ collections: z.array(withId) })
const accounts = z.object({ users: z.array(withId) })

for (const name of ['sqlite', 'postgres'] as const) {
  const test = suite(`moving a tenant on ${name}`, { needs: name === 'postgres' ? ['postgres'] : [] })
  let home: Home
  let port: number
  let drop = async () => {}

  test.before(async () => {
    home = await newHome()
    port = await freePort()
    if (name === 'postgres') {
      const database = await postgresDatabase('moves')
      if (!database) throw new Error('There is no Postgres.')
      drop = database.drop
      home.configure({ port, db: postgresSection(database.config) })
    } else home.configure({ port })
    appendFileSync(
      join(home.path, 'server.yaml'),
      'multitenancy: {enabled: true, databases: {east: {driver: sqlite, path: east/hub.sqlite}}}\n'
    )
    assert.is((await home.here('migrate')).code, 0)
  })
  test.after(async () => {
    await home?.remove()
    await drop()
  })

  const config = () => loadConfig(join(home.path, 'server.yaml'), {}).config

  /** Where the log of a tenant is now. */
  async function placeOf(tenant: string): Promise<TenantAt> {
    const hub = await openReadyStorage(config())
    const [row] = await hub.rows((await hub.head()).generation).list(tenantsTable, 'byTenant', [tenant])
    await hub.close()
    if (!row) throw new Error(`There is no tenant ${tenant}`)
    return row
  }

  async function inLog<T>(tenant: string, work: (storage: Storage) => Promise<T>): Promise<T> {
    const storage = await openStorage(configOfTenant(config(), await placeOf(tenant)).db)
    try {
      return await work(storage)
    } finally {
      await storage.close()
    }
  }

  /** Writes so much that a move takes a while. */
  async function fill(tenant: string): Promise<void> {
    const at = await placeOf(tenant)
    const ledger = await openReadyLedger(configOfTenant(config(), at))
    const made = (i: number) => ({ type: 'CreateCollection', id: `filled-${i}`, name: `Filled ${i}` }) as const
    await Promise.all(Array.from({ length: FILLED }, (_, i) => ledger.run(made(i), editorOrigin)))
    await ledger.close()
  }

  /** The files of databases there, without what SQLite keeps beside one while it is open. */
  function databasesInEast(): readonly string[] {
    const east = join(home.path, 'east')
    const names = existsSync(east) ? readdirSync(east, { recursive: true, encoding: 'utf8' }) : []
    return names.filter((name) => !/-(wal|shm)$/.test(name)).toSorted()
  }

  const people = async (tenant: string) =>
    accounts.parse(await home.json('user', 'list', '--tenant', tenant)).users.length

  test('one that is killed in the middle leaves a log that is read, and is run again', async () => {
    await home.done('tenant', 'create', 'killed', '--name', 'Killed')
    await home.done('user', 'create', '--tenant', 'killed', '--name', 'kim', '--role', 'user')
    const before = await people('killed')
    await fill('killed')
    const position = await inLog('killed', async (storage) => (await storage.head()).position)
    const closed = async () => ((await inLog('killed', (storage) => storage.head().then(isClosed))) ? true : null)
    const { pid, done } = home.run('tenant', 'move', 'killed', '--database', 'east')
    await until(closed)
    process.kill(pid, 'SIGKILL')
    assert.is((await done).signal, 'SIGKILL')
    const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`hub-move-${pid}-`))
    assert.is(left().length, 1)
    assert.is(await people('killed'), before)
    const late = await home.here('user', 'create', '--tenant', 'killed', '--name', 'late', '--role', 'user')
    assert.equal([late.code, late.stderr.split('\n')[0]], [1, MOVING])
    const again = await home.done('tenant', 'move', 'killed', '--database', 'east')
    assert.ok(again.startsWith(`Moved tenant "Killed" (killed), up to position ${position}.\n`), again)
    assert.equal(left(), [], 'what was copied of its log')
    assert.is(await people('killed'), before)
    await home.done('user', 'create', '--tenant', 'killed', '--name', 'late', '--role', 'user')
  })

  test('one whose backups are followed is followed to its new place', async () => {
    await home.done('tenant', 'create', 'followed', '--name', 'Followed')
    const args = ['backup', 'follow', 'files', '--every', '1s', '--tenant', 'followed']
    const follower = await home.start(args, 'a full backup')
    await home.done('tenant', 'move', 'followed', '--database', 'east')
    await home.done('user', 'create', '--tenant', 'followed', '--name', 'late', '--role', 'user')
    const second = () => readdirSync(join(home.path, 'files')).find((name) => name.endsWith('.00001.backup')) ?? null
    await until(second)
    assert.is((await follower.stop()).code, 0)
    assert.match(await home.done('backup', 'verify', join(home.path, 'files')), /; [23] files\./)
  })

  test('one that is interrupted leaves the log where it was, open, and no copy of it', async () => {
    await home.done('tenant', 'create', 'halted', '--name', 'Halted')
    await fill('halted')
    const before = databasesInEast()
    const closed = async () => ((await inLog('halted', (storage) => storage.head().then(isClosed))) ? true : null)
    const { pid, done } = home.run('tenant', 'move', 'halted', '--database', 'east')
    await until(closed)
    process.kill(pid, 'SIGINT')
    const { code, stderr } = await done
    assert.equal([code, stderr], [1, 'The move was stopped: the tenant is where it was.\n'])
    await home.done('user', 'create', '--tenant', 'halted', '--name', 'late', '--role', 'user')
    assert.equal(databasesInEast(), before)
  })

  test('what writers were told that is written is there after a move, and after the one back', async () => {
    await home.done('tenant', 'create', 'busy', '--name', 'Busy')
    const made = await home.done(
      'user',
      'create',
      '--tenant',
      'busy',
      '--name',
      'wim',
      '--role',
      'user',
      '--collection-access',
      '*'
    )
    const token = /hbk_[\w-]{49}/.exec(made)?.[0] ?? ''
    const server = await home.start()
    const headers = { authorization: `Bearer ${token}`, 'x-harbor-tenant': 'busy' }
    const acknowledged: string[] = []
    const statuses = new Set<number>()
    let isOver = false
    const write = async () => {
      while (!isOver) {
        const sent = {
          method: 'POST',
          body: '{"name":"Written"}',
          headers: { ...headers, 'content-type': 'application/json' }
        }
        const response = await fetch(`http://127.0.0.1:${port}/collections`, sent)
        statuses.add(response.status)
        if (response.ok) acknowledged.push(withId.parse(await response.json()).id)
        else await response.text()
        await sleep(response.ok ? 2 : 20)
      }
    }
    const writers = Promise.all(Array.from({ length: WRITERS }, write))
    try {
      for (const database of ['east', 'hub', 'east']) {
        const already = acknowledged.length
        const { code, stderr } = await home.hub('tenant', 'move', 'busy', '--database', database)
        assert.is(code, 0, stderr)
        while (acknowledged.length < already + 10) await sleep(10)
      }
    } finally {
      isOver = true
      await writers
    }
    const response = await fetch(`http://127.0.0.1:${port}/collections`, { headers })
    const held = ids.parse(await response.json()).collections.map(({ id }) => id)
    const { stdout } = await server.stop()
    assert.equal(held.toSorted(), acknowledged.toSorted())
    assert.not.ok(statuses.has(500), stdout.slice(-3000))
    assert.equal(
      [...statuses].filter((status) => ![200, 201, 503].includes(status)),
      []
    )
  })

  /** Has another release be the last to write to the log of a tenant. */
  const outdate = (tenant: string) =>
    inLog(tenant, (storage) =>
      storage.schema.writeUnder(
        textOfWriting({ schema: SCHEMA, projections: { ...versions, users: (versions.users ?? 1) - 1 } })
      )
    )

  test('hub migrate brings tenants forward, and until then their commands say what to do', async () => {
    await home.done('tenant', 'create', 'late', '--name', 'Late')
    const before = await people('late')
    await outdate('late')
    const { code, stderr } = await home.here('user', 'list', '--tenant', 'late')
    assert.is(code, 1)
    assert.match(stderr, 'Run `hub migrate` first')
    assert.is((await home.here('migrate')).code, 0)
    assert.is(await people('late'), before)
  })

  test('hub migrate brings the other tenants forward where one is away, and names that one', async () => {
    await home.done('tenant', 'create', 'aaa', '--name', 'Away', '--database', 'east')
    const [folder, away] = [join(home.path, 'east', 'tenants'), join(home.path, 'east', 'away')]
    renameSync(folder, away)
    await outdate('late')
    const { code, stdout, stderr } = await home.here('migrate')
    assert.is(code, 1)
    assert.match(stderr, /^Tenant aaa: The database of this tenant has no hub in it/)
    assert.not.match(stdout, 'completed successfully')
    await people('late')
    renameSync(away, folder)
    assert.is((await home.here('migrate')).code, 0)
  })

  test.run()
}
