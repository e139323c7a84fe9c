import * as assert from 'uvu/assert'
import { type Reader, type ReadersOptions, sharedReaders } from '../../src/storage/sql/readers.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import { suite } from '../support/suite.js'

const test = suite('connections that read')
const OPTIONS: ReadersOptions = { most: 2, connect_ms: 3000 }

/** Connections that a test opens one by one. */
function server() {
  const asked: ((connection: Reader) => void)[] = []
  const open = () => new Promise<Reader>((resolve) => asked.push(resolve))
  const connection = () => {
    let isOpen = true
    const end = () => {
      isOpen = false
    }
    const made: Reader = {
      get isOpen() {
        return isOpen
      },
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
    const readers = sharedReaders(open, OPTIONS)
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
    const readers = sharedReaders(open, OPTIONS)
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
