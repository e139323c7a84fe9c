import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../../src/lib/temporary.js'
import { afterwards } from '../support/afterwards.js'
import { suite } from '../support/suite.js'

const test = suite('temporary folders')

/** A folder as a process makes it, with something in it. */
function folderOf(use: string, pid: number): string {
  const path = join(tmpdir(), `hub-${use}-${pid}-aB3dE6`)
  mkdirSync(path)
  writeFileSync(join(path, 'log.backup'), 'a whole log')
  afterwards(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('those of a process that was killed go with the next one, those of one that runs and all others stay', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  const [moved, searched] = [folderOf('move', pid), folderOf('search', pid)]
  const others = [folderOf('move', process.ppid), folderOf('notes', pid)]
  const mine = temporaryFolder('move')
  assert.equal([moved, searched, mine, ...others].map(existsSync), [false, false, true, true, true])
  rmSync(mine, { recursive: true })
})

test('those of a process that had the same number go, those of this one stay', () => {
  const [before, other] = [folderOf('move', process.pid), folderOf('search', process.pid)]
  const first = temporaryFolder('move')
  const second = temporaryFolder('move')
  assert.equal([before, other, first, second].map(existsSync), [false, true, true, true])
  for (const folder of [first, second]) rmSync(folder, { recursive: true })
})

test.run()
