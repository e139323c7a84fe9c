import * as assert from 'uvu/assert'
import { jsonDiff } from '../../../clients/console/src/model/diffJson.js'
import { withMarks } from '../../../clients/console/src/model/marks.js'
import { suite } from '../../support/suite.js'

const test = suite('JSON compared by structure')

test('indentation and the order of names are no difference, values are, with the way to them', () => {
  assert.equal(jsonDiff('{"a":1,"b":[1,2]}', '{\n  "b": [1, 2],\n  "a": 1\n}'), [])
  assert.equal(jsonDiff('{"a":{"b":[{"c":1}]}}', '{"a":{"b":[{"c":2},{"d":"x"}]}}'), [
    { path: 'a.b[0].c', from: '1', to: '2' },
    { path: 'a.b[1]', from: null, to: '{"d": "x"}' }
  ])
})

test('a text is no number, and null is something', () => {
  assert.equal(jsonDiff('{"a":1,"b":null}', '{"a":"1"}'), [
    { path: 'a', from: '1', to: '"1"' },
    { path: 'b', from: 'null', to: null }
  ])
})

test('what is no JSON of objects or lists, and what is too long or too different, has no structure', () => {
  assert.is(jsonDiff('{"a":{{x}}}', '{}'), null)
  assert.is(jsonDiff('1', '2'), null)
  const long = `[${'1,'.repeat(200_000)}1]`
  assert.is(jsonDiff(long, '[]'), null)
  const many = JSON.stringify(Array.from({ length: 501 }, (_, index) => index))
  const others = JSON.stringify(Array.from({ length: 501 }, (_, index) => -index - 1))
  assert.is(jsonDiff(many, others), null)
})

test('what turns a text round or cannot be seen is shown as a mark', () => {
  assert.is(withMarks('abc\u202etxt.exe\u200b'), 'abc[U+202E]txt.exe[U+200B]')
  assert.is(withMarks('plain ünïcode'), 'plain ünïcode')
})

test.run()
