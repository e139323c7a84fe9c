import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { backup, newPlace, restored } from './place.js'

const test = suite('a backup that is killed')
const CHILD = fileURLToPath(new URL('./killed-child.js', import.meta.url))

test('leaves nothing under the name of its file, and the next one gets it', async () => {
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
})

test.run()
