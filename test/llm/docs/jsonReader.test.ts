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
            if (key === '"b"') found.push(String(json.value()))
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

test('values are what JSON.parse makes of them, whatever their pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), indents, pieces, (expected, indent, piece_bytes) => {
      const json = readerOf(JSON.stringify(expected, null, indent), piece_bytes)
      const found: unknown[] = []
      json.array(() => void found.push(json.value()))
      json.end()
      assert.equal(found, JSON.parse(JSON.stringify(expected)))
    }),
    { numRuns: 300 }
  )
})

for (const text of ['-', '.5', '1.', '1e', '--1', '+1', 'NaN', 'tru', '"a', '[1,]', '{"a"}', '[}', ',', '\\']) {
  test(`${text} is no value`, () => {
    const json = readerOf(`[${text}]`)
    assert.match(
      messageOf(() => json.array(() => void json.value())),
      /at byte \d+/
    )
  })
}

test('a key that is no text is refused', () => {
  assert.is(
    messageOf(() => readerOf('{7:1}').object(() => undefined)),
    'Something else than " at byte 1'
  )
})

test('a text that ends too early is refused wherever it ends', () => {
  const whole = JSON.stringify({ skipped: [1, { a: 'b"\\' }], wanted: 'text \\ "quoted"', number: -1.5e-3 })
  const read = (text: string) => {
    const json = readerOf(text)
    json.object((key) => {
      if (key === 'wanted' || key === 'number') json.value()
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

test('a value longer than the buffer is read, and passed over', () => {
  const long = 'é"'.repeat(1_500_000)
  const json = readerOf(JSON.stringify([long, long, 'end']), 1 << 20)
  const found: string[] = []
  json.array((index) => (index === 1 ? json.skip() : void found.push(String(json.value()))))
  assert.ok(found[0] === long && found[1] === 'end')
})

test('a value without end is given up before memory is', () => {
  let read = 0
  const json = new JsonReader((buffer) => {
    buffer.fill(read === 0 ? 0x22 : 0x61)
    if (read === 0) buffer.fill(0x61, 1)
    read += buffer.length
    return buffer.length
  })
  assert.match(
    messageOf(() => json.value()),
    /^A value that is too long/
  )
  assert.ok(read < 64_000_000)
})

test.run()
