import * as assert from 'uvu/assert'
import type { Check } from '../../src/ops/check.js'
import type { ProbePorts } from '../../src/ops/probes.js'
import type { Entered } from '../../src/ops/readiness.js'
import { Readiness } from '../../src/ops/readiness.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { suite } from '../support/suite.js'

const test = suite('readiness')
const LIMITS = { answer_ms: 50, kept_ms: 60_000 }

/** A way in that counts who is inside, and whose ports nobody uses. */
function entrance() {
  const state = { entered: 0, inside: 0 }
  const unused = () => {
    throw new Error('Nobody asks this.')
  }
  const ports: ProbePorts = { config: unused, storage: unused, throttle: unused, room: unused, isWritable: unused }
  const enter = (): Entered<ProbePorts> => {
    state.entered++
    state.inside++
    return { ports, leave: () => state.inside-- }
  }
  return { state, enter }
}

const well: Check<ProbePorts> = { name: 'db', run: async () => [{ state: 'ok', text: 'fine' }] }

test('a thousand who ask at once, and all who ask soon after, are one question', async () => {
  const { state, enter } = entrance()
  const readiness = new Readiness([well], enter, LIMITS)
  const answers = await Promise.all(Array.from({ length: 1000 }, () => readiness.ask()))
  answers.push(await readiness.ask())
  assert.is(state.entered, 1)
  assert.ok(answers.every(({ isReady }) => isReady))
  assert.is(state.inside, 0)
})

test('an answer does not count for ever', async () => {
  const { state, enter } = entrance()
  const readiness = new Readiness([well], enter, { ...LIMITS, kept_ms: 0 })
  await readiness.ask()
  await readiness.ask()
  assert.is(state.entered, 2)
})

test('a check without an answer fails in time, is not asked again meanwhile, and holds what it was given until it is over', async () => {
  const { state, enter } = entrance()
  let answer: () => void = () => {}
  const hanging: Check<ProbePorts> = {
    name: 'db',
    run: () => new Promise((resolve) => (answer = () => resolve([{ state: 'ok', text: 'at last' }])))
  }
  const readiness = new Readiness([hanging], enter, { ...LIMITS, kept_ms: 0 })
  const late = {
    isReady: false,
    checks: { db: { status: 'error', error: 'There was no answer within 0.05 seconds.' } }
  }
  assert.equal(await readiness.ask(), late)
  assert.equal(await readiness.ask(), late)
  assert.equal(state, { entered: 1, inside: 1 })
  answer()
  assert.equal(await readiness.ask(), { isReady: true, checks: { db: { status: 'ok' } } })
  assert.is(state.inside, 0)
})

test('what a server said, and who it was, is not told', async () => {
  const { enter } = entrance()
  const cause = new Error('password authentication failed for user "hub" at 10.0.0.7')
  const broken = {
    name: 'db',
    run: () => Promise.reject(new StorageUnavailable('Postgres refused (28P01).', { cause }))
  }
  const { isReady, checks } = await new Readiness([broken], enter, LIMITS).ask()
  assert.is(isReady, false)
  assert.equal(checks, { db: { status: 'error', error: 'The database does not answer.' } })
})

test('a warning is told, and keeps nobody away', async () => {
  const { enter } = entrance()
  const low: Check<ProbePorts> = {
    name: 'disk',
    run: async () => [{ state: 'warning', text: 'Only 900 MB are free.' }]
  }
  const ready = await new Readiness([well, low], enter, LIMITS).ask()
  assert.is(ready.isReady, true)
  assert.equal(ready.checks.disk, { status: 'ok', warning: 'Only 900 MB are free.' })
})

test('a hub that stops is not ready, also for who has asked before it did', async () => {
  const { state, enter } = entrance()
  const readiness = new Readiness([well], enter, LIMITS)
  const asked = readiness.ask()
  readiness.stop()
  const stopping = { isReady: false, checks: { hub: { status: 'error', error: 'The hub is stopping.' } } }
  assert.equal([await asked, await readiness.ask()], [stopping, stopping])
  assert.is(state.entered, 1)
})

test.run()
