import * as assert from 'uvu/assert'
import type { Dependency } from '../../src/readmodel/cache.js'
import { Cache } from '../../src/readmodel/cache.js'
import { suite } from '../support/suite.js'
import { items, marks } from './domain.js'
import { gate, rejection } from './faults.js'

const test = suite('cache')

const one = () => 1
const whole: readonly Dependency[] = [{ table: items, scope: null }]
const of = (scope: string): readonly Dependency[] => [{ table: items, scope }]

/** Counts how often it had to load. */
function counting(cache: Cache) {
  let loads = 0
  const through = (key: string, dependencies = whole, bytes = 1) =>
    cache.through(
      key,
      dependencies,
      () => bytes,
      async () => `${key}${++loads}`
    )
  return { through, loads: () => loads }
}

test('a value is loaded once', async () => {
  const { through, loads } = counting(new Cache(100))
  assert.equal([await through('a'), await through('a'), await through('b')], ['a1', 'a1', 'b2'])
  assert.is(loads(), 2)
})

test('a change drops what depends on its scope and on its whole table, and nothing else', async () => {
  const cache = new Cache(100)
  const { through, loads } = counting(cache)
  const ask = async () => {
    const before = loads()
    const scopes = [
      through('x', of('x')),
      through('y', of('y')),
      through('all'),
      through('mark', [{ table: marks, scope: 'x' }])
    ]
    await Promise.all(scopes)
    return loads() - before
  }
  assert.is(await ask(), 4)
  assert.is(await ask(), 0)
  cache.drop(items, 'x')
  assert.is(await ask(), 2)
  cache.drop(items, null)
  assert.is(await ask(), 3)
  cache.clear()
  assert.is(await ask(), 4)
})

test('a value whose source changes while it is loaded is handed out and not kept', async () => {
  const cache = new Cache(100)
  const changes = [() => cache.drop(items, 'x'), () => cache.drop(items, null), () => cache.clear()]
  for (const change of changes) {
    const door = gate()
    const slow = cache.through('a', of('x'), one, () => door.passed.then(() => 'old'))
    change()
    door.open()
    assert.is(await slow, 'old')
    assert.is(await cache.through('a', of('x'), one, async () => 'new'), 'new')
    cache.clear()
  }
})

test('a change elsewhere does not hinder a value that is being loaded', async () => {
  const cache = new Cache(100)
  const door = gate()
  const slow = cache.through('a', of('x'), one, () => door.passed.then(() => 'kept'))
  cache.drop(items, 'y')
  cache.drop(marks, null)
  door.open()
  await slow
  assert.is(await cache.through('a', of('x'), one, async () => 'loaded again'), 'kept')
})

test('whoever asks for what is being loaded waits for it', async () => {
  const cache = new Cache(100)
  const door = gate()
  let loads = 0
  const ask = () => cache.through('a', whole, one, () => door.passed.then(() => ++loads))
  const answers = [ask(), ask(), ask()]
  door.open()
  assert.equal(await Promise.all(answers), [1, 1, 1])
})

test('whoever asks after a change does not get what was being loaded before it', async () => {
  const cache = new Cache(100)
  const door = gate()
  const early = cache.through('a', of('x'), one, () => door.passed.then(() => 'old'))
  cache.drop(items, 'x')
  const late = cache.through('a', of('x'), one, async () => 'new')
  assert.is(await late, 'new')
  door.open()
  assert.is(await early, 'old')
  assert.is(await cache.through('a', of('x'), one, async () => 'newer'), 'new')
})

test('a load that fails is not remembered', async () => {
  const cache = new Cache(100)
  const fails = () => Promise.reject(new Error('away'))
  const failures = [cache.through('a', whole, one, fails), cache.through('a', whole, one, fails)]
  for (const failure of failures) assert.match(String(await rejection(failure)), 'away')
  assert.is(await cache.through('a', whole, one, async () => 'there'), 'there')
})

test('a load that fails when nobody wants it any more takes nothing away', async () => {
  const cache = new Cache(100)
  const door = gate()
  const { through } = counting(cache)
  const failing = cache.through('a', whole, one, async () => {
    await door.passed
    throw new Error('It cannot be read.')
  })
  cache.drop(items, null)
  assert.is(await through('a'), 'a1')
  door.open()
  await rejection(failing)
  assert.is(await through('a'), 'a1')
})

test('what was used least recently goes when the bytes run out', async () => {
  const { through, loads } = counting(new Cache(40))
  for (const key of ['a', 'b', 'c', 'd']) await through(key, whole, 10)
  await through('a', whole, 10)
  await through('e', whole, 10)
  assert.is(loads(), 5)
  for (const key of ['c', 'd', 'a', 'e']) await through(key, whole, 10)
  assert.is(loads(), 5)
  await through('b', whole, 10)
  assert.is(loads(), 6)
})

test('a value that would fill a quarter alone is not kept', async () => {
  const { through, loads } = counting(new Cache(40))
  for (const bytes of [11, Number.POSITIVE_INFINITY]) {
    await through('a', whole, bytes)
    await through('a', whole, bytes)
  }
  assert.is(loads(), 4)
})

test('a value that takes no bytes is kept', async () => {
  const { through, loads } = counting(new Cache(100))
  assert.equal([await through('a', whole, 0), await through('a', whole, 0)], ['a1', 'a1'])
  assert.is(loads(), 1)
})

test('a value that is set replaces the one that is there', async () => {
  const cache = new Cache(100)
  for (const value of ['old', 'new']) cache.set('a', value, 10, of('x'))
  assert.is(await cache.through('a', of('x'), one, async () => 'loaded'), 'new')
  cache.drop(items, 'x')
  assert.is(await cache.through('a', of('x'), one, async () => 'loaded'), 'loaded')
})

test.run()
