import * as assert from 'uvu/assert'
import { ClockRefused, clockDoubt, steadyClock } from '../../src/lib/clock.js'
import { suite } from '../support/suite.js'

const test = suite('the clock')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = Date.parse('2026-03-01T12:00:00.000Z')

/** A machine whose clocks a test sets. */
function machine() {
  let [wall, monotonic] = [START, 5000.25]
  const said: string[] = []
  const now = steadyClock((text) => said.push(text), { wall: () => wall, monotonic: () => monotonic })
  const pass = (time_ms: number) => {
    wall += time_ms
    monotonic += time_ms
  }
  const jump = (by_ms: number) => {
    wall += by_ms
  }
  return { now, said, pass, jump }
}

test('is the wall clock, which may be set right by less than an hour without a word', () => {
  const { now, said, pass, jump } = machine()
  assert.is(now(), START)
  pass(3 * DAY)
  jump(-50 * MINUTE)
  assert.is(now(), START + 3 * DAY - 50 * MINUTE)
  jump(50 * MINUTE)
  assert.is(now(), START + 3 * DAY)
  assert.equal(said, [])
})

test('a jump of more than an hour is followed, and said once', () => {
  const { now, said, pass, jump } = machine()
  jump(2 * HOUR)
  assert.is(now(), START + 2 * HOUR)
  pass(MINUTE)
  assert.is(now(), START + 2 * HOUR + MINUTE)
  assert.equal(said, ['The clock has jumped ahead by 2 hours, to 2026-03-01T14:00:00.000Z.'])
  jump(-30 * DAY)
  now()
  assert.is(said[1], 'The clock has jumped back by 30 days, to 2026-01-30T14:01:00.000Z.')
})

for (const [where, by] of [
  ['ahead', 400 * DAY],
  ['back', -400 * DAY]
] as const) {
  test(`a leap of more than a year ${where} is not followed: time goes on, until the clock is right again`, () => {
    const { now, said, pass, jump } = machine()
    jump(by)
    assert.is(now(), START)
    pass(90 * MINUTE)
    assert.is(now(), START + 90 * MINUTE)
    pass(MINUTE)
    now()
    assert.is(said.length, 1)
    assert.match(said[0] ?? '', `The clock has leapt ${where} by 400 days, to 202`)
    jump(-by)
    assert.is(now(), START + 91 * MINUTE)
    assert.is(said[1], 'The clock is followed again: it is 2026-03-01T13:31:00.000Z.')
  })
}

const head = { position: 7, chain: '', at: new Date(START).toISOString(), generation: 1 }
const doubt = (after_ms: number, accepted = false) => clockDoubt(START + after_ms, head, accepted)

test('that agrees with the end of the log is not doubted, and with an empty log every time agrees', () => {
  for (const after of [0, -MINUTE, HOUR, 365 * DAY]) assert.is(doubt(after), null)
  const empty = { ...head, position: 0, at: new Date(0).toISOString() }
  assert.is(clockDoubt(START, empty, false), null)
})

test('that is more than a minute before the end of the log is said', () => {
  assert.match(
    doubt(-2 * MINUTE) ?? '',
    'The clock says 2026-03-01T11:58:00.000Z, 2 minutes before the last event of the log'
  )
})

test('that is more than a year after it is refused, unless somebody says that it is right', () => {
  assert.throws(
    () => doubt(366 * DAY),
    (error: unknown) => error instanceof ClockRefused && /366 days after .*--accept-clock/.test(error.message)
  )
  assert.match(doubt(366 * DAY, true) ?? '', '366 days after the last event of the log')
})

test.run()
