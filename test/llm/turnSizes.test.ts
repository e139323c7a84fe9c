import * as assert from 'uvu/assert'
import { LIMITS } from '../../src/limits.js'
import { TurnSizes, usageOf } from '../../src/llm/usage.js'
import { suite } from '../support/suite.js'

const test = suite('what turns of chats are expected to use')

const LARGE = 300_000
/** As long as nothing is known. */
const AT_FIRST = LARGE / 4 + 1000

test('at first a token for four bytes, and an answer', () =>
  assert.is(new TurnSizes().expected('ada', 'm', LARGE).tokens, AT_FIRST))

test('then what such turns took, of the same account with the same model', () => {
  const sizes = new TurnSizes()
  // Pictures, which are many bytes and few tokens.
  for (let turn = 0; turn < 10; turn++) sizes.learn('ada', 'm', LARGE, usageOf(3000, 200))
  const expected = sizes.expected('ada', 'm', LARGE).tokens
  assert.ok(expected >= 3000 && expected < 4000, `${expected}`)
  assert.is(sizes.expected('ada', 'another', LARGE).tokens, AT_FIRST)
  assert.is(sizes.expected('bob', 'm', LARGE).tokens, AT_FIRST)
})

test('one small turn says little of large ones', () => {
  const sizes = new TurnSizes()
  sizes.learn('ada', 'm', 100, usageOf(25, 5))
  const expected = sizes.expected('ada', 'm', LARGE).tokens
  assert.ok(expected > AT_FIRST * 0.9 && expected < AT_FIRST * 1.1, `${expected}`)
})

test('only so many are kept, those that were learned last', () => {
  const sizes = new TurnSizes()
  const large = usageOf(3_000_000, 5)
  for (let user = 0; user <= LIMITS.turnsLearned.max; user++) sizes.learn(`${user}`, 'm', LARGE, large)
  assert.is(sizes.expected('0', 'm', LARGE).tokens, AT_FIRST)
  assert.ok(sizes.expected('1', 'm', LARGE).tokens > AT_FIRST)
})

test.run()
