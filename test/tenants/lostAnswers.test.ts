import { appendFileSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import * as assert from 'uvu/assert'
import { HubCli } from '../../cli/pages.js'
import { TenantCreateCommand } from '../../cli/tenants/tenant.js'
import { TenantMoveCommand } from '../../cli/tenants/tenant-move.js'
import { openReadyLedger } from '../../src/app/hub.js'
import type { OpenLedger } from '../../src/app/openLedger.js'
import { ensureFirstAdmin } from '../../src/app/start.js'
import { loadConfig } from '../../src/config/load.js'
import { errors } from '../../src/errors.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { configOfTenant } from '../../src/tenants/config.js'
import { makeLog, setUp } from '../../src/tenants/setup.js'
import { type Home, newHome } from '../cli/support.js'
import { until } from '../http/support.js'
import { suite } from '../support/suite.js'

const test = suite('commands about tenants whose commit is not answered')
let home: Home

test.before(async () => {
  home = await newHome()
  home.configure()
  appendFileSync(
    join(home.path, 'server.yaml'),
    `multitenancy: {enabled: true, databases: {east: {driver: sqlite, path: east/hub.sqlite}}}
tenants:
  owner: {db: {driver: sqlite, path: data/owner.sqlite}}
  sealing: {db: {driver: sqlite, path: data/sealing.sqlite}}
  squatter: {db: {driver: sqlite, path: data/squatter.sqlite}}
audit: {sealKeyFile: data/seal-key}
`
  )
  assert.is((await home.here('migrate')).code, 0)
})
test.after(() => home?.remove())

type Run = OpenLedger['run']

/** A ledger that commits, and loses the answer. */
const losing =
  ({ run }: OpenLedger): Run =>
  async (...asked) => {
    await run(...asked)
    throw new StorageUnavailable('The database did not answer.')
  }

/** One that does not commit, and does not say so. */
const silent = () => Promise.reject(new StorageUnavailable('The database did not answer.'))

type Work<T> = (ledger: OpenLedger) => Promise<T>

/** Runs a command over a ledger of the hub whose commands run so. */
async function through(runOf: (ledger: OpenLedger) => Run, ...args: readonly string[]) {
  const over =
    <T>(work: Work<T>): Work<T> =>
    (ledger) =>
      work({ ...ledger, run: runOf(ledger) })
  class Create extends TenantCreateCommand {
    protected override withLedger<T>(work: Work<T>): Promise<T> {
      return super.withLedger(over(work))
    }
  }
  class Move extends TenantMoveCommand {
    protected override withLedger<T>(work: Work<T>): Promise<T> {
      return super.withLedger(over(work))
    }
  }
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const cli = new HubCli([Create, Move])
  const globals = {
    configPath: join(home.path, 'server.yaml'),
    configFrom: 'option',
    noEnv: true,
    verbose: false
  } as const
  const context = { ...globals, stdin, stdout, stderr, pages: cli.pages, env: {}, colorDepth: 1 }
  const code = await cli.run([...args], context)
  for (const stream of [stdout, stderr]) stream.end()
  return { code, stdout: await text(stdout), stderr: await text(stderr) }
}

const create = (id: string, runOf: (ledger: OpenLedger) => Run) =>
  through(runOf, 'tenant', 'create', id, '--name', 'Made')

const logsOf = (id: string) => {
  const folder = join(home.path, 'data', 'tenants')
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.filter((name) => name.startsWith(`${id}-`) && name.endsWith('.sqlite')).length
}

test('a tenant that was made, though the answer was lost, keeps its log', async () => {
  const { code, stderr } = await create('lost', losing)
  assert.match(await home.done('tenant', 'list'), 'lost')
  assert.is((await home.here('user', 'list', '--tenant', 'lost')).stderr, '')
  assert.is(code, 1)
  assert.match(stderr, 'The database did not answer.')
  assert.match(stderr, 'Whether tenant "lost" was made is not known')
})

test('a tenant that was not made, though nobody said so, leaves a log that goes when the next one is made', async () => {
  const { stderr } = await create('never', () => silent)
  assert.match(stderr, 'Whether tenant "never" was made is not known')
  assert.is(logsOf('never'), 1)
  await home.done('tenant', 'create', 'next', '--name', 'Next')
  assert.equal([logsOf('never'), logsOf('next'), logsOf('lost')], [0, 1, 1])
  assert.is((await home.here('user', 'list', '--tenant', 'lost')).stderr, '')
})

test('a tenant whose making was killed leaves a log that goes when it is made again', async () => {
  const { pid, done } = home.run('tenant', 'create', 'killed', '--name', 'Killed')
  await until(() => (logsOf('killed') > 0 ? true : null))
  process.kill(pid, 'SIGKILL')
  assert.is((await done).signal, 'SIGKILL')
  assert.not.match(await home.done('tenant', 'list'), 'killed')
  await home.done('tenant', 'create', 'killed', '--name', 'Killed')
  assert.is(logsOf('killed'), 1)
})

/** The configuration of a tenant in a database of its own. */
const ownConfig = (tenant: string) =>
  configOfTenant(loadConfig(join(home.path, 'server.yaml'), {}).config, { tenant, database: 'own', place: 'nowhere' })

test('a tenant that was not made in a database of its own is made there when that is run again', async () => {
  const { stderr } = await create('owner', () => silent)
  assert.match(stderr, 'Whether tenant "owner" was made is not known')
  await home.done('tenant', 'create', 'owner', '--name', 'Owner')
  assert.match(await home.done('tenant', 'list'), 'owner')
  await home.done('user', 'create', '--tenant', 'owner', '--name', 'ola', '--role', 'admin')
})

test('so is one whose making was killed once its log was sealed', async () => {
  const config = ownConfig('sealing')
  await makeLog(config)
  const ledger = await openReadyLedger(config)
  assert.is((await ledger.storage.head()).position, 1)
  await ledger.close()
  await home.done('tenant', 'create', 'sealing', '--name', 'Sealing')
})

test('a log of somebody in a database of its own is taken for no tenant', async () => {
  const config = ownConfig('squatter')
  await setUp(config)
  const ledger = await openReadyLedger(config)
  await ensureFirstAdmin(ledger, config.tokens)
  await ledger.close()
  const { code, stderr } = await home.here('tenant', 'create', 'squatter', '--name', 'Squatter')
  assert.equal([code, stderr], [1, 'There is a log in this database already.\n'])
})

test('a tenant that was refused leaves no log', async () => {
  const { code } = await create('refused', () => () => Promise.reject(errors.tenantExists('refused')))
  assert.equal([code, logsOf('refused')], [1, 0])
})

test('a tenant whose move is not answered is written to at neither place until it is moved again', async () => {
  await home.done('tenant', 'create', 'going', '--name', 'Going')
  const move = ['tenant', 'move', 'going', '--database', 'east'] as const
  const write = (name: string) => home.here('user', 'create', '--tenant', 'going', '--name', name, '--role', 'user')
  const { code, stderr } = await through(() => silent, ...move)
  assert.match((await write('early')).stderr, 'This tenant is being moved')
  assert.is(code, 1)
  assert.match(stderr, 'Whether tenant "going" is at its new place is not known')
  assert.is((await through(losing, ...move)).code, 1)
  await home.done(...move)
  assert.is((await write('late')).code, 0)
  assert.match(await home.done('user', 'list', '--tenant', 'going'), 'late')
})

test('a tenant whose move is refused is written to where it was', async () => {
  await home.done('tenant', 'create', 'staying', '--name', 'Staying')
  const refuse = () => () => Promise.reject(errors.tenantElsewhere())
  assert.is((await through(refuse, 'tenant', 'move', 'staying', '--database', 'east')).code, 1)
  await home.done('user', 'create', '--tenant', 'staying', '--name', 'sam', '--role', 'user')
})

test.run()
