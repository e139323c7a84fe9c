import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { emitToken } from '../../commands/people/token/events.js'
import { systemCaller } from '../../commands/people/user/system.js'
import { usersTable } from '../../commands/people/user/table.js'
import { migrations } from '../../migrations/index.js'
import { tables } from '../../projections/index.js'
import { drawSecret } from '../../src/ledger/secrets.js'
import type { NewEvent } from '../../src/log/event.js'
import type { RowOp, Storage, TableSpec } from '../../src/storage/storage.js'
import { newHome } from '../cli/support.js'
import { usualDatabaseDrivers } from '../contract/databases.js'
import { anAccount, anAdmin, UNLIMITED } from '../decide/people.js'
import { appendEvents, projected } from '../support/append.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { caller } from './client.js'

const { nameKey: _, ...columns } = usersTable.columns
/** The table as it was when names were compared as they are written. */
const olderUsers: TableSpec = {
  ...usersTable,
  columns,
  indexes: { byUniqueName: { by: ['name'], order: [], unique: true }, byName: { by: [], order: ['sortKey'] } }
}
const olderTables = tables.map((table) => (table === usersTable ? olderUsers : table))

/** The tables that are new, or made in another way, since the first release. */
const CHANGED = [
  ...['users', 'groups', 'members', 'tokens', 'identities', 'signIns', 'invitations'],
  ...[
    'liveServers',
    'livePages',
    'runResults',
    'llmReservations',
    'llmUsage',
    'llmSteps',
    'llmBudgets',
    'llmBudgetUse',
    'departures'
  ],
  ...[
    'webhooks',
    'comments',
    'noticeLevels',
    'threadSubscriptions',
    'devices',
    'mlsCommits',
    'mlsWelcomes',
    'hubs',
    'tenants'
  ]
]

const users = z.object({ users: z.array(z.object({ id: z.string(), name: z.string() })) })
const NAMES = ['Ann', 'ann', 'A\u200bnn', 'sys\u00adtem']

/** Lays down a database of the first version, whose accounts have these names, and an administrator with this token. */
async function layDown(storage: Storage, names: readonly string[], hash: string): Promise<void> {
  await storage.schema.createTables()
  for (const { number, name } of migrations) await storage.schema.record(number, name, new Date().toISOString())
  const origin = { createdAt: THEN, updatedAt: THEN, createdBy: null, updatedBy: null }
  const imported = (id: string, account: object): NewEvent => {
    return { stream: `user-${id}`, type: 'UserImported', data: { account, avatar: null, origin } }
  }
  const events = [
    imported('ops', anAdmin('ops')),
    emitToken('t', 'TokenCreated', { userId: 'ops', name: 'ops', prefix: 'hbk_ops', hash, ...UNLIMITED }),
    ...names.map((name, i) => imported(`u${i}`, anAccount(name)))
  ]
  const { userId: actorId, name: actorName } = systemCaller
  const cause = { actorId, actorName, tokenId: null, address: null, requestId: null }
  const happening = { events, cause, commandId: randomUUID(), now: Date.now() }
  await appendEvents(storage, happening, { ops: (stored) => projected(stored).map(older) })
}

const THEN = '2024-03-05T10:20:30.000Z'

function older(op: RowOp): RowOp {
  if (op.op !== 'put' || op.table !== usersTable) return op
  const { nameKey: _, ...row } = { nameKey: null, ...op.row }
  return { op: 'put', table: olderUsers, row }
}

for (const { name, needs, open } of usualDatabaseDrivers) {
  const test = suite(`read tables of an older version on ${name}`, { needs })

  test('are built anew by migrate, also where two accounts now have the same name; until then nothing else is done', async () => {
    const [database, home, port] = await Promise.all([open(), newHome(), freePort()])
    const admin = drawSecret('hbk_')
    await layDown(await database.open(olderTables), NAMES, admin.hash)
    await database.disconnect()
    home.configure({ port, db: JSON.stringify(database.config) })
    const refused = await home.here('user', 'list')
    assert.is(refused.code, 1)
    assert.match(refused.stderr, /built by another version of the hub. Run `hub migrate` first/)
    assert.match(
      (await home.here('migrate', '--dry-run')).stdout,
      new RegExp(`pending: rebuild the read tables.*: ${CHANGED.join(', ')}\n`)
    )
    const migrated = await home.here('migrate')
    assert.is(migrated.code, 0, migrated.stderr)
    assert.match(
      migrated.stdout,
      new RegExp(`Rebuilt the read tables as generation 2: ${CHANGED.join(', ')} had changed`)
    )
    assert.is((await home.here('projections', 'verify')).code, 0)

    const server = await home.start(['start'])
    const call = caller(`http://127.0.0.1:${port}`)
    const listed = users.parse(await call(admin.secret, 'GET', '/admin/users'))
    assert.equal(listed.users.map(({ name }) => name).sort(), [...NAMES, 'ops'].sort())
    const taken = call(admin.secret, 'POST', '/admin/users', { name: 'ANN', role: 'user' })
    assert.match(String(await taken.catch(String)), /400 .*User name is already in use/)
    await call(admin.secret, 'PUT', '/admin/users/u1', { llmAccess: true })
    await call(admin.secret, 'PUT', '/admin/users/u1', { name: 'Anne' })
    await server.stop()

    // The whole log, with both accounts of one name, goes into an empty database.
    const file = `${home.path}/log.backup`
    assert.is((await home.here('log', 'export', file)).code, 0)
    home.configure({ port })
    const imported = await home.here('log', 'import', file)
    assert.is(imported.code, 0, imported.stderr)
    assert.is((await home.here('projections', 'verify')).code, 0)
    assert.is((await home.here('migrate')).stdout, 'Database migration completed successfully.\n')
  })

  test.run()
}
