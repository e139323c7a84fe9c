import * as assert from 'uvu/assert'
import type { Connection } from '../../src/storage/mysql/connection.js'
import { mysqlReaders } from '../../src/storage/mysql/readers.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import { suite } from '../support/suite.js'

const test = suite('connections that read from mysql')

/** Connections that a test opens one by one. */
function server() {
  const asked: ((connection: Connection) => void)[] = []
  const open = () => new Promise<Connection>((resolve) => asked.push(resolve))
  const connection = () => {
    let isOpen = true
    const end = () => {
      isOpen = false
    }
    const made: Connection = {
      bytesMax: 1,
      get isOpen() {
        return isOpen
      },
      query: async () => [],
      run: async () => {},
      close: async () => end(),
      destroy: end
    }
    return made
  }
  return { asked, open, connection }
}

for (const end of ['close', 'destroy'] as const) {
  test(`${end}: one that is being opened then ends when it is open, and whoever waits for it is told at once`, async () => {
    const { asked, open, connection } = server()
    const readers = mysqlReaders(open, 2)
    const opened = connection()
    const used = readers.use(async () => assert.unreachable())
    await readers[end]()
    assert.instance(await rejection(used), StorageUnavailable)
    asked[0]?.(opened)
    await Promise.resolve()
    assert.not(opened.isOpen)
  })

  test(`${end}: those that are open end, and no other is opened`, async () => {
    const { asked, open, connection } = server()
    const readers = mysqlReaders(open, 2)
    const opened = connection()
    const used = readers.use(async (one) => one.isOpen)
    asked[0]?.(opened)
    assert.ok(await used)
    await readers[end]()
    assert.not(opened.isOpen)
    assert.instance(await rejection(readers.use(async () => {})), StorageUnavailable)
    assert.is(asked.length, 1)
  })
}

test.run()
