import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { newHome } from '../cli/support.js'
import { suite } from '../support/suite.js'

const test = suite('tenants of a hub with a key')

test('the log of a tenant is sealed as soon as it is made, and so it is exported, imported and moved', async () => {
  const home = await newHome()
  home.configure()
  const east = '{east: {driver: sqlite, path: east/hub.sqlite}}'
  const sections = `audit: {sealKeyFile: seal-key}\nmultitenancy: {enabled: true, databases: ${east}}\n`
  appendFileSync(join(home.path, 'server.yaml'), sections)
  await home.done('migrate')
  const isSealed = async () =>
    assert.match(await home.done('audit', 'verify', '--tenant', 'acme'), /sealed with the key \w+ from position \d on/)
  assert.match(await home.done('tenant', 'create', 'acme', '--name', 'Acme'), 'Created tenant "Acme" (acme).')
  await isSealed()
  await home.done('tenant', 'export', 'acme', join(home.path, 'acme.backup'))
  await home.done('tenant', 'delete', 'acme', '--yes')
  await home.done('tenant', 'import', 'acme', join(home.path, 'acme.backup'), '--name', 'Acme')
  await isSealed()
  await home.done('tenant', 'move', 'acme', '--database', 'east')
  await isSealed()
})

test.run()
