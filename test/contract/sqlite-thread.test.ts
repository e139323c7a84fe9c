import { join } from 'node:path'
import { MessagePort } from 'node:worker_threads'
import * as assert from 'uvu/assert'
import { openSqlite } from '../../src/storage/sqlite.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { change, puts } from './commits.js'
import { contractTables, thing, things } from './tables.js'

const test = suite('what a commit hands to the thread that writes: sqlite')

test('however much it is, no message is large: each is copied in one turn of the event loop', async () => {
  const { path } = await temporaryDirectory()
  const storage = await openSqlite(join(path, 'hub.db'), 'hub_', contractTables)
  await storage.schema.createTables()
  const { postMessage } = MessagePort.prototype
  const sizes: number[] = []
  MessagePort.prototype.postMessage = function (message: unknown, ...rest) {
    sizes.push(JSON.stringify(message).length)
    return Reflect.apply(postMessage, this, [message, ...rest])
  }
  const text = 'x'.repeat(10_000)
  try {
    await change(
      storage,
      ...puts(
        things,
        Array.from({ length: 300 }, (_, i) => thing(`t${i}`, { body: text }))
      )
    )
  } finally {
    MessagePort.prototype.postMessage = postMessage
  }
  assert.is((await storage.rows(1).get(things, 't299'))?.body, text)
  await storage.close()
  const all = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(all > 300 * text.length, `${all} characters were handed over`)
  assert.ok(Math.max(...sizes) < 1024 * 1024, `${Math.max(...sizes)} characters in one message`)
})

test.run()
