import * as assert from 'uvu/assert'
import { z } from 'zod'
import { newHome } from '../cli/support.js'
import { postgresDatabase, redisSpace } from '../support/databases.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { firstStart, withId } from './client.js'

const WRITES = 1000
const KILL_AFTER = 400
const CLIENTS = 16

/** Kills a hub in the middle of many writes and returns once everything acknowledged was found after the next start. */
async function killAmidWrites(stores: { readonly db?: string; readonly redis?: string }): Promise<void> {
  const home = await newHome()
  const port = await freePort()
  home.configure({ port, ...stores })
  const { server, call, user } = await firstStart(home, port)
  const { id } = withId.parse(await call(user, 'POST', '/collections', { name: 'Payments' }))

  const acknowledged: string[] = []
  let next = 0
  const write = async () => {
    while (next < WRITES) {
      const answer = await call(user, 'POST', `/collections/${id}/folders`, { name: `Folder ${next++}` })
      acknowledged.push(withId.parse(answer).id)
      if (acknowledged.length === KILL_AFTER) void server.stop('SIGKILL')
    }
  }
  await Promise.allSettled(Array.from({ length: CLIENTS }, write))
  assert.ok(acknowledged.length >= KILL_AFTER, `${acknowledged.length} writes were acknowledged`)
  assert.ok(acknowledged.length < WRITES, 'the kill came in the middle')

  const again = await home.start(['start'])
  const { folders } = listed.parse(await call(user, 'GET', `/collections/${id}/folders`))
  const found = new Set(folders.map((folder) => folder.id))
  assert.equal(
    acknowledged.filter((one) => !found.has(one)),
    []
  )
  const verification = await home.hub('projections', 'verify')
  assert.is(verification.code, 0, verification.stdout + verification.stderr)
  await again.stop()
}

const listed = z.object({ folders: z.array(withId) })

const embedded = suite('a hub that is killed amid 1,000 writes')
embedded('has every acknowledged write in its SQLite file, and read tables that equal a replay', () =>
  killAmidWrites({})
)
embedded.run()

const served = suite('a hub that is killed amid 1,000 writes to a server', { needs: ['postgres', 'redis'] })
served('has every acknowledged write in Postgres, and read tables that equal a replay', async () => {
  const [database, space] = [await postgresDatabase('kill'), await redisSpace()]
  assert.ok(database && space)
  const { clear: _, ...redis } = space
  await killAmidWrites({ db: JSON.stringify(database.config), redis: JSON.stringify(redis) })
})
served.run()
