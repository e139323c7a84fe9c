import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import Database from 'libsql'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { runCli } from '../../cli/run.js'
import { noAuth } from '../../commands/content.js'
import { startNetwork } from '../race/network.js'
import { postgresDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { migratedHome, newHome, postgresSection } from './support.js'

const test = suite('hub audit')
const created = z.object({ token: z.looseObject({ id: z.string() }) })

test('a log that was written by the hub holds; its end can be kept as a checkpoint; an edited event is named', async () => {
  const home = await migratedHome()
  for (const name of ['ada', 'bob', 'eve'])
    assert.is((await home.here('user', 'create', '--name', name, '--role', 'admin')).code, 0)

  const { code, stdout } = await home.here('audit', 'verify', '--json')
  assert.is(code, 0)
  const { position, bad } = JSON.parse(stdout)
  assert.is(bad, null)
  const checkpoint = join(home.path, 'checkpoint.json')
  writeFileSync(checkpoint, stdout)
  const held = await home.here('audit', 'verify', '--checkpoint', checkpoint)
  assert.match(
    held.stdout,
    new RegExp(`^The chain holds: ${position} events, [0-9a-f]{64}\\.\\nIt is not sealed with a key: `)
  )

  const database = new Database(join(home.path, 'data/hub.sqlite'))
  database.exec(`UPDATE hub_log SET actor_id = 'eve' WHERE position = 2`)
  database.close()
  const broken = await home.here('audit', 'verify')
  assert.is(broken.code, 1)
  assert.match(broken.stderr, /^Position 2: The event does not continue the chain/)

  const folder = await home.here('audit', 'verify', '--checkpoint', home.path)
  assert.is(folder.stderr, `${home.path} is a directory. Name a file in it.\n`)
  writeFileSync(checkpoint, '{"position":"three"}')
  const refused = await home.here('audit', 'verify', '--checkpoint', checkpoint)
  assert.is(refused.code, 1)
  assert.match(refused.stderr, /cannot be used as a checkpoint/)
})

test('what happened is listed, shown, counted and exported, with secrets masked', async () => {
  const home = await migratedHome()
  const access = ['--collection-access', '*']
  const { token } = created.parse(await home.json('user', 'create', '--name', 'Ada', '--role', 'user', ...access))
  const agent = { tokenId: token.id, address: '203.0.113.9', requestId: 'r-1' }
  const variables = [{ key: 'k', value: 'sesame', defaultValue: '', share: true, enabled: true }]
  const fields = { headers: [], auth: noAuth, preRequestScript: '', postRequestScript: '' }
  await home.withLedger(async (ledger) => {
    await ledger.run({ type: 'CreateCollection', id: 'zoo', name: 'Zoo' }, agent)
    await ledger.run({ type: 'UpdateCollection', id: 'zoo', content: { name: 'Zoo', variables, ...fields } }, agent)
  })
  const said = (...args: readonly string[]) => home.done('audit', ...args)
  const [newest = '', oldest = ''] = (await said('list', '--actor', 'Ada')).split('\n')
  assert.match(newest, /^4 {2}\S+ {2}Ada from 203\.0\.113\.9 {2}CollectionUpdated {2}collection zoo "Zoo"$/)
  assert.match(oldest, /CollectionCreated/)
  assert.is(
    await said('list', '--type', 'SnippetCreated'),
    'Nothing was found from the beginning of the log to now (positions 1 to 4).\n'
  )
  assert.match(await said('show', '4'), /\+ \/variables\/0: \{"key":"k","value":"\[masked\]"/)
  assert.match(await said('show', '4', '--reveal'), /"value":"sesame"/)
  assert.match(
    await said('stats', '--kind', 'collection'),
    /^2 events\nBy type\n +1 {2}Coll.*\n.*\nBy account\n +2 {2}Ada\n/
  )
  assert.match(await said('diff', 'collection', 'zoo'), /\+ \/variables\/0/)
  const file = join(home.path, 'audit.ndjson')
  assert.is(await said('export', '--out', file), `Exported 4 entries to ${file}.\n`)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  assert.equal(
    lines.map((line) => JSON.parse(line).position),
    [1, 2, 3, 4]
  )
  assert.not.ok(lines.join().includes('sesame'))
  const operator = { user: userInfo().username, host: hostname(), command: 'hub audit export' }
  const { user, host } = operator
  assert.match(await said('list', '--type', 'LogExported'), `system (${user}@${host}: hub audit export)  LogExported`)
  assert.match(await said('show', '5'), `\non the host: ${user}@${host}, hub audit export\n`)
  assert.equal(JSON.parse(await said('list', '--type', 'LogExported', '--json')).entries[0].operator, operator)
  assert.match(await said('list', '--type', 'UserCreated'), /@.*: hub user create\) {2}UserCreated/)
  assert.not.match(await said('list', '--actor', 'Ada'), '@')
  const wrong = await home.here('audit', 'list', '--kind', 'zebra')
  assert.match(wrong.stderr, /^Unknown kind "zebra"\. Kinds are user, token/)
})

test('an export that ends in the middle leaves nothing, and the file that was there as it was', async () => {
  const home = await migratedHome()
  for (const name of ['ada', 'bob']) await home.done('user', 'create', '--name', name, '--role', 'admin')
  const [folder, database] = [join(home.path, 'out'), new Database(join(home.path, 'data/hub.sqlite'))]
  database.exec(`UPDATE hub_log SET payload = '{' WHERE position = 4`)
  database.close()
  mkdirSync(folder)
  const file = join(folder, 'audit.ndjson')
  for (const before of [[], ['audit.ndjson']]) {
    for (const name of before) writeFileSync(join(folder, name), 'of yesterday')
    assert.is((await home.here('audit', 'export', '--out', file)).code, 1)
    assert.equal(readdirSync(folder), before)
  }
  assert.is(readFileSync(file, 'utf8'), 'of yesterday')
})

test('a signed checkpoint finds a tail that was cut off, and a forged one is refused', async () => {
  const home = await migratedHome()
  for (const name of ['ada', 'bob']) await home.here('user', 'create', '--name', name, '--role', 'admin')
  const { stdout } = await home.here('audit', 'checkpoint')
  const checkpoint = JSON.parse(stdout)
  assert.equal([checkpoint.position, checkpoint.count], [4, 4])
  const file = join(home.path, 'checkpoints.ndjson')
  writeFileSync(file, stdout)
  const verify = (...more: readonly string[]) => home.here('audit', 'verify', '--checkpoint', file, ...more)
  assert.is((await verify(`--public-key=${checkpoint.publicKey}`)).code, 0)
  assert.match((await verify('--public-key', 'another')).stderr, /signed with another key/)
  writeFileSync(file, JSON.stringify({ ...checkpoint, position: 3, count: 3 }))
  assert.match((await verify()).stderr, /The signature of the checkpoint is wrong/)
  writeFileSync(file, stdout)

  const database = new Database(join(home.path, 'data/hub.sqlite'))
  const row = database.prepare('SELECT chain, at FROM hub_log WHERE position = 3').get() as {
    chain: string
    at: string
  }
  database.exec('DELETE FROM hub_log WHERE position = 4')
  database.prepare('UPDATE hub_head SET position = 3, chain = ?, at = ?').run(row.chain, row.at)
  database.close()
  assert.is((await home.here('audit', 'verify')).code, 0)
  const cut = await verify()
  assert.is(cut.code, 1)
  assert.match(cut.stderr, /^Position 4: The checkpoint was taken at 4: the events from here to there are gone\./)
})

test('a file that holds no key for checkpoints is named, also one that was left empty', async () => {
  const home = await migratedHome()
  const file = join(home.path, 'data/checkpoint-key.pem')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  for (const text of ['', 'no key', privateKey.export({ type: 'pkcs8', format: 'pem' })]) {
    writeFileSync(file, text, { mode: 0o600 })
    const { code, stderr } = await home.here('audit', 'checkpoint')
    assert.is(code, 1)
    assert.match(stderr, /^The key of checkpoints .*checkpoint-key\.pem must hold a private key of Ed25519 as PEM\.\n$/)
  }
})

test('checkpoints are taken from as many files and lines as there are, also from lines of the log output', async () => {
  const home = await migratedHome()
  const checkpoints: string[] = []
  for (const name of ['ada', 'bob', 'eve']) {
    await home.here('user', 'create', '--name', name, '--role', 'admin')
    checkpoints.push((await home.here('audit', 'checkpoint')).stdout.trim())
  }
  const [one, two] = [join(home.path, 'one.ndjson'), join(home.path, 'two.ndjson')]
  writeFileSync(one, `${checkpoints[0]}\n${checkpoints[1]}\n`)
  writeFileSync(two, `{"level":30,"checkpoint":${checkpoints[2]},"msg":"checkpoint"}\n`)
  const verify = (...more: readonly string[]) => home.here('audit', 'verify', '--checkpoint', one, ...more)
  assert.match((await verify('--checkpoint', two)).stdout, /held against 3 checkpoints, the last of position 6\.\n$/)

  const database = new Database(join(home.path, 'data/hub.sqlite'))
  const at = database.prepare('SELECT chain, at FROM hub_log WHERE position = 4').get() as {
    chain: string
    at: string
  }
  database.exec('DELETE FROM hub_log WHERE position > 4')
  database.prepare('UPDATE hub_head SET position = 4, chain = ?, at = ?').run(at.chain, at.at)
  database.close()
  assert.is((await verify()).code, 0)
  assert.match((await verify('--checkpoint', two)).stderr, /^Position 5: The checkpoint was taken at 6/)
  writeFileSync(one, `${checkpoints[0]}\n{"position":1}\n`)
  assert.match(
    (await verify()).stderr,
    /one\.ndjson cannot be used as a checkpoint\. Line 2: It has no position and chain/
  )
  writeFileSync(one, '')
  assert.match((await verify()).stderr, /cannot be used as a checkpoint\. It is empty/)
})

test('what happens is followed as it happens, one JSON entry a line, up to a moment, and as long as somebody reads it', async () => {
  const home = await migratedHome()
  const create = (name: string) => home.done('user', 'create', '--name', name, '--role', 'admin')
  await create('ada')
  const follower = await home.start(['audit', 'follow', '--json', '--type', 'UserCreated', '--from', '1'], '\n')
  assert.is(JSON.parse(follower.stdout()).resource.name, 'ada')
  await create('eve')
  while (!follower.stdout().includes('eve')) await setTimeout(20)
  assert.is(follower.stdout().trimEnd().split('\n').length, 2)
  assert.is((await follower.stop('SIGINT')).code, 0)

  const printed = await home.done('audit', 'follow', '--from', '1', '--to', '2')
  assert.equal(
    printed.split('\n').map((line) => line.split(' ')[0]),
    ['1', '2', '']
  )
  const { code, stdout } = await home.here('audit', 'follow', '--from', '2020-01-01', '--to', '2020-01-02')
  assert.equal([code, stdout], [0, ''])

  const reader = new PassThrough()
  const terminal = { stdin: new PassThrough(), stdout: reader, stderr: new PassThrough(), colors: false }
  reader.on('error', () => {})
  reader.once('data', () => reader.destroy(new Error('write EPIPE')))
  assert.is(await runCli(['-c', join(home.path, 'server.yaml'), 'audit', 'follow', '--from', '1'], terminal), 0)
})

test.run()

const onPostgres = suite('hub audit on Postgres', { needs: ['postgres'] })

onPostgres(
  'who follows goes on after an outage of the database: it says once that it waits, and each entry comes once',
  async () => {
    const database = await postgresDatabase('follow')
    assert.ok(database)
    const network = await startNetwork(database.config)
    const [beside, home] = [await newHome(), await newHome()]
    beside.configure({ db: postgresSection(database.config) })
    home.configure({ db: postgresSection({ ...database.config, host: '127.0.0.1', port: network.port }) })
    await beside.done('migrate')
    const create = (name: string) => beside.json('user', 'create', '--name', name, '--role', 'admin')
    await create('ada')
    const follower = await home.start(['audit', 'follow', '--json', '--type', 'UserCreated', '--from', '1'], '\n')
    for (const name of ['bob', 'eve']) {
      await network.down()
      while (follower.stderr().split('tried again').length < (name === 'bob' ? 2 : 3)) await setTimeout(20)
      await create(name)
      await network.up()
      while (!follower.stdout().includes(name)) await setTimeout(20)
    }
    const { code, stdout, stderr } = await follower.stop('SIGINT')
    const names = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).resource.name)
    assert.equal([code, names], [0, ['ada', 'bob', 'eve']])
    assert.is(stderr.split('tried again').length, 3)
    await network.down()
  }
)

onPostgres.run()
