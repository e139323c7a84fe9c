import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { newHome } from '../cli/support.js'
import { type Driver, drivers } from '../http/drivers.js'
import { isFull } from '../support/full.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { caller, firstStart, withId } from './client.js'
import { writing } from './writing.js'

const LIMITS = { maxFailures: 10, windowSeconds: 900, blockSeconds: 900, maxFailuresPerAddress: 100 }
/** So many writes are acknowledged before each step that needs some. */
const SOME = 20

const listed = z.object({ folders: z.array(withId) })
const tablesOf = z.object({ tables: z.array(z.object({ table: z.string(), rows: z.number(), live: z.string() })) })

/** Backs up a hub that is written to, kills it, and restores it in another database. */
async function proveBackup(from: Driver, to: Driver): Promise<void> {
  const home = await newHome()
  const places = [await from.open('backup', LIMITS), await to.open('restore', LIMITS)] as const
  const port = await freePort()
  home.configure({ port, db: JSON.stringify(places[0].db) })
  const { server, call, user } = await firstStart(home, port)
  const { id } = withId.parse(await call(user, 'POST', '/collections', { name: 'Payments' }))
  const writers = writing(call, user, id)
  await writers.until(SOME)
  const before = writers.acknowledged.slice()
  const file = join(home.path, 'hub.backup')
  const created = await home.hub('backup', 'create', file)
  assert.is(created.code, 0, created.stderr)
  assert.ok(writers.acknowledged.length > before.length, 'it was written to meanwhile')
  await writers.until(writers.acknowledged.length + SOME)
  await server.stop('SIGKILL')
  await writers.done
  // What was written last is backed up without the hub, whose digests are then those of its database.
  const last = join(home.path, 'last.backup')
  assert.is((await home.here('backup', 'create', last)).code, 0)
  const { tables } = tablesOf.parse(await home.json('projections', 'verify'))

  home.configure({ port, db: JSON.stringify(places[1].db) })
  assert.is((await home.here('backup', 'verify', file)).code, 0)
  const first = await home.here('backup', 'restore', file)
  assert.is(first.code, 0, first.stderr)
  assert.match(first.stdout, 'have the digests of the hub that was backed up')
  const found = async () => {
    const again = await home.start(['start'])
    const { folders } = listed.parse(
      await caller(`http://127.0.0.1:${port}`)(user, 'GET', `/collections/${id}/folders`)
    )
    await again.stop()
    return new Set(folders.map((folder) => folder.id))
  }
  // The later backup continues the same log.
  const second = await home.here('backup', 'restore', last)
  assert.is(second.code, 0, second.stderr)
  assert.equal(tablesOf.parse(await home.json('projections', 'verify')).tables, tables, 'the digests are the same')
  const folders = await found()
  assert.equal(
    [...before, ...writers.acknowledged].filter((one) => !folders.has(one)),
    [],
    'nothing that was acknowledged is missing, and the token works'
  )
}

for (const [i, from] of drivers.entries()) {
  // Half of the pairs have each driver once: what it reads and what it writes, its contract says.
  if (i % 2 === 1 && !isFull) continue
  const to = drivers[(i + 1) % drivers.length] ?? from
  const test = suite(`a hub on ${from.name} that is backed up amid writes, killed, and restored on ${to.name}`, {
    needs: [...new Set([...from.needs, ...to.needs])]
  })
  test('has everything that was acknowledged, equal digests and working tokens', () => proveBackup(from, to), {
    timeout_ms: 150_000
  })
  test.run()
}
