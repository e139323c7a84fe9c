import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { runCli } from '../../cli/run.js'
import { suite } from '../support/suite.js'
import { type Home, migratedHome } from './support.js'

const test = suite('hub log')
let home: Home
test.before.each(async () => {
  home = await migratedHome()
})

const OTHER = '{driver: sqlite, path: other/hub.sqlite}'
const file = (name: string) => join(home.path, name)
const makeUser = (name: string) => home.here('user', 'create', '--name', name, '--role', 'admin')
const says = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await home.here(...args)
  return `${code} ${stdout}${stderr}`
}

/** Runs something whose temporary files are in a folder of their own, in which nothing may be left. */
async function amongTemporary(work: () => Promise<void>): Promise<void> {
  const { TMPDIR } = process.env
  process.env.TMPDIR = file('temporary')
  mkdirSync(file('temporary'))
  try {
    await work()
    assert.equal(readdirSync(file('temporary')), [])
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
}

test('a log moves while its hub serves: an export and an import that are run again add what came since', async () => {
  await makeUser('ada')
  assert.match(
    await says('log', 'export', file('log.backup')),
    /^0 Exported \d events to .*log\.backup\.\nLast chain: [0-9a-f]{64}\n$/
  )
  home.configure({ db: OTHER })
  assert.match(await says('log', 'import', file('log.backup')), /^0 Imported the log up to position \d\.\nLast chain: /)
  home.configure()
  await makeUser('bob')
  assert.match(await says('log', 'export', file('log.backup')), /^0 Exported \d+ events to /)
  const chain = (await says('audit', 'verify')).split('\n')[0]
  home.configure({ db: OTHER })
  assert.match(
    await says('log', 'import', file('log.backup')),
    /^0 Imported the log up to position \d+\.\nLast chain: /
  )
  assert.is((await says('audit', 'verify')).split('\n')[0], chain)
  assert.match(await says('projections', 'verify'), /^0 /)
  assert.match(await says('user', 'list'), 'bob')
})

test('what one command takes, the other one takes too', async () => {
  await makeUser('ada')
  await home.here('log', 'export', file('log.backup'))
  await home.here('backup', 'create', file('hub.backup'))
  assert.match(await says('backup', 'verify', file('log.backup')), /^0 /)
  home.configure({ db: OTHER })
  assert.match(
    await says('backup', 'restore', file('log.backup')),
    /^0 .*\n.*\n.*have the digests of the hub that was backed up/
  )
  home.configure({ db: '{driver: sqlite, path: third/hub.sqlite}' })
  assert.match(await says('log', 'import', file('hub.backup')), /^0 Imported the log up to position/)
  assert.match(await says('projections', 'verify'), /^0 /)
})

test('an export goes to stdout, and an import comes from stdin', async () => {
  await makeUser('ada')
  const stdout = new PassThrough()
  const sent = buffer(stdout)
  const stderr = new PassThrough()
  const terminal = { stdin: Readable.from([]), stdout, stderr, colors: false }
  assert.is(await runCli(['-c', file('server.yaml'), 'log', 'export'], terminal), 0)
  stdout.end()
  const chain = (await says('audit', 'verify')).split('\n')[0]
  home.configure({ db: OTHER })
  await amongTemporary(async () => {
    const cut = (await sent).subarray(0, 400)
    assert.match(
      (await home.asked(Readable.from([cut]), 'log', 'import', '-')).stderr,
      /^stdin is cut off, in line \d+/
    )
    const { code, stderr: said } = await home.asked(Readable.from([await sent]), 'log', 'import', '-')
    assert.equal([code, said], [0, ''])
  })
  assert.is((await says('audit', 'verify')).split('\n')[0], chain)
})

test('an import that is stopped while stdin is read says so, and leaves nothing behind', async () => {
  await amongTemporary(async () => {
    const done = home.asked(new PassThrough(), 'log', 'import', '-')
    while (readdirSync(file('temporary')).length === 0) await sleep(5)
    while (!process.emit('SIGINT')) await sleep(5)
    const { code, stderr } = await done
    assert.equal([code, stderr], [1, 'The import was stopped. Run again, it goes on where it was.\n'])
  })
})

test('an export to a terminal is refused, and an import of what is no backup touches no database', async () => {
  const screen = Object.assign(new PassThrough(), { isTTY: true as const })
  const stderr = new PassThrough()
  const terminal = { stdin: Readable.from([]), stdout: screen, stderr, colors: false }
  assert.is(await runCli(['-c', file('server.yaml'), 'log', 'export'], terminal), 1)
  assert.match(String(stderr.read()), 'Name a file.')
  home.configure({ db: OTHER })
  assert.match(await says('log', 'import', file('server.yaml')), /^1 .*is not a backup of a hub\.\n$/)
  assert.not.ok(readdirSync(home.path).includes('other'))
})

test.run()
