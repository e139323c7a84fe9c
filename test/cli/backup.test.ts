import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { editorOrigin } from '../../src/ledger/ledger.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { type Home, migratedHome } from './support.js'

const test = suite('hub backup')
const document = z.object({
  events: z.number(),
  position: z.number(),
  chain: z.string(),
  uncheckedFrom: z.number().nullable()
})
let home: Home
test.before.each(async () => {
  home = await migratedHome()
})

const file = (...names: readonly string[]) => join(home.path, ...names)
const says = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await home.here(...args)
  return `${code} ${stdout}${stderr}`
}
const makeUser = (name: string) => home.here('user', 'create', '--name', name, '--role', 'admin')
const audit = (section: object) => {
  const path = file('server.yaml')
  writeFileSync(path, `${readFileSync(path, 'utf8')}audit: ${JSON.stringify(section)}\n`)
}
const written = () => readdirSync(file('b')).filter((name) => name.endsWith('.backup'))

test('create writes a file for its owner alone, verify reads it anywhere, restore fills an empty database once', async () => {
  await makeUser('ada')
  const backup = file('new', 'hub.backup')
  assert.match(
    await says('backup', 'create', backup),
    /^0 Backed up to .*hub\.backup, and read back:\n\d events up to position/
  )
  assert.equal([statSync(backup).mode & 0o777, statSync(file('new')).mode & 0o777], [0o600, 0o700])
  assert.match(await says('audit', 'list', '--type', 'LogExported'), 'LogExported', 'the log tells of it')
  assert.match(await says('backup', 'create', backup), /^1 .*exists already. Name another file, or add --force\.\n$/)
  assert.match(await says('backup', 'create', backup, '--force'), /^0 /)
  const made = document.parse(await home.json('backup', 'verify', backup))

  assert.match(await says('backup', 'restore', backup), /^0 Restored the log up to position/, 'nothing changes')
  await makeUser('bob')
  assert.match(
    await says('backup', 'restore', backup),
    /^1 The hub holds more than the file\. Nothing was imported: name a configuration with another, empty database\.\n$/
  )
  home.configure({ db: '{driver: sqlite, path: other/hub.sqlite}' })
  assert.match(await says('backup', 'restore', backup), /have the digests of the hub that was backed up\.\n$/)
  assert.match(await says('audit', 'verify'), `The chain holds: ${made.position} events, ${made.chain}.`)
  assert.match(await says('user', 'list'), 'ada')
  home.configure({ db: '{driver: sqlite, path: third/hub.sqlite}' })
  await home.here('migrate')
  await makeUser('eve')
  assert.match(await says('backup', 'restore', backup), /^1 The hub is not empty: it holds another log\./)
})

test('what is written to a file never takes the place of a key or of the configuration', async () => {
  await home.withLedger((ledger) => ledger.run({ type: 'CreateCollection', id: 'zoo', name: 'Zoo' }, editorOrigin))
  await says('audit', 'checkpoint')
  const key = file('data', 'checkpoint-key.pem')
  for (const [own, what] of [
    [key, 'a key'],
    [file('server.yaml'), 'the configuration']
  ] as const) {
    const before = readFileSync(own)
    for (const command of [
      ['backup', 'create', own, '--force'],
      ['audit', 'export', '--out', own],
      ['collection', 'export', 'zoo', '--format', 'postman', '--output', own]
    ])
      assert.is(await says(...command), `1 ${own} is ${what} of the hub. Name another file.\n`)
    assert.equal(readFileSync(own), before)
  }
})

test('what is written to a file never takes the place of the database, also with --force', async () => {
  const database = file('data', 'hub.sqlite')
  await home.withLedger((ledger) => ledger.run({ type: 'CreateCollection', id: 'zoo', name: 'Zoo' }, editorOrigin))
  const commands = [
    ['backup', 'create', database, '--force'],
    ['audit', 'export', '--out', database],
    ['collection', 'export', 'zoo', '--format', 'postman', '--output', database]
  ]
  for (const command of commands)
    assert.match(await says(...command), /^1 .*hub\.sqlite is the database of the hub\. Name another file\.\n$/)
  assert.match(await says('collection', 'list'), 'Zoo')
})

test('what is to be written needs a name that a file can have, and nothing is written elsewhere', async () => {
  await home.withLedger((ledger) => ledger.run({ type: 'CreateCollection', id: 'zoo', name: 'Zoo' }, editorOrigin))
  mkdirSync(file('b'))
  const writes = (to: string) => [
    ['backup', 'create', to, '--force'],
    ['log', 'export', to],
    ['audit', 'export', '--out', to],
    ['collection', 'export', 'zoo', '--format', 'postman', '--output', to]
  ]
  const before = readdirSync(home.path)
  for (const command of [...writes(''), ['backup', 'follow', ''], ['audit', 'seal', '--new-key-file', '']])
    assert.is(await says(...command), '2 The name of what is to be written is empty.\n')
  for (const folder of [file('b'), `${file('new')}/`])
    for (const command of writes(folder))
      assert.is(await says(...command), `1 ${folder} is a directory. Name a file in it.\n`)
  assert.equal(readdirSync(home.path), before)
  execFileSync('mkfifo', [file('pipe')])
  for (const command of [
    ['backup', 'create', '--force'],
    ['log', 'export'],
    ['backup', 'verify'],
    ['log', 'import']
  ])
    assert.is(await says(...command, file('pipe')), `1 ${file('pipe')} is no file. Name another one.\n`)
  assert.ok(statSync(file('pipe')).isFIFO())
  writeFileSync(file('taken'), '')
  assert.match(await says('backup', 'follow', file('taken')), /^1 EEXIST: file already exists, mkdir '.*taken'\n$/)
})

test('until is a position or a time, and says what it leaves out', async () => {
  for (const name of ['ada', 'bob', 'eve']) await makeUser(name)
  await home.here('backup', 'create', file('hub.backup'))
  home.configure({ db: '{driver: sqlite, path: other/hub.sqlite}' })
  const restore = (until: string) => says('backup', 'restore', file('hub.backup'), '--until', until)
  assert.match(await restore('sometime'), /^1 --until must be a position, a time, a day, .*: sometime\n$/)
  assert.match(
    await restore('2020-01-01'),
    /^1 Restoring what there was at 2020-01-01T23:59:59\.999Z\.\nNothing of the backup is that old\.\n$/
  )
  assert.match(await restore('4000'), /^1 The backup ends at position/)
  assert.not.ok(existsSync(file('other')), 'no database was touched')
  assert.match(
    await restore('3'),
    /digests of a replay of the log\.\nWhat came later, up to position \d+, is not there: tokens/
  )
  assert.not.match(await says('user', 'list'), 'eve')
})

test('a backup of a version before 1.0.0 restores: equal digests, its chain, and its tokens work', async () => {
  const backup = join('test', 'backup', 'before-1.0.backup')
  const chain = '78706aaf7e9e3d569350a91e702adb248f8541b4f3b3d591822d4413cf2d9081'
  assert.match(await says('backup', 'verify', resolve(backup)), chain)
  const port = await freePort()
  home.configure({ port, db: '{driver: sqlite, path: restored/hub.sqlite}' })
  assert.match(
    await says('backup', 'restore', resolve(backup)),
    /have the digests of the hub that was backed up\.\nThose that this version makes in another way have the digests of a replay: [A-Za-z, ]+\.\n$/
  )
  assert.match(await says('audit', 'verify'), `The chain holds: 18 events, ${chain}.`)
  const server = await home.start(['start'])
  const authorization = 'Bearer hbk_Bu2ha8BFy3W2wVNTbVslWGnA-3eL5p0VXbvHLIXgG9g'
  const answer = await fetch(`http://127.0.0.1:${port}/collections`, { headers: { authorization } })
  assert.match(await answer.text(), /"name":"Orders"/)
  await server.stop()
})

test('verify needs no configuration, and says where a file is not as it was written', async () => {
  await home.here('backup', 'create', file('hub.backup'))
  writeFileSync(file('cut'), readFileSync(file('hub.backup')).subarray(0, 400))
  const { code, stderr } = await home.here('-c', file('none.yaml'), 'backup', 'verify', file('hub.backup'))
  assert.equal([code, stderr], [0, ''])
  assert.match(await says('backup', 'verify', file('cut')), /^1 .*cut is cut off, in line \d+ or behind it\.\n$/)
  assert.match(await says('backup', 'verify', file('nothing')), /^1 File not found/)
  mkdirSync(file('b'))
  assert.match(await says('backup', 'verify', file('b')), /^1 There is no backup in/)
})

test('of a sealed chain, verify says that it had no key, and a restore needs it', async () => {
  audit({ sealKeyFile: 'keys/seal' })
  await makeUser('ada')
  await home.here('backup', 'create', file('hub.backup'))
  const keyed = document.parse(await home.json('backup', 'verify', file('hub.backup')))
  assert.is(keyed.uncheckedFrom, null)
  home.configure({ db: '{driver: sqlite, path: other/hub.sqlite}' })
  const plain = await says('backup', 'verify', file('hub.backup'))
  assert.match(plain, /^0 .*\n(.*\n)*From position 2 on the key is not at hand, so the links were not computed/)
  assert.match(await says('backup', 'restore', file('hub.backup')), 'name its file in the configuration')
  home.configure({ db: '{driver: sqlite, path: third/hub.sqlite}' })
  audit({ sealKeyFile: 'keys/seal' })
  assert.match(await says('backup', 'restore', file('hub.backup')), /^0 /)
  assert.match(await says('audit', 'verify'), /^0 The chain holds[^\n]*\nIt is sealed with the key/)
  assert.match(await says('user', 'list'), 'ada')
})

test('follow writes at once, and each time once from cron', async () => {
  assert.match(
    await says('backup', 'follow', file('b'), '--once'),
    /^0 \S+ .*00000\.backup: a full backup up to position 1\.\n$/
  )
  assert.match(
    await says('backup', 'follow', file('b'), '--once'),
    /^0 \S+ Nothing was written since the last backup\.\n$/
  )
  await makeUser('ada')
  assert.match(await says('backup', 'follow', file('b'), '--once'), /00001\.backup: positions 2 to \d\.\n$/)
  assert.match(await says('backup', 'verify', file('b')), /; 2 files\.\n/)
  for (const name of written()) assert.is(statSync(file('b', name)).mode & 0o777, 0o600)
  assert.match(await says('backup', 'follow', file('b'), '--every', '5'), /^1 --every must be a time such as 30s, 5m/)
})

test('follow goes on until it is stopped, and no other writes to its directory meanwhile', async () => {
  const follower = await home.start(['backup', 'follow', 'b', '--every', '1s'], 'a full backup')
  assert.match(await says('backup', 'follow', file('b'), '--once'), /^1 Another hub backup follow writes to/)
  await makeUser('ada')
  while (!written().some((name) => name.includes('.00001.'))) await sleep(50)
  const { code, stderr } = await follower.stop()
  assert.equal([code, stderr], [0, ''])
  assert.match(await says('backup', 'verify', file('b')), /^0 /)
  assert.match(await says('backup', 'follow', file('b'), '--once'), 'Nothing was written')
})

test('follow goes on with another key of the chain once the configuration names it', async () => {
  const plain = readFileSync(file('server.yaml'), 'utf8')
  audit({ sealKeyFile: 'key' })
  await makeUser('ada')
  const follower = await home.start(['backup', 'follow', 'b', '--every', '1s'], 'a full backup')
  assert.match(await says('audit', 'seal', '--new-key-file', file('next')), /^0 /)
  while (!follower.stderr().includes('No backup: The log is sealed with the key')) await sleep(50)
  writeFileSync(file('server.yaml'), plain)
  audit({ sealKeyFile: 'next', formerSealKeyFiles: ['key'] })
  await makeUser('bob')
  while (!follower.stderr().includes('It works again.')) await sleep(50)
  assert.is((await follower.stop()).code, 0)
  assert.match(await says('backup', 'verify', file('b')), /^0 /)
  assert.match(await says('backup', 'follow', file('b'), '--once'), 'Nothing was written')
})

test('follow takes away what a killed backup has left, and nothing else', async () => {
  mkdirSync(file('b'))
  const left = 'hub-20260131T120000Z.00000.backup.0123abcd.partial'
  for (const name of [left, 'mine.partial']) writeFileSync(file('b', name), 'half')
  assert.match(await says('backup', 'verify', file('b')), /^1 There is no backup in/)
  assert.match(await says('backup', 'follow', file('b'), '--once'), /^0 /)
  assert.equal([existsSync(file('b', left)), existsSync(file('b', 'mine.partial'))], [false, true])
})

test.run()
