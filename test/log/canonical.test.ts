import { isDeepStrictEqual } from 'node:util'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { canonical, canonicalJson } from '../../src/log/canonical.js'
import { suite } from '../support/suite.js'

const test = suite('canonical JSON')

const cases: readonly (readonly [name: string, value: unknown, text: string])[] = [
  [
    'keys are sorted by UTF-16 code unit, at every depth',
    { b: 1, a: { d: 1, C: 2 }, '\u20ac': 1, '\r': 2, '\ud83d\ude00': 3, '\ufb33': 4, 1: 5 },
    '{"\\r":2,"1":5,"a":{"C":2,"d":1},"b":1,"€":1,"😀":3,"\ufb33":4}'
  ],
  ['lists keep their order', [3, [2, { b: 1, a: 1 }], 1], '[3,[2,{"a":1,"b":1}],1]'],
  ['there is no white space', { a: [1, 2], b: {} }, '{"a":[1,2],"b":{}}'],
  ['scalars are as JSON has them', [true, false, null, 'x', 1e21, 0.1, -0, 1.0], '[true,false,null,"x",1e+21,0.1,0,1]'],
  ['undefined is left out of objects and null in lists', { a: undefined, b: [undefined, 1] }, '{"b":[null,1]}'],
  ['holes in lists are null', Object.assign([], { 2: 1 }), '[null,null,1]'],
  ['NUL and lone surrogates are escaped', '\0\ud800x\udc00', '"\\u0000\\ud800x\\udc00"'],
  ['nothing at all is null', undefined, 'null']
]
for (const [name, value, text] of cases) {
  test(name, () => {
    assert.is(canonicalJson(value), text)
  })
}

test('the text is the same however an object came by its keys', () => {
  assert.is(canonicalJson({ a: 1, b: { c: 1, d: 2 } }), canonicalJson(JSON.parse('{"b":{"d":2,"c":1},"a":1}')))
})

test('all JSON is the text that another implementation of RFC 8785 makes of it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      assert.is(canonicalJson(value), canonicalize(value))
    }),
    { numRuns: 1000, seed: 8785 }
  )
})

test('what a text is parsed to is known without parsing it, key by key in the same order', () => {
  const keys = fc.oneof(
    fc.string(),
    fc.constantFrom('0', '10', '9', '01', '-1', '__proto__', 'constructor', 'a', 'B', '')
  )
  const { value } = fc.letrec((tie) => ({
    leaf: fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.boolean(), fc.constant(null), fc.constant(undefined)),
    value: fc.oneof(tie('leaf'), fc.array(tie('value')), fc.dictionary(keys, tie('value'), { noNullPrototype: false }))
  }))
  fc.assert(
    fc.property(value, (given) => {
      const { text, parsed } = canonical(given)
      const read: unknown = JSON.parse(text)
      assert.ok(isDeepStrictEqual(parsed, read), text)
      assert.is(JSON.stringify(parsed), JSON.stringify(read))
      assert.is(canonicalJson(read), text)
    }),
    { numRuns: 2000, seed: 8785 }
  )
})

test('a negative zero, which JSON has not, is parsed to the zero that it is written as', () => {
  assert.ok(Object.is(canonical(-0).parsed, 0))
})

test('an object of many keys is sorted as one of few', () => {
  const keys = Array.from({ length: 100 }, (_, i) => `key${(i * 37) % 100}`)
  const few = keys.slice(0, 20)
  for (const some of [few, keys]) {
    const text = canonicalJson(Object.fromEntries(some.map((key) => [key, 1])))
    assert.is(
      text,
      `{${some
        .toSorted()
        .map((key) => `"${key}":1`)
        .join(',')}}`
    )
  }
})

test.run()
