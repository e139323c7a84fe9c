import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { JsonReader } from '../../../src/llm/docs/jsonReader.js'
import { suite } from '../../support/suite.js'

const test = suite('reading JSON piece by piece')

/** A reader that is given the text in pieces of so many bytes. */
function readerOf(text: string, piece_bytes = 7): JsonReader {
  const bytes = Buffer.from(text)
  let at = 0
  return new JsonReader((buffer) => {
    const piece = bytes.subarray(at, at + Math.min(piece_bytes, buffer.length))
    buffer.set(piece)
    at += piece.length
    return piece.length
  })
}

function messageOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'nothing was thrown'
}

const pieces = fc.integer({ min: 1, max: 40 })
const indents = fc.constantFrom('', ' ', '\t', '\n')

test('a value is found among others of any kind, whatever their pieces and blanks', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      indents,
      pieces,
      (other, wanted, indent, piece_bytes) => {
        const json = readerOf(JSON.stringify([other, { a: other, '"b"': wanted, c: other }], null, indent), piece_bytes)
        const found: string[] = []
        json.array((index) => {
          if (index === 0) return json.skip()
          json.object((key) => {
            if (key === '"b"') found.push(json.string())
            else json.skip()
          })
        })
        json.end()
        assert.equal(found, [Buffer.from(wanted).toString()])
      }
    ),
    { numRuns: 300 }
  )
})

test('numbers are read as precisely as a Float32Array keeps them', () => {
  const numbers = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { maxLength: 20 })
  fc.assert(
    fc.property(numbers, pieces, (expected, piece_bytes) => {
      const target = new Float32Array(expected.length)
      if (expected.length === 0) return
      readerOf(JSON.stringify(expected), piece_bytes).numbers(target)
      // JSON knows no negative zero.
      assert.equal([...target], [...new Float32Array(expected.map((number) => number + 0))])
    }),
    { numRuns: 300 }
  )
})

for (const [text, expected] of [
  ['0', 0],
  ['-0.5', -0.5],
  ['12345678901234567890', 1.2345678901234567e19],
  ['0.00000000000000000000000012345', 1.2345e-25],
  ['1e3', 1000],
  ['1.5E-7', 1.5e-7],
  ['2e+2', 200],
  ['1e-400', 0]
] as const) {
  test(`${text} is the number ${expected}`, () => {
    const json = readerOf(`[${text}]`)
    json.array(() => {
      const number = json.number()
      assert.ok(Math.abs(number - expected) <= Math.abs(expected) * 1e-15, `it is ${number}`)
    })
  })
}

for (const text of ['-', '.5', '1.', '1e', '--1', '1-', '+1', '"1"', 'null', 'NaN', '', '1'.repeat(80)]) {
  test(`${text.slice(0, 20) || 'nothing'} is no number`, () => {
    const json = readerOf(`[${text}]`)
    const target = new Float32Array(1)
    assert.match(
      messageOf(() => json.numbers(target)),
      /at byte \d+/
    )
  })
}

test('a number too large for a Float32Array is refused', () => {
  const target = new Float32Array(1)
  assert.is(
    messageOf(() => readerOf('[1e39]').numbers(target)),
    'A number that is too large at byte 5'
  )
})

test('too few and too many numbers are refused', () => {
  const target = new Float32Array(2)
  assert.match(
    messageOf(() => readerOf('[1]').numbers(target)),
    /^Something else than ,/
  )
  assert.match(
    messageOf(() => readerOf('[1,2,3]').numbers(target)),
    /^Something else than \]/
  )
})

test('a text that ends too early is refused wherever it ends', () => {
  const whole = JSON.stringify({ skipped: [1, { a: 'b"\\' }], wanted: 'text \\ "quoted"', number: -1.5e-3 })
  const read = (text: string) => {
    const json = readerOf(text)
    json.object((key) => {
      if (key === 'wanted') json.string()
      else if (key === 'number') json.number()
      else json.skip()
    })
    json.end()
  }
  read(whole)
  for (let length = 0; length < whole.length; length++) {
    assert.throws(() => read(whole.slice(0, length)), /at byte/, `it was read when cut after ${length}`)
  }
})

test('something behind the end is refused', () => {
  const json = readerOf('{} {')
  json.object(() => undefined)
  assert.is(
    messageOf(() => json.end()),
    'Something behind the end at byte 3'
  )
})

test('a string longer than the buffer is read, and passed over', () => {
  const long = 'é"'.repeat(1_500_000)
  const json = readerOf(JSON.stringify([long, long, 'end']), 1 << 20)
  const found: string[] = []
  json.array((index) => (index === 1 ? json.skip() : void found.push(json.string())))
  assert.ok(found[0] === long && found[1] === 'end')
})

test('a string without end is given up before memory is', () => {
  let read = 0
  const json = new JsonReader((buffer) => {
    buffer.fill(read === 0 ? 0x22 : 0x61)
    if (read === 0) buffer.fill(0x61, 1)
    read += buffer.length
    return buffer.length
  })
  assert.match(
    messageOf(() => json.string()),
    /^A string that is too long/
  )
  assert.ok(read < 64_000_000)
})

test.run()
