import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import * as assert from 'uvu/assert'
import { makeFolder, makePrivate } from '../../src/lib/files.js'
import { makeKey } from '../../src/lib/keyFile.js'
import { createLogger } from '../../src/logging/logging.js'
import { openSqlite } from '../../src/storage/sqlite.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { appendCheckpoint, signCheckpoint, signingKey } from '../../src/trust/audit/checkpoint.js'
import { rejection } from '../log/faults.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { type Home, newHome } from './support.js'

const test = suite('files that hold what users wrote')
const logging = { level: 'info', format: 'json', requests: false, console: true } as const
let home: Home
const mask = process.umask()

test.before.each(async () => {
  process.umask(0)
  home = await newHome()
  home.configure()
})
test.after.each(async () => {
  process.umask(mask)
})

const mode = (...path: readonly string[]) => (statSync(join(home.path, ...path)).mode & 0o777).toString(8)

test('the database, exports and the log file are their owner’s alone, whatever the umask', async () => {
  assert.is((await home.here('migrate')).code, 0)
  assert.is(mode('data'), '700')
  assert.is(mode('data', 'hub.sqlite'), '600')
  assert.is(mode('data', 'hub.sqlite.hub_migrate.lock'), '600')

  const storage = await openSqlite(join(home.path, 'data', 'hub.sqlite'), 'hub_', [])
  await storage.schema.record(99, 'for the log beside the file', '')
  for (const beside of ['-wal', '-shm']) assert.is(mode('data', `hub.sqlite${beside}`), '600')
  await storage.close()

  const log = join(home.path, 'logs', 'hub.log')
  createLogger({ ...logging, file: log, console: false }, new PassThrough()).logger.info('something')
  assert.is(mode('logs', 'hub.log'), '600')
})

test('exports too, also where a file that is open to others is continued', async () => {
  await home.here('migrate')
  const [log, audit] = [join(home.path, 'log.backup'), join(home.path, 'audit.ndjson')]
  for (let round = 0; round < 2; round++) {
    assert.is((await home.here('log', 'export', log)).code, 0)
    assert.is((await home.here('audit', 'export', '--out', audit)).code, 0)
    const modes = ['log.backup', 'audit.ndjson'].map((name) => mode(name))
    assert.equal(modes, ['600', '600'])
    for (const path of [log, audit]) chmodSync(path, 0o644)
  }
})

test('a database that an earlier version has made for everybody is closed to others', async () => {
  await home.here('migrate')
  chmodSync(join(home.path, 'data', 'hub.sqlite'), 0o644)
  await home.here('user', 'list')
  assert.is(mode('data', 'hub.sqlite'), '600')
})

test('a log file that is open to others stays so, and is told of', () => {
  const file = join(home.path, 'shared.log')
  writeFileSync(file, '', { mode: 0o640 })
  const terminal = new PassThrough({ encoding: 'utf8' })
  createLogger({ ...logging, level: 'warn', file }, terminal)
  assert.match(terminal.read(), /can be read by others than its owner/)
  assert.is(mode('shared.log'), '640')
})

test('what is no file is left as it is', async () => {
  const folder = join(home.path, 'folder')
  await mkdir(folder, { mode: 0o755 })
  makePrivate(folder)
  assert.is(mode('folder'), '755')
})

test('folders are made as deep as they must be, and what cannot be made is said at once', async () => {
  const { path } = await temporaryDirectory()
  makeFolder(join(path, 'a', 'b', 'c'))
  makeFolder(join(path, 'a', 'b', 'c'))
  assert.ok(existsSync(join(path, 'a', 'b', 'c')))
  writeFileSync(join(path, 'file'), '')
  assert.throws(() => makeFolder(join(path, 'file')), /EEXIST/)
  assert.throws(() => makeFolder(join(path, 'file', 'below')), /ENOTDIR/)
  // Here it is not allowed to make one, and the reason reads as if something above it were missing.
  if (existsSync('/proc/self')) {
    assert.throws(() => makeFolder('/proc/nope/deep'), /ENOENT/)
    assert.instance(await rejection(openSqlite('/proc/nope/x.db', 'hub_', [])), StorageUnavailable)
    const log = { ...logging, file: '/proc/nope/x.log' }
    assert.throws(() => createLogger(log, new PassThrough()), /ENOENT/)
    assert.throws(() => makeKey('/proc/nope/key'), /ENOENT/)
    const head = { position: 1, chain: '', at: '', generation: 1 }
    const checkpoint = signCheckpoint(head, signingKey(join(path, 'signing-key')), '')
    assert.match(String(await rejection(appendCheckpoint('/proc/nope/checkpoints', checkpoint))), /ENOENT/)
  }
})

test('a key that cannot be written leaves no file, which would count as the key', async () => {
  const { path } = await temporaryDirectory()
  const file = join(path, 'key')
  const code = `import(process.argv[1]).then(({ makeKey }) => makeKey(process.argv[2]))`
  const module = new URL('../../src/lib/keyFile.js', import.meta.url)
  // No file may have any content.
  const limited = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, '-e', code, module.href, file]
  const { status, stderr } = spawnSync('sh', limited, { encoding: 'utf8' })
  assert.is(status, 1, stderr)
  assert.match(stderr, /EFBIG/)
  assert.not.ok(existsSync(file))
})

test('a start on a database that cannot be made says so and ends', async () => {
  home.configure({ db: '{driver: sqlite, path: /proc/nope/x.db}' })
  const { code, stderr } = await home.here('start', '--init')
  assert.is(code, 1)
  assert.match(stderr, /^The database file cannot be opened: ENOENT: no such file or directory, mkdir '\/proc\/nope'/)
})

test('a directory in place of the database is told as one', async () => {
  const home = await newHome()
  home.configure({ db: '{driver: sqlite, path: .}' })
  for (const args of [['migrate'], ['user', 'list']]) {
    const { code, stderr } = await home.here(...args)
    assert.equal([code, stderr], [1, `The database file cannot be opened: ${home.path} is a directory\n`])
  }
})

test.run()
