/** Fills the buffer from its start and says how many bytes it wrote; 0 at the end. */
export type ReadChunk = (buffer: Uint8Array) => number

const CHUNK_BYTES = 1 << 20
const LONGEST_VALUE_BYTES = 16 << 20

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const END = -1

const BLANK = marked(0x20, 0x09, 0x0a, 0x0d)
// What a search for the end of a value stops at, by where it is.
const IN_NESTED = marked(QUOTE, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT)
const IN_STRING = marked(QUOTE, BACKSLASH)
const IN_WORD = IN_NESTED.map((mark, byte) => (mark || BLANK[byte] || byte === COMMA || byte === COLON ? 1 : 0))

/**
 * Reads one JSON document of any size piece by piece, in the order in which it is written: values that are asked for are
 * parsed one at a time, others are passed over unchecked. It is made by hand because JSON.parse takes no more than 512 MB,
 * and a general streaming parser is seven times slower on an index.
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
      if (this.#peek() !== QUOTE) this.#expect(QUOTE)
      const key = String(this.value())
      this.#expect(COLON)
      member(key)
    } while (this.#take(COMMA))
    this.#expect(CLOSE_OBJECT)
  }

  /** Enters an object, reads the members that have a reader, and passes over the others. */
  members(readers: Readonly<Record<string, () => void>>): void {
    this.object((key) => (Object.hasOwn(readers, key) ? readers[key]?.() : this.skip()))
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

  /** Reads a value of any kind, of at most 16 MB. */
  value(): unknown {
    const end = this.#endOfValue(true)
    try {
      const value: unknown = JSON.parse(this.#buffer.toString('utf8', this.#at, end))
      this.#at = end
      return value
    } catch {
      return this.fail('Something else than JSON')
    }
  }

  /** Passes over a value of any kind and size. */
  skip(): void {
    this.#at = this.#endOfValue(false)
  }

  /** Makes sure that nothing follows. */
  end(): void {
    if (this.#peek() !== END) this.fail('Something behind the end')
  }

  /** Gives up, naming the place. */
  fail(what: string): never {
    throw new SyntaxError(`${what} at byte ${this.#passed + this.#at}`)
  }

  /** Where in the buffer the next value ends. All of it is in the buffer then if it `isKept`. */
  #endOfValue(isKept: boolean): number {
    const first = this.#peek()
    if (first === END) this.#failAtEnd()
    const isWord = first !== QUOTE && first !== OPEN_ARRAY && first !== OPEN_OBJECT
    if (isWord && IN_WORD[first] === 1) this.fail('No value')
    let depth = 0
    let isInString = false
    for (let at = this.#at; ; ) {
      const stops = isWord ? IN_WORD : isInString ? IN_STRING : IN_NESTED
      const [buffer, end] = [this.#buffer, this.#end]
      while (at < end && stops[buffer[at] ?? 0] === 0) at++
      if (at >= end) {
        at = this.#readOn(at, isKept)
        continue
      }
      if (isWord) return at
      const byte = buffer[at++]
      // What is escaped may be a quote.
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) isInString = !isInString
      else depth += byte === OPEN_ARRAY || byte === OPEN_OBJECT ? 1 : -1
      if (depth === 0 && !isInString) return at
    }
  }

  /** Has the byte at a place that is behind the buffer, and returns its new place. */
  #readOn(place: number, isKept: boolean): number {
    if (!isKept) this.#at = this.#end
    const ahead = place - this.#at
    if (ahead > LONGEST_VALUE_BYTES) this.fail('A value that is too long')
    do {
      if (!this.#fill()) this.#failAtEnd()
    } while (this.#at + ahead >= this.#end)
    return this.#at + ahead
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

function marked(...bytes: readonly number[]): Uint8Array {
  return new Uint8Array(256).map((_, byte) => (bytes.includes(byte) ? 1 : 0))
}
