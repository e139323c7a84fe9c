import { LIMITS } from '../../limits.js'
import { notA, type Upstream } from '../failure.js'
import { AnswerTooLarge } from '../transport.js'
import { jsonIn } from './events.js'
import { requireNoKey } from './received.js'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d

const PIECE_BYTES = 64 * 1024
/** What an answer says beside its vectors: which model, and what was used. */
const OUTLINE_BYTES = 64 * 1024
/** How much longer a text is whose signs are escapes of JSON, twice. */
const ESCAPED = 36

/**
 * An answer of vectors, whose lists are passed on unread, piece by piece: a batch of texts has millions of numbers. What stands in no list
 * is read when it is whole.
 */
export class Vectors {
  readonly #upstream: Upstream
  /** Where a key could go on that began at the end of the piece before. */
  readonly #overlap_bytes: number
  /** What is not sent yet. */
  #parts: Uint8Array[] = []
  #part_bytes = 0
  #all_bytes = 0
  readonly #outline: Uint8Array[] = []
  #outline_bytes = 0
  #lists = 0
  #isText = false
  #isEscaped = false

  constructor(upstream: Upstream) {
    this.#upstream = upstream
    this.#overlap_bytes = ESCAPED * upstream.apiKey.length
  }

  /** Takes in what comes, and returns what may be sent. Throws `AnswerTooLarge`, or `UnreadableAnswer` for what holds the hub's key. */
  take(chunk: Uint8Array): readonly Buffer[] {
    this.#all_bytes += chunk.length
    if (this.#all_bytes > LIMITS.answerVectors.max) throw new AnswerTooLarge()
    this.#read(chunk)
    this.#parts.push(chunk)
    this.#part_bytes += chunk.length
    if (this.#part_bytes < PIECE_BYTES + this.#overlap_bytes) return []
    const bytes = this.#checked()
    const end = bytes.length - this.#overlap_bytes
    this.#parts = [bytes.subarray(end)]
    this.#part_bytes = this.#overlap_bytes
    return [bytes.subarray(0, end)]
  }

  /** What it says outside of lists, and what is left to be sent; throws `UnreadableAnswer` for what is no JSON object. */
  end(): { readonly said: object; readonly rest: Buffer } {
    const said = jsonIn(Buffer.concat(this.#outline).toString())
    if (typeof said !== 'object' || said === null) throw notA('JSON object')
    return { said, rest: this.#checked() }
  }

  #checked(): Buffer {
    const bytes = Buffer.concat(this.#parts)
    requireNoKey(bytes, this.#upstream)
    return bytes
  }

  /** Keeps what stands in no list: of each list its brackets. */
  #read(chunk: Uint8Array): void {
    let [lists, isText, isEscaped, from] = [this.#lists, this.#isText, this.#isEscaped, 0]
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      if (isEscaped) isEscaped = false
      else if (byte === QUOTE) isText = !isText
      else if (isText) isEscaped = byte === BACKSLASH
      else if (byte === OPEN_LIST && lists++ === 0) this.#keep(chunk.subarray(from, at + 1))
      else if (byte === CLOSE_LIST && --lists === 0) from = at
    }
    if (lists === 0) this.#keep(chunk.subarray(from))
    this.#lists = lists
    this.#isText = isText
    this.#isEscaped = isEscaped
  }

  #keep(part: Uint8Array): void {
    this.#outline_bytes += part.length
    if (this.#outline_bytes > OUTLINE_BYTES) throw new AnswerTooLarge()
    this.#outline.push(Buffer.from(part))
  }
}
