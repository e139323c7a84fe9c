import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { newHome, postgresSection } from '../cli/support.js'
import { postgresDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'

const test = suite('backup of a hub with tenants', { needs: ['postgres'] })
const IDS = ['acme', 'Acme', 'beta'] as const
const set = z.object({ tenants: z.array(z.object({ tenant: z.string(), file: z.string(), position: z.number() })) })
const ends = z.object({ position: z.number(), chain: z.string() })

test('three tenants are backed up from SQLite with their hub and restored to Postgres, equal by digest', async () => {
  const home = await newHome()
  const database = await postgresDatabase('tenantset')
  if (!database) throw new Error('There is no Postgres.')
  const file = join(home.path, 'server.yaml')
  const withTenants = (db?: string) => {
    home.configure(db === undefined ? {} : { db })
    writeFileSync(file, `${readFileSync(file, 'utf8')}multitenancy: {enabled: true}\n`)
  }
  const done = async (...args: readonly string[]) => {
    const { code, stderr, stdout } = await home.here(...args)
    assert.is(code, 0, `${args.join(' ')}: ${stderr}`)
    return stdout
  }
  withTenants()
  await done('migrate')
  for (const [i, id] of IDS.entries()) {
    await done('tenant', 'create', id, '--name', `Team ${id}`)
    for (let n = 0; n <= i; n++) await done('user', 'create', '--tenant', id, '--name', `${id}${n}`, '--role', 'user')
  }
  const backup = join(home.path, 'hub.backup')
  const { tenants } = set.parse(await home.json('backup', 'create', backup))
  assert.equal(new Set(tenants.map(({ tenant }) => tenant)), new Set(IDS))
  assert.is(readdirSync(`${backup}.tenants`).length, IDS.length)
  const seen = async () => {
    const verified = []
    for (const id of IDS) {
      const { position, chain } = ends.parse(await home.json('audit', 'verify', '--tenant', id))
      const tables = z.looseObject({}).parse(await home.json('projections', 'verify', '--tenant', id))
      verified.push({
        id,
        position,
        chain,
        tables: tables.tables,
        users: await home.json('user', 'list', '--tenant', id)
      })
    }
    return verified
  }
  const before = await seen()
  withTenants(postgresSection(database.config))
  const said = await done('backup', 'restore', backup)
  for (const id of IDS) assert.match(said, `Restored tenant ${id}, up to position`)
  assert.equal(await seen(), before)

  const [one] = tenants
  if (!one) throw new Error('No tenant was backed up.')
  await done('tenant', 'delete', one.tenant, '--yes')
  await done('tenant', 'import', one.tenant, one.file, '--name', 'Again')
  assert.equal(await seen(), before)
})

test('a tenant whose file is missing is named, and the restore fails', async () => {
  const home = await newHome()
  const file = join(home.path, 'server.yaml')
  home.configure()
  writeFileSync(file, `${readFileSync(file, 'utf8')}multitenancy: {enabled: true}\n`)
  for (const args of [
    ['migrate'],
    ['tenant', 'create', 'acme', '--name', 'Acme'],
    ['backup', 'create', join(home.path, 'h')]
  ])
    assert.is((await home.here(...args)).code, 0)
  rmSync(join(home.path, 'h.tenants'), { recursive: true })
  rmSync(join(home.path, 'data'), { recursive: true })
  const { code, stderr } = await home.here('backup', 'restore', join(home.path, 'h'))
  assert.is(code, 1)
  assert.match(stderr, 'these tenants are not. acme: There is no backup of it here.')
})

test.run()
