import * as assert from 'uvu/assert'
import { z } from 'zod'
import { tables, versions } from '../../projections/index.js'
import { SCHEMA, textOfWriting } from '../../src/ledger/release.js'
import { verifyChain } from '../../src/trust/audit/verify.js'
import { postgresTestDatabase, sqliteDatabase, type TestDatabase } from '../contract/databases.js'
import { isFull } from '../support/full.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { firstSecret, type Home, newHome } from './support.js'

const newerSchema = { schema: SCHEMA + 1, projections: versions }
const newerTables = { schema: SCHEMA, projections: { ...versions, users: (versions.users ?? 0) + 1 } }
const olderTables = { schema: SCHEMA, projections: { ...versions, users: (versions.users ?? 0) - 1 } }
const olderSchema = { schema: SCHEMA - 1, projections: versions }

const created = z.object({ user: z.object({ id: z.string() }) })
/** So many writes are answered before the schema is named, and so many each writer would make at most. */
const SOME = 20
const WRITES_MAX = 10_000

for (const [driver, needs, open] of [
  ['sqlite', [], sqliteDatabase],
  ['postgres', ['postgres'], postgresTestDatabase]
] as const) {
  const test = suite(`a database of another release on ${driver}`, { needs: [...needs] })
  let database: TestDatabase
  let home: Home
  let port: number

  test.before.each(async () => {
    ;[database, home, port] = await Promise.all([open(), newHome(), freePort()])
    home.configure({ port, db: JSON.stringify(database.config) })
  })

  /** What the head names from here on, as if another release had written it. */
  const name = async (writing: Parameters<typeof textOfWriting>[0]) => {
    const storage = await database.open(tables)
    await storage.schema.writeUnder(textOfWriting(writing))
    await storage.close()
  }
  const session = (secret: string) =>
    fetch(`http://127.0.0.1:${port}/auth/session`, { headers: { authorization: `Bearer ${secret}` } })

  test('stops a hub that is running when it comes to be one: it writes nothing more, says why, and leaves', async () => {
    const server = await home.start(['start', '--init'], 'First collection')
    const secret = firstSecret(server)
    assert.is((await session(secret)).status, 200)
    const watching = await database.open(tables)
    const { position } = await watching.head()
    await name(newerTables)
    const create = () =>
      fetch(`http://127.0.0.1:${port}/collections`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: '{"name":"late"}'
      })
    const refused = [await create(), await session(secret)]
    for (const reply of refused) {
      assert.is(reply.status, 503)
      assert.match(await reply.text(), /the database was changed by another version .*\(users \d+, here \d+/)
    }
    assert.is((await fetch(`http://127.0.0.1:${port}/health`)).status, 200)
    const { code, stderr } = await server.ended()
    assert.is(code, 1)
    assert.match(stderr, /^This hub has stopped: the database was changed by another version since it started\. .*\n$/)
    assert.is((await watching.head()).position, position)
  })

  test('commits nothing more from the moment that a migration names the next schema, and loses nothing that it has answered', async () => {
    const server = await home.start(['start', '--init'], 'First collection')
    const secret = firstSecret(server)
    const watching = await database.open(tables)
    const answered: string[] = []
    let arrived = () => {}
    const some = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const write = async (_: unknown, number: number) => {
      for (let i = 0; i < WRITES_MAX; i++) {
        const reply = await fetch(`http://127.0.0.1:${port}/admin/users`, {
          method: 'POST',
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          body: JSON.stringify({ name: `early ${number} ${i}`, role: 'user' })
        }).catch(() => null)
        if (reply?.status !== 201) return reply?.status
        answered.push(created.parse(await reply.json()).user.id)
        if (answered.length >= SOME) arrived()
      }
      return null
    }
    const writers = Array.from({ length: 4 }, write)
    assert.is(await Promise.race([some.then(() => 'some'), ...writers]), 'some')
    await name(newerSchema)
    const { position } = await watching.head()
    // Not one came to the end of what it would write.
    assert.ok((await Promise.all(writers)).every((status) => status === 503 || status === undefined))
    assert.is((await server.ended()).code, 1)
    assert.is((await watching.head()).position, position)
    assert.equal((await verifyChain(watching)).bad, null)
    const streams = new Set((await watching.readTypes(0, position)).map(({ stream }) => stream))
    assert.equal(
      answered.filter((id) => !streams.has(`user-${id}`)),
      []
    )
    await watching.close()
  })

  // What follows is decided above the storage.
  if (driver !== 'sqlite' && !isFull) {
    test.run()
    continue
  }

  test('is refused at start where the release is a newer one, and left as it is', async () => {
    assert.is((await home.here('migrate')).code, 0)
    await name(newerSchema)
    for (const command of [['start'], ['start', '--init'], ['user', 'list'], ['migrate'], ['projections', 'rebuild']]) {
      const { code, stderr } = await home.here(...command)
      assert.is(code, 1)
      assert.is(
        stderr,
        'The database was set up by another version of the hub. Start that version; of one before 1.0.0 a backup is restored: see docs/upgrade.md.\n'
      )
    }
    await name(newerTables)
    for (const command of [['start'], ['start', '--init'], ['user', 'list'], ['migrate']]) {
      const { code, stderr } = await home.here(...command)
      assert.is(code, 1)
      assert.match(
        stderr,
        /A newer version of the hub writes to this database \(users \d+, here \d+\)\. Start that version\./
      )
    }
    assert.is((await home.here('projections', 'rebuild')).code, 0)
    assert.is((await home.here('user', 'list')).code, 0)
  })

  test('is brought forward by start, with and without --init, where the release is an older one', async () => {
    assert.is((await home.here('migrate')).code, 0)
    await name(olderTables)
    // A backup is for the program of before: docs/upgrade.md says so.
    for (const command of [
      ['user', 'list'],
      ['backup', 'create', 'before.backup']
    ]) {
      const { code, stderr } = await home.here(...command)
      assert.is(code, 1)
      assert.match(stderr, /built by another version of the hub\. Run `hub migrate` first/)
    }
    const server = await home.start(['start', '--init'])
    assert.match(server.stdout(), /Rebuilt the read tables as generation \d+: users had changed\./)
    await server.stop()
    await name(olderSchema)
    await (await home.start(['start'])).stop()
    assert.is((await home.here('projections', 'verify')).code, 0)
  })

  test.run()
}
