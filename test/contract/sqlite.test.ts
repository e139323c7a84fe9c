import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { answers, connect } from '../../src/storage/sqlite/connection.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { sqliteDatabase } from './databases.js'
import { storageContract } from './storage.js'
import { lockContract } from './writes.js'

const test = suite('storage: sqlite')
storageContract(test, sqliteDatabase, lockContract)

test('what is committed is on disk when that is said, and what is written over is gone from the file', async () => {
  const { path, remove } = await temporaryDirectory()
  const connection = await connect(join(path, 'hub.db'))
  const set = ['synchronous', 'secure_delete'].map((name) => connection.query({ text: `PRAGMA ${name}`, values: [] }))
  assert.equal(set, [[{ synchronous: 2 }], [{ secure_delete: 1 }]])
  connection.close()
  await remove()
})

test('a file system that has answered while this process was busy counts, though that is looked at late', async () => {
  const asked = answers('/')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000)
  await asked
})

test.run()
