import * as assert from 'uvu/assert'
import { agoValue, calendarOf, rangeValue, timeValue } from '../../cli/lib/times.js'
import { suite } from '../support/suite.js'

const test = suite('times on the command line')
const now = new Date('2026-11-22T05:30:00.000Z')
const at = (zone?: string) => calendarOf(zone, now)

function time(text: string, edge: 'first' | 'last', zone?: string): string {
  const { moment } = timeValue('--x', text, edge, at(zone))
  return 'time' in moment ? moment.time : String(moment.position)
}

function refusal(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return 'nothing was refused'
}

test('a day begins with its first moment and ends with its last, in UTC or in a zone', () => {
  assert.is(time('2026-01-30', 'first'), '2026-01-30T00:00:00.000Z')
  assert.is(time('2026-01-30', 'last'), '2026-01-30T23:59:59.999Z')
  assert.is(time('2026-01-30', 'first', 'Europe/Berlin'), '2026-01-29T23:00:00.000Z')
  assert.is(time('2026-01-30', 'last', 'America/New_York'), '2026-01-31T04:59:59.999Z')
  assert.is(time('2026-01-30', 'first', 'Asia/Kolkata'), '2026-01-29T18:30:00.000Z')
})

test('a day on which the clocks are changed has its 23 or 25 hours', () => {
  assert.is(time('2026-03-29', 'first', 'Europe/Berlin'), '2026-03-28T23:00:00.000Z')
  assert.is(time('2026-03-29', 'last', 'Europe/Berlin'), '2026-03-29T21:59:59.999Z')
  assert.is(time('2026-10-25', 'first', 'Europe/Berlin'), '2026-10-24T22:00:00.000Z')
  assert.is(time('2026-10-25', 'last', 'Europe/Berlin'), '2026-10-25T22:59:59.999Z')
})

test('today and yesterday are days of the zone', () => {
  assert.is(time('today', 'first'), '2026-11-22T00:00:00.000Z')
  assert.is(time('yesterday', 'last'), '2026-11-21T23:59:59.999Z')
  assert.is(time('today', 'first', 'America/Los_Angeles'), '2026-11-21T08:00:00.000Z')
  assert.is(time('Yesterday', 'first', 'Pacific/Auckland'), '2026-11-20T11:00:00.000Z')
})

test('so long ago, now, times with and without a zone, and positions are understood', () => {
  assert.is(time('7d', 'first'), '2026-11-15T05:30:00.000Z')
  assert.is(time('90m', 'last'), '2026-11-22T04:00:00.000Z')
  assert.is(time('2w', 'first'), '2026-11-08T05:30:00.000Z')
  assert.is(time('now', 'last'), now.toISOString())
  assert.is(time('2026-11-22T08:00', 'first', 'Europe/Berlin'), '2026-11-22T07:00:00.000Z')
  assert.is(time('2026-11-22T08:00:00', 'first'), '2026-11-22T08:00:00.000Z')
  assert.is(time('2026-11-22T08:00:00+05:30', 'first', 'Europe/Berlin'), '2026-11-22T02:30:00.000Z')
  assert.is(time('17', 'first'), '17')
})

test('what was not said plainly is told back', () => {
  const told = (given: { from?: string; to?: string }) => rangeValue(given, at()).understood
  assert.is(told({ from: '7d' }), 'from 2026-11-15T05:30:00.000Z to now')
  assert.is(told({ to: '2026-01-30' }), 'from the beginning of the log to 2026-01-30T23:59:59.999Z')
  assert.is(told({ from: '3', to: '2026-01-30T00:00:00Z' }), null)
  assert.is(told({}), null)
})

test('what is no time, no zone or no range is refused by its option', () => {
  assert.match(
    refusal(() => time('sometime', 'first')),
    /^--x must be a position, a time, a day, .*: sometime$/
  )
  for (const text of ['2026-02-30', '99999w', '', '7y', 'constructor'])
    assert.match(
      refusal(() => time(text, 'first')),
      /^--x/,
      text
    )
  assert.is(
    refusal(() => at('Europe/Berln')),
    'Unknown time zone "Europe/Berln". Zones are named like Europe/Berlin, or UTC.'
  )
  assert.match(
    refusal(() => rangeValue({ from: 'today', to: 'yesterday' }, at())),
    /^--from is behind --to: from 2026-11-22/
  )
  assert.match(
    refusal(() => rangeValue({ from: '9', to: '3' }, at())),
    /^--from is behind --to: from position 9 to position 3/
  )
})

test('how long something was unused is a length of time', () => {
  assert.is(agoValue('--unused', '30d', now), '2026-10-23T05:30:00.000Z')
  for (const text of ['30', 'yesterday', '-3d'])
    assert.match(
      refusal(() => agoValue('--unused', text, now)),
      /^--unused/
    )
})

test.run()
