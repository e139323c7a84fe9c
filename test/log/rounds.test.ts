import { setImmediate } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { coalesced } from '../../src/readmodel/coalesced.js'
import { suite } from '../support/suite.js'
import { gate } from './faults.js'

const test = suite('rounds')

test('at most one round runs at a time, and each call gets one that starts after it', async () => {
  let [started, running] = [0, 0]
  const round = coalesced(async () => {
    started++
    assert.is(++running, 1)
    for (let turn = 0; turn < started % 4; turn++) await Promise.resolve()
    running--
  })
  const calls: Promise<void>[] = []
  for (let i = 0; i < 200; i++) {
    const before = started
    calls.push(round().then(() => assert.ok(started > before)))
    for (let turn = 0; turn < i % 5; turn++) await Promise.resolve()
  }
  await Promise.all(calls)
})

test('whoever comes as a round begins gets the one behind it', async () => {
  let started = 0
  let behind: Promise<void> | null = null
  const round = coalesced(async () => {
    if (++started === 1) behind = round()
  })
  await round()
  await behind
  assert.is(started, 2)
})

test('everyone who comes in one turn of the event loop shares a round, and everyone who comes during it the next', async () => {
  const door = gate()
  let started = 0
  const round = coalesced(() => {
    started++
    return door.passed
  })
  const calls = Array.from({ length: 20 }, () => round())
  assert.is(started, 0)
  await setImmediate()
  assert.is(started, 1)
  calls.push(...Array.from({ length: 20 }, () => round()))
  door.open()
  await Promise.all(calls)
  assert.is(started, 2)
})

test('a round that fails fails those who share it and no other', async () => {
  let started = 0
  const round = coalesced(async () => {
    if (++started === 1) throw new Error('first')
  })
  const first = Promise.allSettled([round()])
  await setImmediate()
  const ended = [...(await first), ...(await Promise.allSettled([round()]))]
  assert.equal(
    ended.map(({ status }) => status),
    ['rejected', 'fulfilled']
  )
})

test.run()
