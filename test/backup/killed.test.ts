import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { NO_KEYS } from '../../src/log/chain.js'
import { writeBackup } from '../../src/trust/backup/write.js'
import { suite } from '../support/suite.js'
import { backup, NOW, newPlace, restored } from './place.js'

const test = suite('a backup that is killed')
const CHILD = fileURLToPath(new URL('./killed-child.js', import.meta.url))

test('leaves nothing under the name of its file: the next one gets it, and after a day takes away what is left', async () => {
  const place = await newPlace()
  const file = place.path('hub.backup')
  const child = spawn(process.execPath, [CHILD, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  const [, signal] = await once(child, 'exit')
  assert.is(signal, 'SIGKILL')
  const [left = '', ...others] = readdirSync(place.path(''))
  assert.match(left, /^hub\.backup\.[0-9a-f]{8}\.partial$/)
  assert.equal(others, [])
  await backup(place.ledger.storage, file)
  assert.is((await restored(file)).position, (await place.ledger.storage.head()).position)
  assert.ok(readdirSync(place.path('')).includes(left))
  const otherFile = 'other.backup.0123abcd.partial'
  writeFileSync(place.path(otherFile), 'half')
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  for (const name of [left, otherFile]) utimesSync(place.path(name), yesterday, yesterday)
  await writeBackup(place.ledger.storage, { file, keys: NO_KEYS, now: NOW, force: true })
  assert.equal(readdirSync(place.path('')).sort(), ['hub.backup', otherFile])
})

test.run()
