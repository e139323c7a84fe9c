import * as assert from 'uvu/assert'
import { type LeaseClock, whileLeased } from '../../src/storage/firestore/state.js'
import { type StateStore, StorageUnavailable } from '../../src/storage/storage.js'
import { gate, settled } from '../log/faults.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'

const test = suite('leases')

/** A clock that goes on when it is told to, and whoever waits by it. */
function standingClock(): LeaseClock & { goOn(time_ms: number): Promise<void> } {
  let now = 0
  const waiting = new Set<{ readonly at: number; readonly over: () => void }>()
  return {
    now: () => now,
    pause: (time_ms, signal) =>
      new Promise<void>((resolve, reject) => {
        const end = () => {
          waiting.delete(one)
          reject(signal?.reason)
        }
        const over = () => {
          signal?.removeEventListener('abort', end)
          resolve()
        }
        const one = { at: now + time_ms, over }
        waiting.add(one)
        signal?.addEventListener('abort', end)
      }),
    async goOn(time_ms) {
      const until = now + time_ms
      for (;;) {
        await settled()
        const [next] = [...waiting].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
        if (!next) break
        waiting.delete(next)
        now = next.at
        next.over()
      }
      now = until
      await settled()
    }
  }
}

/** What is done under one lease by two processes, who may each be told something else of it. */
function twoAtWork() {
  const { state } = openMemory()
  const clock = standingClock()
  const [first, second] = [gate(), gate()]
  const done: string[] = []
  const under = (name: string, work: Promise<void>, store: StateStore) =>
    whileLeased(
      store,
      'migrate',
      async () => {
        done.push(`${name} begins`)
        await work
        done.push(`${name} ends`)
      },
      undefined,
      clock
    )
  return {
    ...{ state, clock, first, second, done },
    begin: async (own = state) => {
      const both = [under('one', first.passed, own)]
      await settled()
      both.push(under('two', second.passed, state))
      return Promise.all(both)
    }
  }
}

test('who comes second begins when the first has ended, however long that takes, and leaves nothing behind', async () => {
  const { state, clock, first, second, done, begin } = twoAtWork()
  const both = begin()
  await clock.goOn(60_000)
  assert.equal(done, ['one begins'])
  first.open()
  await clock.goOn(250)
  assert.equal(done, ['one begins', 'one ends', 'two begins'])
  second.open()
  await both
  assert.is(await state.get('migrate'), null)
})

test('the lease of a process that has ended without a word passes on when it has stood still for six seconds', async () => {
  const { state, clock, second, done } = twoAtWork()
  await state.put('migrate', 'gone', null)
  second.open()
  const work = whileLeased(state, 'migrate', async () => void done.push('two'), undefined, clock)
  await clock.goOn(5900)
  assert.equal(done, [])
  await clock.goOn(500)
  assert.equal(done, ['two'])
  await work
})

test('a renewal whose answer is lost leaves the lease with its holder, who releases it', async () => {
  const { state, clock, first, second, done, begin } = twoAtWork()
  let lost = 0
  const put: StateStore['put'] = async (key, text, over) => {
    const mark = await state.put(key, text, over)
    if (over !== null && ++lost === 1) throw new StorageUnavailable('lost')
    return mark
  }
  const both = begin({ ...state, put })
  await clock.goOn(60_000)
  assert.equal([lost > 1, done], [true, ['one begins']])
  first.open()
  await clock.goOn(250)
  assert.equal(done, ['one begins', 'one ends', 'two begins'])
  second.open()
  await both
})

test('who has lost the lease to another does not take it back, and does not release it', async () => {
  const { state, clock, first, done, begin } = twoAtWork()
  let isAway = false
  const unlessAway = <A extends readonly unknown[], T>(ask: (...asked: A) => Promise<T>) => {
    return (...asked: A) => (isAway ? Promise.reject(new StorageUnavailable('away')) : ask(...asked))
  }
  const own = { ...state, get: unlessAway(state.get), put: unlessAway(state.put) }
  void begin(own)
  await clock.goOn(3000)
  isAway = true
  await clock.goOn(7000)
  assert.equal(done, ['one begins', 'two begins'])
  isAway = false
  await clock.goOn(10_000)
  const held = await state.get('migrate')
  first.open()
  await settled()
  assert.equal([done.at(-1), await state.get('migrate')], ['one ends', held])
})

test.run()
