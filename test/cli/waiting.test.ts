import { once } from 'node:events'
import { appendFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import Database from 'libsql'
import * as assert from 'uvu/assert'
import { runCli } from '../../cli/run.js'
import { until } from '../http/support.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { type Home, migratedHome } from './support.js'

const test = suite('a command that waits for another process')

/** Runs a command while another process has a lock beside a database, and tells what it says then and what it comes to. */
async function waits(home: Home, database: string, lock: string, args: readonly string[]) {
  const other = new Database(join(home.path, 'data', `${database}.hub_${lock}.lock`))
  other.exec('BEGIN EXCLUSIVE')
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough({ encoding: 'utf8' })]
  const terminal = { stdin, stdout, stderr, colors: false }
  const done = runCli(['-c', join(home.path, 'server.yaml'), ...args], terminal)
  const [said] = await once(stderr, 'data')
  other.close()
  return [said, await done, stderr.read()]
}

test('says so on stderr after a while, and goes on when it may', async () => {
  const home = await migratedHome()
  for (const [args, lock, doing] of [
    [['migrate'], 'migrate', 'migrates this database'],
    [['projections', 'rebuild'], 'rebuild', 'rebuilds the read tables of this database'],
    [['projections', 'verify'], 'verify', 'verifies the read tables of this database']
  ] as const) {
    const told = await waits(home, 'hub.sqlite', lock, args)
    assert.equal(told, [`Waiting for another process that ${doing}…\n`, 0, null], args.join(' '))
  }
})

test('a tenant is moved when nobody else moves it any more, and until then it is said', async () => {
  const home = await migratedHome()
  const more = 'multitenancy: {enabled: true, databases: {east: {driver: sqlite, path: east/hub.sqlite}}}\n'
  appendFileSync(join(home.path, 'server.yaml'), more)
  await home.done('tenant', 'create', 'acme', '--name', 'Acme')
  const [file = ''] = readdirSync(join(home.path, 'data', 'tenants')).filter((name) => name.endsWith('.sqlite'))
  const told = await waits(home, join('tenants', file), 'move', ['tenant', 'move', 'acme', '--database', 'east'])
  assert.equal(told, ['Waiting for another process that moves this log…\n', 0, null])
})

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
