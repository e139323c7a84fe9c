import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { newHome } from '../cli/support.js'
import { afterwards } from '../support/afterwards.js'
import { suite } from '../support/suite.js'
import { startProvider } from './fakeProvider.js'

const test = suite('providers of sign-in that hub doctor asks')

test('one that answers is told with the address that it leads back to; one that says something else of itself with what to do', async () => {
  const provider = await startProvider()
  const { issuer } = provider
  afterwards(() => provider.close())
  const home = await newHome()
  const one = { name: 'Company', clientId: 'hub', clientSecret: 's3cr3t-of-the-hub' }
  const server = { host: '127.0.0.1', port: 1, publicUrl: 'https://hub.example.com/team/' }
  const providers = [
    { ...one, id: 'company', issuer, groupRules: [{ value: 'x', group: 'Payments' }] },
    { ...one, id: 'other', issuer: `${issuer}/other` }
  ]
  const [db, redis] = [{ driver: 'sqlite', path: 'hub.sqlite' }, { driver: 'memory' }]
  writeFileSync(join(home.path, 'server.yaml'), JSON.stringify({ server, db, redis, signIn: { providers } }))
  await home.here('migrate')
  const { stdout } = await home.here('doctor')
  assert.match(
    stdout,
    /^ok +sign-in +company: .*https:\/\/hub\.example\.com\/team\/auth\/sign-in\/company\/callback\.$/m
  )
  assert.match(stdout, /^failed +other: It cannot be used\.\n +\(.*\)\n +-> See that this machine/m)
  assert.match(stdout, /^warning +company: A rule names the group "Payments", which is not there, and makes nobody/m)
  assert.not.match(stdout, /s3cr3t/)
  await home.here('group', 'create', '--name', 'PAYMENTS')
  assert.not.match((await home.here('doctor')).stdout, /A rule names the group/)
})

test.run()
