import { LIMITS } from '../../limits.js'
import { notA, type Upstream } from '../failure.js'
import { AnswerTooLarge } from '../transport.js'
import { jsonIn } from './events.js'
import { requireNoKey } from './received.js'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const OPEN_LIST = 0x5b
const CLOSE_OBJECT = 0x7d
const CLOSE_LIST = 0x5d

/** What of an answer is held at least. A smaller one is read as a whole, and refused as one where it is none. */
const PIECE_BYTES = 64 * 1024
/** How much longer a text is whose signs are escapes of JSON, twice. */
const ESCAPED = 36

/**
 * An answer that is passed on as it comes, piece by piece, however large it is: a batch of vectors has millions of numbers. What stands in
 * its lists (what a model has written, vectors) is not read then; what stands beside them is, at the end.
 */
export class PlainAnswer {
  readonly #upstream: Upstream
  /** Where a key could go on that began at the end of the piece before. */
  readonly #overlap_bytes: number
  /** What is not sent yet. */
  #parts: Uint8Array[] = []
  #part_bytes = 0
  #all_bytes = 0
  #hasSent = false
  readonly #outline: Uint8Array[] = []
  #outline_bytes = 0
  #depth = 0
  #isInList = false
  #isText = false
  #isEscaped = false

  constructor(upstream: Upstream) {
    this.#upstream = upstream
    this.#overlap_bytes = ESCAPED * upstream.apiKey.length
  }

  /** Takes in what comes, and returns what may be sent. Throws `AnswerTooLarge`, or `UnreadableAnswer` for what holds the hub's key. */
  take(chunk: Uint8Array): readonly Buffer[] {
    this.#all_bytes += chunk.length
    if (this.#all_bytes > LIMITS.answerPassed.max) throw new AnswerTooLarge()
    this.#read(chunk)
    this.#parts.push(chunk)
    this.#part_bytes += chunk.length
    if (this.#part_bytes < PIECE_BYTES + this.#overlap_bytes) return []
    const bytes = this.#checked()
    const end = bytes.length - this.#overlap_bytes
    this.#parts = [bytes.subarray(end)]
    this.#part_bytes = this.#overlap_bytes
    this.#hasSent = true
    return [bytes.subarray(0, end)]
  }

  /** What it says, of a large one without its lists, and what is left to be sent; throws `UnreadableAnswer` for what is no JSON object. */
  end(): { readonly said: object; readonly rest: Buffer } {
    const rest = this.#checked()
    const said = jsonIn((this.#hasSent ? Buffer.concat(this.#outline) : rest).toString())
    if (typeof said !== 'object' || said === null) throw notA('JSON object')
    return { said, rest }
  }

  /** The size of one of which what a model has written was not read; null where it was. */
  get unread_bytes(): number | null {
    return this.#hasSent ? this.#all_bytes : null
  }

  #checked(): Buffer {
    const bytes = Buffer.concat(this.#parts)
    requireNoKey(bytes, this.#upstream)
    return bytes
  }

  /** Keeps what stands in none of the lists that the answer has as its fields: of each its brackets. */
  #read(chunk: Uint8Array): void {
    let [depth, isInList, isText, isEscaped, from] = [this.#depth, this.#isInList, this.#isText, this.#isEscaped, 0]
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (isEscaped) isEscaped = false
      else if (byte === QUOTE) isText = !isText
      else if (isText) isEscaped = byte === BACKSLASH
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (byte === OPEN_LIST && depth === 1) {
          this.#keep(chunk.subarray(from, at + 1))
          isInList = true
        }
        depth++
      } else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth === 1 && isInList) {
        from = at
        isInList = false
      }
    }
    if (!isInList) this.#keep(chunk.subarray(from))
    this.#depth = depth
    this.#isInList = isInList
    this.#isText = isText
    this.#isEscaped = isEscaped
  }

  #keep(part: Uint8Array): void {
    this.#outline_bytes += part.length
    if (this.#outline_bytes > LIMITS.answerBody.max) throw new AnswerTooLarge()
    this.#outline.push(Buffer.from(part))
  }
}
