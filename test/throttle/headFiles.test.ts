import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { headFiles } from '../../src/throttle/headFiles.js'
import { copyOf, intrude, putBack } from '../audit/intruder.js'
import { newHome } from '../cli/support.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'

const test = suite('how far a log has come, kept in files')
const LOG = 'a'.repeat(64)
const end = (position: number) => ({ position, chain: String(position), at: '2026-01-01T00:00:00.000Z' })

test('is what was told last, of each log, for whoever looks next', async () => {
  const folder = await temporaryDirectory()
  try {
    const path = join(folder.path, 'not', 'there')
    const heads = headFiles(path)
    assert.is(await heads.furthest(LOG), null)
    await heads.tell(LOG, end(0), end(1234))
    await heads.tell(LOG, end(1), end(9))
    await heads.accept('b', end(3))
    assert.equal(await headFiles(path).furthest(LOG), end(9))
    assert.equal(await headFiles(path).furthest('b'), end(3))
    assert.equal(readdirSync(path).toSorted(), [LOG, 'b'].toSorted())
    writeFileSync(join(path, LOG), '{"position":1')
    assert.is(await heads.furthest(LOG), null)
  } finally {
    await folder.remove()
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
