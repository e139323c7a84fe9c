import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { openScratch, openStorage } from '../../src/app/databases.js'
import type { DbConfig } from '../../src/config/types.js'
import { type Home, newHome } from '../cli/support.js'
import { suite } from '../support/suite.js'

const test = suite('what looks at a hub looks at its tenants')
let home: Home

const done = async (...args: readonly string[]) => {
  const { code, stderr, stdout } = await home.here(...args)
  assert.is(code, 0, `${args.join(' ')}: ${stderr}`)
  return stdout
}
const file = (name: string) => join(home.path, name)
const databaseOf = (tenant: string) => {
  const [name] = readdirSync(file('data/tenants')).filter((one) => one.endsWith('.sqlite') && one.includes(tenant))
  if (name === undefined) throw new Error(`No database of ${tenant}: ${readdirSync(file('data/tenants'))}`)
  return file(join('data/tenants', name))
}
const alter = (path: string, statement: string) => {
  const database = new Database(path)
  database.exec(statement)
  database.close()
}

test.before.each(async () => {
  home = await newHome()
  home.configure()
  writeFileSync(file('server.yaml'), `${readFileSync(file('server.yaml'), 'utf8')}multitenancy: {enabled: true}\n`)
  await done('migrate')
  for (const id of ['acme', 'beta']) {
    await done('tenant', 'create', id, '--name', id)
    await done('user', 'create', '--tenant', id, '--name', 'ada', '--role', 'user')
  }
})

test('all is well: each tenant is named, and --tenant looks at one log alone', async () => {
  assert.match(
    await done('audit', 'verify'),
    /^The chain holds: [\s\S]*\nTenant acme: The chain holds: 3 events[\s\S]*\nTenant beta: /
  )
  assert.match(
    await done('projections', 'verify'),
    /\nTenant acme: equal up to position 3\.\nTenant beta: equal up to position 3\.\n$/
  )
  assert.match(await done('doctor'), /\nok +acme +7 checks found nothing\.\nok +beta +7 checks found nothing\.\n/)
  const named = z.object({ tenants: z.array(z.object({ tenant: z.string() })) })
  for (const command of [['audit', 'verify'], ['projections', 'verify'], ['doctor']]) {
    const { tenants } = named.parse(await home.json(...command))
    assert.equal(
      tenants.map(({ tenant }) => tenant),
      ['acme', 'beta'],
      command.join(' ')
    )
    for (const one of ['acme', '__default__'])
      assert.not.match(await done(...command, '--tenant', one), /Tenant|beta/, command.join(' '))
  }
})

test('what is wrong with one tenant is named, the others are looked at all the same, and the exit code is 1', async () => {
  alter(databaseOf('acme'), `UPDATE hub_log SET actor_id = 'eve' WHERE position = 2`)
  alter(databaseOf('beta'), `UPDATE hub_users_g1 SET role = 'admin' WHERE role = 'user'`)
  const chain = await home.here('audit', 'verify')
  assert.is(chain.code, 1)
  assert.match(chain.stderr, /^Tenant acme: Position 2: The event does not continue the chain/)
  assert.match(chain.stdout, /^The chain holds[\s\S]*\nTenant beta: The chain holds/)
  const tables = await home.here('projections', 'verify')
  assert.is(tables.code, 1)
  assert.match(tables.stdout, /\nTenant beta:\nDIFF users: /)
  assert.match(tables.stderr, 'The read tables of beta differ from a replay of the log.')
  const looked = await home.here('doctor')
  assert.is(looked.code, 1)
  assert.match(looked.stdout, /\nfailed +acme: chain +/)
  assert.match(looked.stderr, 'acme: chain')
})

test('a tenant whose database is gone is named by each of them', async () => {
  for (const name of readdirSync(file('data/tenants')))
    if (name.includes('acme')) rmSync(file(join('data/tenants', name)))
  for (const command of [['audit', 'verify'], ['projections', 'verify'], ['doctor']]) {
    const { code, stderr } = await home.here(...command)
    assert.is(code, 1, command.join(' '))
    assert.match(stderr, 'acme', command.join(' '))
    assert.not.match(stderr, 'beta', command.join(' '))
  }
})

test('a backup is verified with its tenants: a file that is missing or changed is named', async () => {
  const backup = file('hub.backup')
  await done('backup', 'create', backup)
  assert.match(
    await done('backup', 'verify', backup),
    /\nVerified tenant acme, up to position \d+: .*\nVerified tenant beta, up to position \d+: /
  )
  const files = readdirSync(`${backup}.tenants`).map((name) => join(`${backup}.tenants`, name))
  const [acme = '', beta = ''] = files.sort()
  rmSync(acme)
  writeFileSync(beta, readFileSync(beta).subarray(0, 200))
  const { code, stderr } = await home.here('backup', 'verify', backup)
  assert.is(code, 1)
  assert.match(stderr, 'acme: There is no backup of it here.')
  assert.match(stderr, `beta: ${beta}`)
})

test('two logs in one file are verified at the same time, each in a place of its own', async () => {
  const dbOf = (prefix: string): DbConfig => ({ driver: 'sqlite', path: file('shared.sqlite'), prefix })
  const storages = await Promise.all(['solo_', 'duo_'].map((prefix) => openStorage(dbOf(prefix))))
  const [solo, duo] = await Promise.all(
    storages.map((storage, i) => openScratch(dbOf(i === 0 ? 'solo_' : 'duo_'), storage))
  )
  const places = () => readdirSync(home.path).filter((name) => name.endsWith('verify')).length
  assert.is(places(), 2)
  await solo?.close()
  assert.is(places(), 1)
  await duo?.close()
  assert.is(places(), 0)
  for (const storage of storages) await storage.close()
})

test.run()
