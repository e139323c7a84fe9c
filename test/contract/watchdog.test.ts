import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { WATCHDOG_LIMITS, watchdog } from '../../src/storage/watchdog.js'
import { rejection } from '../log/faults.js'
import { suite } from '../support/suite.js'

const test = suite('a server that takes its time, or is not there')
const LIMITS = { silence_ms: 20, probe_ms: 20, retry_ms: 10 }

/** A server whose life a test decides on. */
function server() {
  const state = { isAlive: true, probes: 0, lost: 0 }
  const watched = watchdog(
    async () => {
      state.probes++
      if (!state.isAlive) await new Promise(() => {})
    },
    () => void state.lost++,
    LIMITS
  )
  return { ...watched, state }
}
const never = () => new Promise<never>(() => {})

test('whoever asks a server that hangs is told within three seconds, and it is found again within two', () => {
  const { silence_ms, probe_ms, retry_ms } = WATCHDOG_LIMITS
  assert.ok(silence_ms + probe_ms <= 2500, 'what is on its way has half a second for everything else')
  assert.ok(retry_ms <= 500)
})

test('a slow answer is waited for while the server shows that it lives', async () => {
  const { during, stop, state } = server()
  assert.is(await during(() => sleep(150, 'slow')), 'slow')
  assert.ok(state.probes > 1)
  assert.is(state.lost, 0)
  stop()
})

test('nobody asks a server for signs of life that answers in time', async () => {
  const { during, stop, state } = server()
  for (let i = 0; i < 20; i++) await during(async () => {})
  assert.is(state.probes, 0)
  stop()
})

test('one that shows none is given up: its connections are dropped once, and whoever asks is refused at once', async () => {
  const { during, stop, state } = server()
  state.isAlive = false
  const asked = [during(never), during(never)]
  for (const one of asked) assert.instance(await rejection(one), StorageUnavailable)
  let isAsked = false
  const late = during(async () => {
    isAsked = true
  })
  assert.instance(await rejection(late), StorageUnavailable)
  assert.equal([isAsked, state.lost], [false, 1])
  stop()
})

test('one that falls silent while it is probed is probed again at once, where its last answer is that long ago', async () => {
  const [silence_ms, probe_ms] = [500, 520]
  const probed: number[] = []
  const probe = async () => {
    probed.push(performance.now())
    await never()
  }
  const { during, stop } = watchdog(probe, () => {}, { silence_ms, probe_ms, retry_ms: 1000 })
  const stuck = rejection(during(never))
  while (probed.length === 0) await sleep(1)
  await during(async () => 'the last answer')
  assert.instance(await stuck, StorageUnavailable)
  const [first = 0, second = Number.POSITIVE_INFINITY] = probed
  assert.ok(second - first < silence_ms + probe_ms - 20, `it was probed again after ${second - first} ms`)
  stop()
})

test('and asked again as soon as it shows one', async () => {
  const { during, stop, state } = server()
  state.isAlive = false
  await rejection(during(never))
  state.isAlive = true
  let answer: string | undefined
  while (answer === undefined) {
    await sleep(5)
    answer = await during(async () => 'here').catch(() => undefined)
  }
  assert.is(answer, 'here')
  stop()
})

test('what is answered after it was given up is handed back, and an answer during the question is a sign of life', async () => {
  const { during, stop, state } = server()
  state.isAlive = false
  const late: string[] = []
  const slow = during(
    () => sleep(120, 'connection'),
    (answer) => late.push(answer)
  )
  assert.instance(await rejection(slow), StorageUnavailable)
  await sleep(120)
  assert.equal(late, ['connection'])
  stop()

  const other = server()
  other.state.isAlive = false
  let isStuck = true
  const stuck = other
    .during(() => sleep(100, 'stuck'))
    .finally(() => {
      isStuck = false
    })
  while (isStuck) await other.during(() => sleep(5))
  assert.is(await stuck, 'stuck')
  other.stop()
})

test('an answer that has come while this process was busy counts, though it is looked at late', async () => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  let lost = 0
  let isBusy = false
  const probe = async () => {
    if (!isBusy)
      setImmediate(() => {
        // A signal comes as what a socket brings does: behind the timers that are due by then.
        process.once('SIGUSR2', answer)
        process.kill(process.pid, 'SIGUSR2')
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 * LIMITS.probe_ms)
      })
    isBusy = true
    await never()
  }
  const { during, stop } = watchdog(probe, () => void lost++, LIMITS)
  await during(() => answered)
  stop()
  assert.is(lost, 0)
})

test('once it is stopped no server is asked for signs of life, though somebody still waits', async () => {
  const { during, stop, state } = server()
  state.isAlive = false
  void during(never)
  while (state.probes === 0) await sleep(1)
  stop()
  void during(never)
  await sleep(10 * LIMITS.silence_ms)
  assert.equal([state.probes, state.lost], [1, 0])
})

test.run()
