import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { gate, rejection } from '../log/faults.js'
import { type TemporaryDirectory, temporaryDirectory } from './databases.js'
import { madeOnce } from './made-once.js'
import { suite } from './suite.js'

const test = suite('a folder that is made once')
let directory: TemporaryDirectory
let path: string

test.before.each(async () => {
  directory = await temporaryDirectory()
  path = join(directory.path, 'made')
})
test.after.each(() => directory.remove())

const write = (folder: string) => writeFile(join(folder, 'file'), 'whole')

test('those who ask at the same time share one, and get it whole', async () => {
  const door = gate()
  let made = 0
  const ask = async () => {
    await madeOnce(path, async (folder) => {
      made++
      await door.passed
      await write(folder)
    })
    return readFile(join(path, 'file'), 'utf8')
  }
  const asked = [ask(), ask(), ask()]
  door.open()
  assert.equal(await Promise.all(asked), ['whole', 'whole', 'whole'])
  assert.is(await ask(), 'whole')
  assert.is(made, 1)
  assert.equal(readdirSync(directory.path), ['made'])
})

test('where it cannot be made nothing is left, and the next one tries', async () => {
  const fails = async (folder: string) => {
    await write(folder)
    throw new Error('no compiler')
  }
  assert.match(String(await rejection(madeOnce(path, fails))), 'no compiler')
  assert.equal(readdirSync(directory.path), [])
  await madeOnce(path, write)
  assert.is(await readFile(join(path, 'file'), 'utf8'), 'whole')
})

test('nobody waits for a process that died over it', async () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  await writeFile(`${path}.lock`, String(pid))
  await madeOnce(path, write)
  assert.equal(readdirSync(directory.path), ['made'])
})

test.run()
