import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { intrude } from '../audit/intruder.js'
import { startNetwork } from '../race/network.js'
import { postgresDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { migratedHome, newHome, postgresSection } from './support.js'

const test = suite('hub projections verify --watch')

test('a row that somebody has edited is told while it watches, and is still the end when it is put right', async () => {
  const home = await migratedHome()
  await home.here('user', 'create', '--name', 'ada', '--role', 'user')
  const args = ['projections', 'verify', '--watch', '--every', '0.005']
  const watch = await home.start(args, 'ok   position 2')
  const intruder = await intrude({ driver: 'sqlite', path: join(home.path, 'data/hub.sqlite'), prefix: 'hub_' })
  await intruder.run(`UPDATE hub_users_g1 SET role = 'admin'`)
  while (!watch.stdout().includes('DIFF')) await sleep(20)
  await intruder.run(`UPDATE hub_users_g1 SET role = 'user'`)
  await intruder.close()
  const clean = () => watch.stdout().lastIndexOf(' ok ') > watch.stdout().lastIndexOf('DIFF')
  while (!clean()) await sleep(20)
  const { code, stdout, stderr } = await watch.stop('SIGINT')
  assert.is(code, 1)
  assert.match(stdout, /Z DIFF position 2\nDIFF users: 1 row, sha256 [0-9a-f]{16}\n {5}changed \S+: role\n/)
  assert.match(stderr, /The read tables differ/)
  const left = readdirSync(join(home.path, 'data')).filter((name) => name.includes('verify') && !name.endsWith('.lock'))
  assert.equal(left, [])
  assert.ok(existsSync(join(home.path, 'data/hub.sqlite')))
  assert.match((await home.here('projections', 'verify', '--every', 'x')).stderr, /--every must be a number of minutes/)
})

test.run()

const onPostgres = suite('hub projections verify --watch on Postgres', { needs: ['postgres'] })

onPostgres('an outage of the database is told once and waited for, and is no difference', async () => {
  const database = await postgresDatabase('watch')
  assert.ok(database)
  const network = await startNetwork(database.config)
  const home = await newHome()
  home.configure({ db: postgresSection({ ...database.config, host: '127.0.0.1', port: network.port }) })
  await home.done('migrate')
  const watch = await home.start(['projections', 'verify', '--watch', '--every', '0.001'], 'ok   position')
  for (const outage of [1, 2]) {
    await network.down()
    while (watch.stderr().split('tried again').length <= outage) await sleep(20)
    const before = watch.stdout().length
    await network.up()
    while (!watch.stdout().slice(before).includes('ok   position')) await sleep(20)
  }
  const { code, stderr } = await watch.stop('SIGINT')
  assert.is(code, 0)
  assert.is(stderr.split('tried again').length, 3)
  await network.down()
})

onPostgres.run()
