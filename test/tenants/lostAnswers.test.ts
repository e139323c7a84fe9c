import { appendFileSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import * as assert from 'uvu/assert'
import { HubCli } from '../../cli/pages.js'
import { TenantCreateCommand } from '../../cli/tenants/tenant.js'
import { errors } from '../../src/errors.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { type Home, newHome } from '../cli/support.js'
import { suite } from '../support/suite.js'

const test = suite('commands about tenants whose commit is not answered')
let home: Home

test.before(async () => {
  home = await newHome()
  home.configure()
  appendFileSync(join(home.path, 'server.yaml'), 'multitenancy: {enabled: true}\n')
  assert.is((await home.here('migrate')).code, 0)
})
test.after(() => home?.remove())

type Run = Ledger['run']

/** A ledger that commits, and loses the answer. */
const losing =
  ({ run }: Ledger): Run =>
  async (...asked) => {
    await run(...asked)
    throw new StorageUnavailable('The database did not answer.')
  }

/** Creates a tenant by the command of that name, over a ledger whose commands run so. */
async function create(id: string, runOf: (ledger: Ledger) => Run) {
  class Create extends TenantCreateCommand {
    protected override withLedger<T>(work: (ledger: Ledger) => Promise<T>): Promise<T> {
      return super.withLedger((ledger) => work({ ...ledger, run: runOf(ledger) }))
    }
  }
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const cli = new HubCli([Create])
  const globals = {
    configPath: join(home.path, 'server.yaml'),
    configFrom: 'option',
    noEnv: true,
    verbose: false
  } as const
  const context = { ...globals, stdin, stdout, stderr, pages: cli.pages, env: {}, colorDepth: 1 }
  const code = await cli.run(['tenant', 'create', id, '--name', 'Made'], context)
  for (const stream of [stdout, stderr]) stream.end()
  return { code, stdout: await text(stdout), stderr: await text(stderr) }
}

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

test('a tenant that was refused leaves no log', async () => {
  const { code } = await create('refused', () => () => Promise.reject(errors.tenantExists('refused')))
  assert.equal([code, logsOf('refused')], [1, 0])
})

test.run()
