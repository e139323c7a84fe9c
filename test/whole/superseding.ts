import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { tables } from '../../projections/index.js'
import { newHome } from '../cli/support.js'
import type { TestDatabase } from '../contract/databases.js'
import { freePort } from '../support/private-server.js'
import type { ServiceName } from '../support/services.js'
import { suite } from '../support/suite.js'
import { earlierRelease } from './earlier-release.js'

const WRITERS = 4
const PATIENCE = { timeout_ms: 120_000 }
const created = z.object({ id: z.string() })
const withSecret = z.object({ secret: z.string() })

/** What becomes of the release before when this one migrates the database that it serves. */
export async function supersedingSuite(
  driver: string,
  needs: readonly ServiceName[],
  open: () => Promise<TestDatabase>
): Promise<void> {
  const release = await earlierRelease()
  const test = suite(`the release before, on ${driver}`, { needs: [...needs] })
  const name = 'writes while this one migrates: nothing acknowledged is lost, and nothing of its is written afterwards'
  if (release === null) {
    test.skip(name, 'the history of this checkout does not reach back so far')
    test.run()
    return
  }
  test(
    name,
    async () => {
      const [database, home, port] = await Promise.all([open(), newHome(), freePort()])
      home.configure({ port, db: JSON.stringify(database.config) })
      const older = spawn(process.execPath, [release.main, 'start', '--init'], { cwd: home.path })
      try {
        let output = ''
        for (const stream of [older.stdout, older.stderr]) stream.on('data', (text) => (output += String(text)))
        while (!output.includes('First collection')) await setTimeout(20)
        const [, admin = ''] = /^HUB_ADMIN=(hbk_\S+)$/m.exec(output) ?? []
        const headersOf = (secret: string) => ({
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json'
        })
        const user = await fetch(`http://127.0.0.1:${port}/admin/users`, {
          method: 'POST',
          headers: headersOf(admin),
          body: '{"name":"ada","role":"user","collectionAccess":["*"]}'
        })
        const headers = headersOf(withSecret.parse(await user.json()).secret)
        const url = `http://127.0.0.1:${port}/collections`
        const acknowledged: string[] = []
        const refused: string[] = []
        let isOver = false
        const writer = async () => {
          while (!isOver) {
            const reply = await fetch(url, { method: 'POST', headers, body: '{"name":"one"}' })
            if (reply.status === 200) acknowledged.push(created.parse(await reply.json()).id)
            else refused.push(`${reply.status} ${await reply.text()}`)
            if (reply.status !== 200) await setTimeout(20)
          }
        }
        const writers = Array.from({ length: WRITERS }, writer)
        while (acknowledged.length < 20) await setTimeout(10)
        const before = acknowledged.length

        const migrated = await home.hub('migrate')
        assert.is(migrated.code, 0, migrated.stderr)
        const storage = await database.open(tables)
        const { position } = await storage.head()
        const count = acknowledged.length
        assert.ok(count > before, 'it wrote until then')
        const asked = refused.length
        while (refused.length < asked + 20) await setTimeout(10)
        isOver = true
        await Promise.all(writers)
        assert.is(acknowledged.length, count, 'none is acknowledged afterwards')
        assert.is((await storage.head()).position, position)
        assert.equal([...new Set(refused)], ['503 {"error":"The database is not available. Try again in a moment."}'])
        assert.match(output, /of a newer version of the hub, which this database belongs to now: start that version/)
        assert.is((await fetch(url, { headers })).status, 503)
        const again = spawn(process.execPath, [release.main, 'start'], { cwd: home.path, stdio: 'ignore' })
        assert.equal(await once(again, 'exit'), [1, null])
        older.kill()
        await once(older, 'exit')

        const server = await home.start(['start'])
        const { collections } = z
          .object({ collections: z.array(created) })
          .parse(await (await fetch(url, { headers })).json())
        const there = new Set(collections.map(({ id }) => id))
        assert.equal(
          acknowledged.filter((id) => !there.has(id)),
          []
        )
        assert.is((await fetch(url, { method: 'POST', headers, body: '{"name":"new"}' })).status, 200)
        await server.stop()
        for (const what of ['projections', 'audit']) {
          const { code, stdout, stderr } = await home.here(what, 'verify')
          assert.is(code, 0, stdout + stderr)
        }
      } finally {
        older.kill('SIGKILL')
        await home.remove()
        await database.remove()
      }
    },
    PATIENCE
  )
  test.after(() => release.remove())
  test.run()
}
