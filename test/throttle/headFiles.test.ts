import { appendFileSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { headFiles } from '../../src/throttle/headFiles.js'
import { copyOf, intrude, putBack } from '../audit/intruder.js'
import { newHome } from '../cli/support.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'

const test = suite('how far a log has come, kept in files')
const LOG = 'a'.repeat(64)
const end = (position: number) => ({ position, chain: String(position), at: '2026-01-01T00:00:00.000Z' })

/** What a descriptor of this process is open on; empty for one that is closed by now. */
function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return ''
  }
}

test('is what was told last, of each log, for whoever looks next', async () => {
  const folder = await temporaryDirectory()
  try {
    const path = join(folder.path, 'not', 'there')
    const heads = headFiles(path)
    assert.is(await heads.furthest(LOG), null)
    await heads.announce(LOG, end(0), end(1234))
    await heads.announce(LOG, end(1), end(9))
    await heads.accept('b', end(3))
    assert.equal(await headFiles(path).furthest(LOG), end(9))
    assert.equal(await headFiles(path).furthest('b'), end(3))
    assert.equal(readdirSync(path).toSorted(), [LOG, 'b'].toSorted())
    writeFileSync(join(path, LOG), '{"position":1')
    assert.is(await heads.furthest(LOG), null)
    heads.close()
  } finally {
    await folder.remove()
  }
})

test('is told with each commit without opening the file again, of any number of logs with few files open', async () => {
  const folder = await temporaryDirectory()
  const openFiles = () => readdirSync('/proc/self/fd').filter((file) => targetOf(file).startsWith(folder.path))
  try {
    const heads = headFiles(folder.path)
    await heads.announce(LOG, end(0), end(1))
    const first = openFiles()
    await heads.announce(LOG, end(1), end(2))
    assert.equal([first.length, openFiles()], [1, first])
    for (let i = 0; i < 200; i += 1) await heads.announce(`log-${i}`, end(0), end(i))
    assert.is(openFiles().length, 64)
    await heads.announce(LOG, end(2), end(3))
    assert.equal([await heads.furthest(LOG), await heads.furthest('log-0')], [end(3), end(0)])
    heads.close()
    assert.is(openFiles().length, 0)
  } finally {
    await folder.remove()
  }
})

test('is told in the file that is there, also where somebody took it away or put another in its place', async () => {
  const folder = await temporaryDirectory()
  const heads = headFiles(folder.path)
  const path = join(folder.path, LOG)
  const told = () => headFiles(folder.path).furthest(LOG)
  try {
    await heads.announce(LOG, end(0), end(1))
    rmSync(path)
    await heads.announce(LOG, end(1), end(2))
    assert.equal(await told(), end(2))
    writeFileSync(join(folder.path, 'restored'), '{}')
    renameSync(join(folder.path, 'restored'), path)
    await heads.announce(LOG, end(2), end(3))
    assert.equal(await told(), end(3))
    rmSync(folder.path, { recursive: true })
    await heads.announce(LOG, end(3), end(4))
    assert.equal(await told(), end(4))
  } finally {
    heads.close()
    await folder.remove()
  }
})

test('what is no command of a ledger is told too: another key of the chain, and other read tables', async () => {
  const home = await newHome()
  home.configure()
  appendFileSync(join(home.path, 'server.yaml'), 'audit: {sealKeyFile: seal-key, headDirectory: heads}\n')
  await home.here('migrate')
  const written = z.object({ position: z.number() })
  const told = async () => {
    const [log = ''] = readdirSync(join(home.path, 'heads'))
    return (await headFiles(join(home.path, 'heads')).furthest(log))?.position
  }
  try {
    await home.done('user', 'create', '--name', 'ada', '--role', 'admin')
    await home.done('projections', 'rebuild')
    assert.is(await told(), written.parse(await home.json('audit', 'verify')).position)
    const { position } = written.parse(await home.json('audit', 'seal', '--new-key-file', join(home.path, 'next')))
    assert.is(await told(), position)
  } finally {
    await home.remove()
  }
})

test('a database that was put back is not served, nor written by a command, until that is accepted', async () => {
  const home = await newHome()
  home.configure()
  await home.here('migrate')
  const create = (name: string) => home.here('user', 'create', '--name', name, '--role', 'admin')
  await create('ada')
  const intruder = await intrude({ driver: 'sqlite', path: join(home.path, 'data/hub.sqlite'), prefix: 'hub_' })
  try {
    const copy = await copyOf(intruder)
    assert.is((await create('grace')).code, 0)
    await putBack(intruder, copy)
    const refused = [
      create('eve'),
      ...[['user', 'list'], ['projections', 'rebuild'], ['start']].map((words) => home.here(...words))
    ]
    for (const { code, stderr } of await Promise.all(refused)) {
      assert.is(code, 1)
      assert.match(stderr, /known to go on to position \d+ .*accept-head/)
    }
    assert.match((await home.here('doctor')).stdout, /failed +log +The log was known to go on/)
    assert.match((await home.here('log', 'accept-head', '--yes')).stdout, 'Accepted.')
    const { stdout } = await home.here('user', 'list')
    assert.match(stdout, 'ada')
    assert.not.match(stdout, 'grace')
  } finally {
    await intruder.close()
    await home.remove()
  }
})

test.run()
