import * as assert from 'uvu/assert'
import { mostValues, refusalOfJson } from '../../src/lib/jsonScan.js'
import { suite } from '../support/suite.js'

const test = suite('JSON before it is parsed')

const DEEP = 'JSON may be nested at most 64 levels deep.'
const MANY = 'JSON may have at most 50000 keys and list items.'
const refusalOf = (bytes: Uint8Array) => refusalOfJson(bytes, 50_000)?.message ?? null
const refusal = (text: string) => refusalOf(Buffer.from(text))
const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`

test('it may nest 64 levels deep', () => {
  assert.is(refusal(nested(64)), null)
  assert.is(refusal(nested(66)), DEEP)
  assert.is(refusal('['.repeat(4_000_000)), DEEP)
  assert.is(refusal('[]'.repeat(1000)), null)
})

test('it may have 50000 keys and list items together', () => {
  const items = (count: number) => JSON.stringify(Array(count).fill(0))
  assert.is(refusal(items(50_000)), null)
  assert.is(refusal(items(50_001)), MANY)
  assert.is(refusal(JSON.stringify(Object.fromEntries(Array.from({ length: 50_001 }, (_, i) => [i, i])))), MANY)
  assert.is(refusal(JSON.stringify(Array(25_000).fill([0]))), null)
  assert.is(refusal(JSON.stringify(Array(25_001).fill([0]))), MANY)
})

test('a body that may have more bytes may have more of them, and a small one no fewer', () => {
  assert.equal([1024, 65_536, 8_388_608, 67_108_864].map(mostValues), [50_000, 50_000, 262_144, 2_097_152])
})

test('an empty list or object in a list is one item', () => {
  assert.is(refusal(JSON.stringify(Array(50_000).fill([]))), null)
  assert.is(refusal(JSON.stringify(Array(50_001).fill({}))), MANY)
  assert.is(refusal(`[${'{ \n }, '.repeat(49_999)}[]]`), null)
})

test('what stands in a text counts for nothing', () => {
  for (const text of ['['.repeat(1000), ','.repeat(200_000), '"['.repeat(1000), '\\"{'.repeat(1000), '\\']) {
    assert.is(refusal(JSON.stringify({ [text]: text, more: [text] })), null)
  }
  assert.is(refusal(`{"a\\\\":"${'['.repeat(100)}`), null)
  assert.is(refusal(`{"a\\":"${'['.repeat(100)}`), DEEP)
})

test('it must be UTF-8', () => {
  const bytes = (...more: number[]) => Buffer.from([0x22, ...more, 0x22])
  for (const wrong of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf5, 0x80, 0x80, 0x80]]) {
    assert.is(refusalOf(bytes(...wrong)), 'The request body is not valid UTF-8.')
  }
  assert.is(refusalOf(bytes(...Buffer.from('é😀'))), null)
})

test('what is no JSON is left to the parser', () => {
  for (const text of ['', ']]]]', '{"a', '}{', '"\\', ',,,']) assert.is(refusal(text), null)
})

test.run()
