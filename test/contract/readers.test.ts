import * as assert from 'uvu/assert'
import { type Reader, type ReadersOptions, sharedReaders } from '../../src/storage/sql/readers.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { gate, rejection, settled } from '../log/faults.js'
import { suite } from '../support/suite.js'

const test = suite('connections that read')
const OPTIONS: ReadersOptions = { most: 2, connect_ms: 3000 }

/** Connections that a test opens one by one, or not at all. */
function server() {
  const asked: ((connection: Reader) => void)[] = []
  const refuse: ((error: unknown) => void)[] = []
  const open = () =>
    new Promise<Reader>((resolve, reject) => {
      asked.push(resolve)
      refuse.push(reject)
    })
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
  return { asked, refuse, open, connection }
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

test('however many ask at once, no more are opened than may be, and each serves one at a time', async () => {
  const { asked, open, connection } = server()
  const readers = sharedReaders(open, OPTIONS)
  const lent: Reader[] = []
  const done = gate()
  const use = async (one: Reader) => {
    lent.push(one)
    await done.passed
  }
  const used = [1, 2, 3, 4].map(() => readers.use(use))
  assert.is(asked.length, 2)
  for (const give of asked) give(connection())
  await settled()
  assert.equal([new Set(lent).size, lent.length], [2, 2])
  assert.equal(readers.counts(), { active: 2, idle: 0, waiting: 2 })
  done.open()
  await Promise.all(used)
  assert.equal(readers.counts(), { active: 0, idle: 2, waiting: 0 })
  assert.is(asked.length, 2)
})

test('one goes back though the work on it fails, and is closed to the next where it has ended', async () => {
  const { asked, open, connection } = server()
  const readers = sharedReaders(open, { ...OPTIONS, most: 1 })
  const [first, second] = [connection(), connection()]
  const failed = rejection(readers.use(() => Promise.reject(new TypeError('mine'))))
  asked[0]?.(first)
  assert.instance(await failed, TypeError)
  const begun = gate()
  const ended = readers.use(async (one) => {
    assert.is(one, first)
    await begun.passed
    one.destroy()
  })
  const waiting = readers.use(async (one) => one)
  begun.open()
  await ended
  asked[1]?.(second)
  assert.is(await waiting, second)
})

test('where one ends at its work, those that nobody uses end too: what has silenced one may have silenced them', async () => {
  const { asked, open, connection } = server()
  const readers = sharedReaders(open, OPTIONS)
  const [first, second, third] = [connection(), connection(), connection()]
  const done = gate()
  const used = [1, 2].map(() => readers.use(() => done.passed))
  asked[0]?.(first)
  asked[1]?.(second)
  done.open()
  await Promise.all(used)
  await readers.use(async (one) => one.destroy())
  assert.equal([first.isOpen, second.isOpen], [false, false])
  assert.equal(readers.counts(), { active: 0, idle: 0, waiting: 0 })
  const next = readers.use(async (one) => one)
  asked[2]?.(third)
  assert.is(await next, third)
})

test('where one more cannot be opened, who waits gets one that serves; where none serves, the reason', async () => {
  const { asked, refuse, open, connection } = server()
  const readers = sharedReaders(open, OPTIONS)
  const [first, done] = [connection(), gate()]
  const used = readers.use(() => done.passed)
  const waiting = readers.use(async (one) => one)
  asked[0]?.(first)
  await settled()
  refuse[1]?.(new TypeError('none left'))
  await settled()
  done.open()
  await used
  assert.is(await waiting, first)
  first.destroy()
  const refused = rejection(readers.use(async () => assert.unreachable()))
  refuse[2]?.(new TypeError('none at all'))
  assert.match(String(await refused), 'none at all')
})

test('who has waited for too long is told, and what becomes free then is lent to the next', async () => {
  const { asked, open, connection } = server()
  const readers = sharedReaders(open, { most: 1, connect_ms: -490 })
  const done = gate()
  const used = readers.use(() => done.passed)
  asked[0]?.(connection())
  assert.instance(await rejection(readers.use(async () => assert.unreachable())), StorageUnavailable)
  done.open()
  await used
  assert.equal(readers.counts(), { active: 0, idle: 1, waiting: 0 })
  assert.is(await readers.use(async () => 'lent'), 'lent')
})

test.run()
