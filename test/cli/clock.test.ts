import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { openReadyLedger } from '../../src/app/hub.js'
import { ensureSystemAccount } from '../../src/app/start.js'
import { loadConfig } from '../../src/config/load.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { configOfTenant } from '../../src/tenants/config.js'
import { makeLog } from '../../src/tenants/setup.js'
import { suite } from '../support/suite.js'
import { type Home, migratedHome } from './support.js'

const test = suite('a log that the clock does not agree with')
const DAY_MS = 86_400_000
const adding = (name: string) => ['user', 'create', '--name', name, '--role', 'admin']

/** A home whose log ends at a time that lies so far from now. */
async function homeAt(from_now_ms: number): Promise<Home> {
  const home = await migratedHome()
  const now = () => Date.now() + from_now_ms
  await home.withLedger((ledger) => ledger.run({ type: 'CreateSystemAccount' }, systemOrigin), { now })
  return home
}

test('is not written to where it ended more than a year ago, until somebody says that the clock is right', async () => {
  const home = await homeAt(-800 * DAY_MS)
  const exporting = ['log', 'export', join(home.path, 'out')]
  for (const args of [adding('ada'), ['projections', 'rebuild'], exporting, ['start']]) {
    const { code, stderr } = await home.here(...args)
    assert.is(code, 1, args.join(' '))
    assert.match(stderr, /^The clock says \S+, 800 days after the last event of the log.*--accept-clock\.$/m)
  }

  // Reading goes on, and nothing was written.
  assert.is((await home.here('user', 'list')).stderr, '')
  assert.match((await home.here('audit', 'verify')).stdout, /^The chain holds: 1 event,/)

  const server = await home.start(['start', '--accept-clock'])
  assert.match(server.stdout(), /"level":50.*800 days after the last event/)
  assert.is((await server.stop()).code, 0)
  const accepted = await home.here(...adding('ada'), '--accept-clock')
  assert.equal(accepted.code, 0)
  assert.match(accepted.stderr, /800 days after/)
  // From then on the log and the clock agree.
  assert.equal((await home.here(...adding('bob'))).stderr, '')
})

test('is not sealed either, and no key is made for it, until somebody says that the clock is right', async () => {
  const home = await homeAt(-800 * DAY_MS)
  const key = join(home.path, 'seal-key')
  appendFileSync(join(home.path, 'server.yaml'), `audit: {sealKeyFile: ${key}}\n`)
  for (const args of [['user', 'list'], adding('ada'), ['audit', 'seal']]) {
    const { code, stderr } = await home.here(...args)
    assert.is(code, 1, args.join(' '))
    assert.match(stderr, /^The clock says \S+, 800 days after the last event of the log.*--accept-clock\.$/m)
  }
  assert.is(existsSync(key), false)
  assert.is((await home.here('audit', 'seal', '--accept-clock')).code, 0)
  assert.equal((await home.here(...adding('ada'))).code, 0)
  assert.match((await home.here('audit', 'verify')).stdout, /^The chain holds/)
})

test('is written to where it ends in the future, which is said on stderr and in the log of a server', async () => {
  const home = await homeAt(3 * DAY_MS)
  const { code, stderr } = await home.here(...adding('ada'))
  assert.is(code, 0)
  assert.match(stderr, /^The clock says \S+, 3 days before the last event of the log/)
  assert.is((await home.here('user', 'list')).stderr, '')
  const server = await home.start()
  assert.match(server.stdout(), /"level":50.*3 days before the last event of the log/)
  await server.stop()
  assert.match((await home.here('audit', 'verify')).stdout, /^The chain holds/)
})

test('of a tenant is backed up with its hub once somebody says that the clock is right', async () => {
  const home = await homeAt(0)
  appendFileSync(join(home.path, 'server.yaml'), 'multitenancy: {enabled: true}\n')
  const at = { tenant: 'acme', database: null, place: 'silent00' }
  const own = configOfTenant(loadConfig(join(home.path, 'server.yaml'), {}).config, at)
  await makeLog(own)
  const ledger = await openReadyLedger(own, { now: () => Date.now() - 800 * DAY_MS })
  await ensureSystemAccount(ledger).finally(() => ledger.close())
  const made = { type: 'CreateTenant', id: 't', name: 'Acme', ...at } as const
  await home.withLedger((hub) => hub.run(made, systemOrigin))
  const backingUp = ['backup', 'create', join(home.path, 'hub.backup'), '--force']
  const refused = await home.here(...backingUp)
  assert.is(refused.code, 1)
  assert.match(refused.stderr, /acme: The clock says .*800 days after .*--accept-clock/)
  const accepted = await home.here(...backingUp, '--accept-clock')
  assert.equal([accepted.code, /800 days after/.test(accepted.stderr)], [0, true], accepted.stderr)
  assert.match(
    (await home.here('audit', 'list', '--tenant', 'acme', '--json')).stdout,
    '"command": "hub backup create"'
  )
})

test.run()
