import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { firstSteps, newHome } from '../cli/support.js'
import { postgresDatabase, redisSpace } from '../support/databases.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'

const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
const TOUR = /```bash\n([\s\S]*?)```/.exec(README)?.[1] ?? ''

/** Takes the README's tour against a hub with this configuration and proves the read tables afterwards. */
async function takeTour(stores: { readonly db?: string; readonly redis?: string }): Promise<void> {
  const home = await newHome()
  try {
    const port = await freePort()
    home.configure({ port, ...stores })
    const server = await home.start(['start', '--init'], 'First collection')
    const tour = `${firstSteps(server)}\n${TOUR}`
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', tour])
    const names = stdout.trim().split('\n').slice(-30)
    const others = Array.from({ length: 28 }, (_, i) => `Request ${29 - i}`)
    assert.equal(
      names.filter((name) => !name.startsWith('in the folder')),
      [...others, 'Request 30']
    )
    assert.ok(names.includes('in the folder: Request 1'))
    const verification = await home.hub('projections', 'verify')
    assert.is(verification.code, 0, verification.stdout + verification.stderr)
    assert.is((await server.stop()).code, 0)
  } finally {
    await home.remove()
  }
}

const embedded = suite('the tour of the README')
embedded('works on the embedded database, and the read tables are a replay of the log', () => takeTour({}), {
  timeout_ms: 60_000
})
embedded.run()

const served = suite('the tour of the README on services', { needs: ['postgres', 'redis'] })
served(
  'works on Postgres with Redis, and the read tables are a replay of the log',
  async () => {
    const [database, space] = [await postgresDatabase('tour'), await redisSpace()]
    assert.ok(database && space)
    try {
      const { clear: _, ...redis } = space
      await takeTour({ db: JSON.stringify(database.config), redis: JSON.stringify(redis) })
    } finally {
      await space.clear()
      await database.drop()
    }
  },
  { timeout_ms: 60_000 }
)
served.run()
