import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { Superseded } from '../../src/ledger/release.js'
import { Outages } from '../../src/ops/outages.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { ThrottleUnavailable } from '../../src/throttle/throttle.js'
import { suite } from '../support/suite.js'

const test = suite('outages')
const EVERY_MS = 5

interface Line {
  readonly level: 'error' | 'warn'
  readonly message: string
  readonly requests?: unknown
  readonly seconds?: unknown
}

function watched() {
  const lines: Line[] = []
  const back = { db: false, redis: false, images: false, looks: 0 }
  const log = {
    error: (details: object, message: string) => void lines.push({ level: 'error', ...details, message }),
    warn: (details: object, message: string) => void lines.push({ level: 'warn', ...details, message })
  }
  const outages = new Outages(
    log,
    async (supply) => {
      back.looks++
      return back[supply]
    },
    EVERY_MS
  )
  return { lines, back, outages }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(EVERY_MS)
}

test('a thousand refused requests are one line when it begins, and one when it is over that counts them', async () => {
  const { lines, back, outages } = watched()
  for (let i = 0; i < 1000; i++) assert.is(outages.takes(new StorageUnavailable('gone')), true)
  assert.equal(
    lines.map(({ message }) => message),
    ['the database does not answer: requests are refused']
  )
  back.db = true
  await until(() => lines.length > 1)
  const [, over, ...more] = lines
  assert.equal(
    [over?.message, over?.requests, typeof over?.seconds, more],
    ['the database answers again', 1000, 'number', []]
  )
  outages.takes(new StorageUnavailable('gone again'))
  assert.is(lines.length, 3)
  outages.stop()
})

test('it is not over while it is still there', async () => {
  const { lines, back, outages } = watched()
  outages.takes(new StorageUnavailable('gone'))
  await until(() => back.looks >= 3)
  assert.is(lines.length, 1)
  outages.stop()
})

test('the database and the throttle store are told of by themselves', async () => {
  const { lines, back, outages } = watched()
  outages.takes(new StorageUnavailable('gone'))
  outages.takes(new ThrottleUnavailable('gone'))
  back.redis = true
  await until(() => lines.length > 2)
  assert.equal(lines.at(-1)?.message, 'the throttle store answers again')
  outages.stop()
})

test('what is no outage is left to others, and being superseded is told elsewhere', () => {
  const { lines, outages } = watched()
  assert.is(outages.takes(new Error('a mistake')), false)
  assert.is(outages.takes(new Superseded({ position: 1, chain: '', at: '', generation: 1 })), true)
  assert.equal(lines, [])
})

test.run()
