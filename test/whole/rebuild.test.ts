import { createHash, randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { verify } from '../../projections/verify.js'
import { rebuild } from '../../src/ledger/rebuild.js'
import { drivers, postgres, sqlite } from '../http/drivers.js'
import { startHub } from '../http/support.js'
import { isFull } from '../support/full.js'
import { suite } from '../support/suite.js'

const listed = z.object({ folders: z.array(z.object({ id: z.string() })) })
const withId = z.object({ id: z.string() })
const withSecret = z.object({ secret: z.string() })
const WRITERS = 4

for (const driver of isFull ? drivers : [sqlite, postgres]) {
  const test = suite(`a rebuild on ${driver.name}`, { needs: driver.needs })

  test('under writes and reads fails none, shows no short list, and leaves tables that equal a replay', async () => {
    const hub = await startHub(driver)
    try {
      const post = async (path: string, body: object, token: string) =>
        (await hub.send({ method: 'POST', path, body, token })).body
      const ada = { name: 'ada', role: 'user', collectionAccess: ['*'] }
      const { secret } = withSecret.parse(await post('/admin/users', ada, hub.admin.token))
      const { id } = withId.parse(await post('/collections', { name: 'Payments' }, secret))
      const path = `/collections/${id}/folders`
      const written: string[] = []
      let busy = true
      const writer = async () => {
        while (busy) written.push(withId.parse(await post(path, { name: randomUUID() }, secret)).id)
      }
      const reader = async () => {
        while (busy) {
          const known = written.length
          const { folders } = listed.parse((await hub.send({ method: 'GET', path, token: secret })).body)
          assert.ok(folders.length >= known, `${folders.length} of at least ${known}`)
        }
      }
      const clients = [...Array.from({ length: WRITERS }, writer), reader()]
      const { storage, readEvents } = hub.hub.ledger
      for (let round = 0; round < 3; round++) {
        const { generation } = await storage.head()
        assert.is(await rebuild(storage), generation + 1)
      }
      busy = false
      await Promise.all(clients)
      const { folders } = listed.parse((await hub.send({ method: 'GET', path, token: secret })).body)
      assert.equal(folders.map((folder) => folder.id).sort(), [...written].sort())
      assert.ok((await verify(storage, readEvents, () => createHash('sha256'))).equal)
    } finally {
      await hub.close()
    }
  })

  test.run()
}
