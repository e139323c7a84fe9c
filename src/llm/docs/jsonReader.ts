/** Fills the buffer from its start and says how many bytes it wrote; 0 at the end. */
export type ReadChunk = (buffer: Uint8Array) => number

const CHUNK_BYTES = 1 << 20
const LONGEST_VALUE_BYTES = 16 << 20

// What is searched for from a place on; texts here have a sign for each byte.
const NO_BLANK = /[^ \t\n\r]/g
const IN_NESTED = /["[\]{}]/g
const IN_STRING = /["\\]/g
const IN_WORD = /["[\]{},: \t\n\r]/g

/**
 * Reads one JSON document of any size piece by piece, in the order in which it is written: values that are asked for are
 * parsed one at a time, others are passed over unchecked. It is made by hand because JSON.parse takes no more than 512 MB,
 * and a general streaming parser is seven times slower on an index.
 */
export class JsonReader {
  readonly #read: ReadChunk
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  /** What has been read of the document, from some byte on. */
  #text = ''
  #at = 0
  /** Bytes that come before the text. */
  #passed = 0

  constructor(read: ReadChunk) {
    this.#read = read
  }

  /** Enters an object and calls `member` with each key; it has to read or skip the value. */
  object(member: (key: string) => void): void {
    this.#expect('{')
    if (this.#take('}')) return
    do {
      if (this.#peek() !== '"') this.#expect('"')
      const key = String(this.value())
      this.#expect(':')
      member(key)
    } while (this.#take(','))
    this.#expect('}')
  }

  /** Enters an object, reads the members that have a reader, and passes over the others. */
  members(readers: Readonly<Record<string, () => void>>): void {
    this.object((key) => (Object.hasOwn(readers, key) ? readers[key]?.() : this.skip()))
  }

  /** Enters an array and calls `element` in front of each element, which it has to read or skip. */
  array(element: (index: number) => void): void {
    this.#expect('[')
    if (this.#take(']')) return
    let index = 0
    do element(index++)
    while (this.#take(','))
    this.#expect(']')
  }

  /** Reads a value of any kind, of at most 16 MB. */
  value(): unknown {
    const end = this.#endOfValue(true)
    try {
      const value: unknown = JSON.parse(Buffer.from(this.#text.slice(this.#at, end), 'latin1').toString())
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
    if (this.#peek() !== '') this.fail('Something behind the end')
  }

  /** Gives up, naming the place. */
  fail(what: string): never {
    throw new SyntaxError(`${what} at byte ${this.#passed + this.#at}`)
  }

  /** Where in the text the next value ends. All of it is in the text then if it `isKept`. */
  #endOfValue(isKept: boolean): number {
    const first = this.#peek()
    if (first === '') this.#failAtEnd()
    const isWord = !'"[{'.includes(first)
    if (isWord && ']},:'.includes(first)) this.fail('No value')
    let at = this.#at
    let depth = 0
    let isInString = false
    do {
      at = this.#find(isWord ? IN_WORD : isInString ? IN_STRING : IN_NESTED, at, isKept)
      if (isWord) return at
      const sign = this.#text[at++]
      // What is escaped may be a quote.
      if (sign === '\\') at++
      else if (sign === '"') isInString = !isInString
      else depth += sign === '[' || sign === '{' ? 1 : -1
    } while (depth > 0 || isInString)
    return at
  }

  /** The place of the next of these signs; where more has to be read, what is not kept is dropped. */
  #find(signs: RegExp, from: number, isKept: boolean): number {
    for (let at = from; ; ) {
      signs.lastIndex = at
      if (signs.test(this.#text)) return signs.lastIndex - 1
      const ahead = Math.max(at, this.#text.length)
      if (!isKept) this.#at = this.#text.length
      if (ahead - this.#at > LONGEST_VALUE_BYTES) this.fail('A value that is too long')
      at = ahead - this.#at
      if (!this.#readOn()) this.#failAtEnd()
    }
  }

  #take(sign: string): boolean {
    if (this.#peek() !== sign) return false
    this.#at++
    return true
  }

  #expect(sign: string): void {
    if (this.#take(sign)) return
    if (this.#peek() === '') this.#failAtEnd()
    this.fail(`Something else than ${sign}`)
  }

  /** The next sign that is not blank; none at the end. */
  #peek(): string {
    do {
      NO_BLANK.lastIndex = this.#at
      const isFound = NO_BLANK.test(this.#text)
      this.#at = isFound ? NO_BLANK.lastIndex - 1 : this.#text.length
      if (isFound) return this.#text[this.#at] ?? ''
    } while (this.#readOn())
    return ''
  }

  #failAtEnd(): never {
    this.fail('The end too early')
  }

  /** Reads on. What has been passed is dropped; false at the end of the document. */
  #readOn(): boolean {
    const size = this.#read(this.#chunk)
    this.#passed += this.#at
    this.#text = this.#text.slice(this.#at) + this.#chunk.toString('latin1', 0, size)
    this.#at = 0
    return size > 0
  }
}
