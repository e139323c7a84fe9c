import { join } from 'node:path'
import Database from 'libsql'
import * as assert from 'uvu/assert'
import { until } from '../http/support.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { migratedHome } from './support.js'

const test = suite('a command that waits for another process')

for (const [args, lock, doing] of [
  [['migrate'], 'migrate', 'migrates this database'],
  [['projections', 'rebuild'], 'rebuild', 'rebuilds the read tables of this database'],
  [['projections', 'verify'], 'verify', 'verifies the read tables of this database']
] as const) {
  test(`hub ${args.join(' ')} says so on stderr after a while, and goes on when it may`, async () => {
    const home = await migratedHome()
    const other = new Database(join(home.path, 'data', `hub.sqlite.hub_${lock}.lock`))
    other.exec('BEGIN EXCLUSIVE')
    const waiting = await home.start(args, 'Waiting for another process')
    other.close()
    const { code, stderr } = await waiting.ended()
    assert.equal([code, stderr], [0, `Waiting for another process that ${doing}…\n`])
  })
}

test('a start that waits is not ended by the signals that make a running hub reload and reopen its log', async () => {
  const home = await migratedHome()
  const other = new Database(join(home.path, 'data', 'hub.sqlite.hub_migrate.lock'))
  other.exec('BEGIN EXCLUSIVE')
  home.configure({ port: await freePort() })
  const hub = await home.start(['start'], 'Waiting for another process')
  for (const signal of ['SIGHUP', 'SIGUSR2'] as const) process.kill(hub.pid, signal)
  other.close()
  await until(() => hub.stdout().includes('listening on') || null)
  assert.is((await hub.stop()).code, 0)
})

test.run()
