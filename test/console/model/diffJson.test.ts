import * as assert from 'uvu/assert'
import { jsonDiff } from '../../../clients/console/src/model/diffJson.js'
import { jsonOf } from '../../../clients/console/src/model/json.js'
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

test('references to variables stand where values do, and are told as they are written', () => {
  const [from, to] = [
    '{"id": {{userId}}, "{{name}}": 1, {{field}}: [{{a}}]}',
    '{"{{name}}":1,"id":{{ownId}},{{field}}:[{{b}}]}'
  ]
  assert.equal(jsonDiff(from, to), [
    { path: 'id', from: '{{userId}}', to: '{{ownId}}' },
    { path: '{{field}}[0]', from: '{{a}}', to: '{{b}}' }
  ])
  assert.equal(jsonDiff('{"id":{{a}}}', '{ "id": {{a}} }'), [])
})

test('what comes to the front of a list, or leaves its middle, is all that differs', () => {
  assert.equal(jsonDiff('[1,2,3]', '[0,1,2,3]'), [{ path: '[0]', from: null, to: '0' }])
  assert.equal(jsonDiff('{"a":[{"b":1,"c":2},[3],"x"]}', '{"a":[{"c":2,"b":1},"x"]}'), [
    { path: 'a[1]', from: '[3]', to: null }
  ])
})

test('a text that never ends is looked through once', () => {
  assert.is(jsonOf(`{"a": "${'\\"'.repeat(1_000_000)}`), null)
})

test('an object of a list is compared with the one of its id, key or name, wherever that stood', () => {
  assert.equal(jsonDiff('[{"id":1,"v":"a"},{"id":2,"v":"b"}]', '[{"id":0},{"id":1,"v":"a"},{"id":2,"v":"c"}]'), [
    { path: '[0]', from: null, to: '{"id": 0}' },
    { path: '[2].v', from: '"b"', to: '"c"' }
  ])
  assert.equal(jsonDiff('[{"name":"x","v":1}]', '[{"name":"y","v":1},{"name":"z"}]'), [
    { path: '[0]', from: '{"name": "x", "v": 1}', to: null },
    { path: '[0]', from: null, to: '{"name": "y", "v": 1}' },
    { path: '[1]', from: null, to: '{"name": "z"}' }
  ])
  assert.equal(jsonDiff('[{"name":"x","v":1}]', '[{"name":"y","v":1}]'), [{ path: '[0].name', from: '"x"', to: '"y"' }])
})

test('lists of many items are compared in a moment, and what is too deep has no structure', () => {
  const items = Array.from({ length: 20_000 }, (_, index) => index)
  const [from, to] = [JSON.stringify(items), JSON.stringify([-1, ...items.filter((one) => one % 100 !== 0)])]
  assert.is(jsonDiff(from, to)?.length, 200)
  assert.is(jsonDiff('['.repeat(100_000), '[]'), null)
  assert.is(jsonDiff(`${'['.repeat(1000)}${']'.repeat(1000)}`, '[]'), null)
})

test('what is no JSON of objects or lists, and what is too long or too different, has no structure', () => {
  assert.is(jsonDiff('{"a":x}', '{}'), null)
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
  // In Latin letters they are no part of a word, and neither are they at an end.
  assert.is(withMarks('pay\u200cpal \u200d👩 👩\u200d'), 'pay[U+200C]pal [U+200D]👩 👩[U+200D]')
})

test('what joins the letters of a word, and the parts of an emoji, stays', () => {
  for (const text of ['می\u200cخواهم', 'क्\u200dष', '👩\u200d👩\u200d👧', '🏳\ufe0f\u200d🌈', '👩🏽\u200d💻'])
    assert.is(withMarks(text), text)
})

test.run()
