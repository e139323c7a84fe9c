/** Fills the buffer from its start and says how many bytes it wrote; 0 at the end. */
export type ReadChunk = (buffer: Uint8Array) => number

const CHUNK_BYTES = 1 << 20
const LONGEST_STRING_BYTES = 16 << 20
const LONGEST_NUMBER = 64
// More digits than a double can tell apart; further ones only move the point.
const MOST_DIGITS = 17

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const EXPONENT = 0x65
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const END = -1

// Dividing by a power of ten loses less than multiplying with its inverse.
const MOST_POWER = 300
const POWERS = Float64Array.from({ length: MOST_POWER + 1 }, (_, power) => 10 ** power)

const STRUCTURE = new Uint8Array(256)
for (const byte of [QUOTE, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT]) STRUCTURE[byte] = 1
const BLANK = new Uint8Array(256)
for (const byte of [0x20, 0x09, 0x0a, 0x0d]) BLANK[byte] = 1

/**
 * Reads one JSON document piece by piece, in the order in which it is written: what is asked for is checked, what is
 * skipped is only passed over. JSON.parse would take no more than 512 MB, and several times as much memory as the text.
 */
export class JsonReader {
  readonly #read: ReadChunk
  #buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  #at = 0
  #end = 0
  /** Bytes that have left the buffer. */
  #passed = 0

  constructor(read: ReadChunk) {
    this.#read = read
  }

  /** Enters an object and calls `member` with each key; it has to read or skip the value. */
  object(member: (key: string) => void): void {
    this.#expect(OPEN_OBJECT)
    if (this.#take(CLOSE_OBJECT)) return
    do {
      const key = this.string()
      this.#expect(COLON)
      member(key)
    } while (this.#take(COMMA))
    this.#expect(CLOSE_OBJECT)
  }

  /** Enters an array and calls `element` in front of each element, which it has to read or skip. */
  array(element: (index: number) => void): void {
    this.#expect(OPEN_ARRAY)
    if (this.#take(CLOSE_ARRAY)) return
    let index = 0
    do element(index++)
    while (this.#take(COMMA))
    this.#expect(CLOSE_ARRAY)
  }

  /** Reads an array that has to hold exactly as many numbers as the target has places, all of them finite there. */
  numbers(target: Float32Array): void {
    this.#expect(OPEN_ARRAY)
    for (let i = 0; i < target.length; i++) {
      if (i > 0) this.#expect(COMMA)
      const number = Math.fround(this.number())
      if (!Number.isFinite(number)) this.fail('A number that is too large')
      target[i] = number
    }
    this.#expect(CLOSE_ARRAY)
  }

  string(): string {
    this.#expect(QUOTE)
    const end = this.#endOfString()
    const text = this.#buffer.toString('utf8', this.#at, end)
    this.#at = end + 1
    if (!text.includes('\\')) return text
    try {
      return String(JSON.parse(`"${text}"`))
    } catch {
      return this.fail('A string that is not JSON')
    }
  }

  /** A number. The last bits of a double are not exact, which the numbers of an index never need. */
  number(): number {
    this.#peek()
    this.#lookAhead()
    const buffer = this.#buffer
    const start = this.#at
    let at = start
    let value = 0
    let digits = 0
    let scale = 0
    let byte = buffer[at] ?? END
    const negative = byte === MINUS
    if (negative) byte = buffer[++at] ?? END
    const first = at
    for (let point = false; ; byte = buffer[++at] ?? END) {
      if (byte === POINT && !point) point = true
      else if (byte < ZERO || byte > NINE) break
      else if (digits < MOST_DIGITS) {
        value = value * 10 + (byte - ZERO)
        if (value > 0) digits++
        if (point) scale--
      } else if (!point) scale++
    }
    const last = buffer[at - 1] ?? END
    if (at === first || buffer[first] === POINT || last < ZERO || last > NINE) this.fail('Something else than a number')
    if ((byte | 0x20) === EXPONENT) {
      const text = buffer.toString('latin1', at + 1, Math.min(this.#end, start + LONGEST_NUMBER))
      const [exponent = ''] = /^[+-]?\d+/.exec(text) ?? []
      if (exponent === '') this.fail('Something else than a number')
      at += 1 + exponent.length
      scale += Number(exponent)
    }
    if (at > this.#end || at - start >= LONGEST_NUMBER) this.fail('Something else than a number')
    this.#at = at
    const size = scaled(value, scale)
    return negative ? -size : size
  }

  /** True when the next value is a string. */
  atString(): boolean {
    return this.#peek() === QUOTE
  }

  /** Passes over a value of any kind. */
  skip(): void {
    const byte = this.#peek()
    if (byte === END) this.#failAtEnd()
    this.#at++
    if (byte === QUOTE) this.#at = this.#endOfString() + 1
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.#skipNested()
    else if (byte === COMMA || byte === COLON || STRUCTURE[byte] === 1) this.fail('No value')
    else this.#skipWord()
  }

  /** Passes over a null, and says whether there was one. */
  takeNull(): boolean {
    this.#peek()
    this.#lookAhead()
    if (this.#buffer.toString('latin1', this.#at, Math.min(this.#end, this.#at + 4)) !== 'null') return false
    this.#at += 4
    return true
  }

  /** Makes sure that nothing follows. */
  end(): void {
    if (this.#peek() !== END) this.fail('Something behind the end')
  }

  /** Gives up, naming the place. */
  fail(what: string): never {
    throw new SyntaxError(`${what} at byte ${this.#passed + Math.min(this.#at, this.#end)}`)
  }

  /** The bracket in front is behind us, and so will its counterpart be. */
  #skipNested(): void {
    for (let depth = 1; depth > 0; ) {
      if (this.#at >= this.#end) this.#more()
      const buffer = this.#buffer
      const end = this.#end
      let at = this.#at
      while (at < end && STRUCTURE[buffer[at] ?? 0] === 0) at++
      this.#at = at
      if (at === end) continue
      const byte = buffer[at]
      this.#at++
      if (byte === QUOTE) this.#at = this.#endOfString() + 1
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++
      else depth--
    }
  }

  #skipWord(): void {
    for (;;) {
      if (this.#at === this.#end && !this.#fill()) return
      const byte = this.#buffer[this.#at] ?? 0
      if (byte === COMMA || STRUCTURE[byte] === 1 || BLANK[byte] === 1) return
      this.#at++
    }
  }

  /** Where the quote is that ends the string in which we are; all before it is in the buffer then. */
  #endOfString(): number {
    let seen = 0
    for (;;) {
      let at = this.#at + seen
      while (at < this.#end) {
        const byte = this.#buffer[at]
        if (byte === QUOTE) return at
        // What is escaped may be a quote, and may not have been read yet.
        at += byte === BACKSLASH ? 2 : 1
      }
      seen = at - this.#at
      if (seen > LONGEST_STRING_BYTES) this.fail('A string that is too long')
      this.#more()
    }
  }

  #take(byte: number): boolean {
    if (this.#peek() !== byte) return false
    this.#at++
    return true
  }

  #expect(byte: number): void {
    if (this.#take(byte)) return
    if (this.#peek() === END) this.#failAtEnd()
    this.fail(`Something else than ${String.fromCharCode(byte)}`)
  }

  /** The next byte that is not blank. */
  #peek(): number {
    for (;;) {
      if (this.#at === this.#end && !this.#fill()) return END
      const byte = this.#buffer[this.#at] ?? END
      if (BLANK[byte] !== 1) return byte
      this.#at++
    }
  }

  /** Has the whole of a short value in the buffer, or all that is left. */
  #lookAhead(): void {
    while (this.#end - this.#at < LONGEST_NUMBER && this.#fill());
  }

  #more(): void {
    if (!this.#fill()) this.#failAtEnd()
  }

  #failAtEnd(): never {
    this.fail('The end too early')
  }

  /** Reads on. What has not been passed stays in the buffer; false at the end of the document. */
  #fill(): boolean {
    const kept = this.#end - this.#at
    const target = kept < this.#buffer.length ? this.#buffer : Buffer.allocUnsafe(this.#buffer.length * 2)
    this.#buffer.copy(target, 0, this.#at, this.#end)
    this.#buffer = target
    this.#passed += this.#at
    this.#at = 0
    const read = this.#read(target.subarray(kept))
    this.#end = kept + read
    return read > 0
  }
}

function scaled(value: number, scale: number): number {
  if (scale < 0 && scale >= -MOST_POWER) return value / (POWERS[-scale] ?? 1)
  return value * 10 ** scale
}
