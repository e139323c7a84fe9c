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

test('the key of a hub is begun with, changed and done with in the logs of its tenants too', async () => {
  const home = await newHome()
  const sections = (audit: string) => {
    home.configure()
    appendFileSync(join(home.path, 'server.yaml'), `multitenancy: {enabled: true}\naudit: ${audit}\n`)
  }
  const file = (name: string) => join(home.path, name)
  sections('{}')
  await home.done('migrate')
  for (const id of ['acme', 'beta']) await home.done('tenant', 'create', id, '--name', id)
  sections('{sealKeyFile: one}')
  assert.match(
    await home.done('audit', 'seal'),
    /\nTenant acme: From position \d on the log is sealed[\s\S]+\nTenant beta: From/
  )
  assert.match(
    await home.done('audit', 'seal', '--new-key-file', file('two')),
    /\nTenant beta: From position \d[\s\S]+\nName /
  )
  sections('{sealKeyFile: two, formerSealKeyFiles: [one]}')
  for (const tenant of ['acme', 'beta'])
    await home.done('user', 'create', '--tenant', tenant, '--name', 'ada', '--role', 'user')
  assert.match(
    await home.done('audit', 'seal', '--off'),
    /\nTenant acme: From position \d on the log is sealed with no key/
  )
  sections('{formerSealKeyFiles: [one, two]}')
  assert.match(
    await home.done('audit', 'verify'),
    /\nTenant acme: The chain holds[\s\S]+\nTenant beta: The chain holds/
  )
})

test.run()
