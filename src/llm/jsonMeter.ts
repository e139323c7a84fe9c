import { LIMITS } from '../limits.js'

const LF = 0x0a
const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Measures JSON, sign by sign, before anybody makes objects of it: a megabyte of brackets takes a parser a hundred times as
 * long as a megabyte of text. What is no JSON is measured somehow, and is the parser's to refuse.
 */
export class JsonMeter {
  readonly #maxValues: number
  #depth = 0
  #values = 0
  #inString = false
  #escaped = false

  constructor(maxValues: number = LIMITS.jsonValues.max) {
    this.#maxValues = maxValues
  }

  /** Takes the next byte, or code of a UTF-16 unit; false once the text is nested too deeply or has too many values. */
  take(code: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false
      else if (code === BACKSLASH) this.#escaped = true
      // No string of JSON goes over the end of a line.
      else if (code === QUOTE || code === LF) this.#inString = false
      return true
    }
    switch (code) {
      case QUOTE:
        this.#inString = true
        return true
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        this.#depth += 1
        this.#values += 1
        return this.#depth <= LIMITS.jsonDepth.max && this.#values <= this.#maxValues
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        this.#depth -= 1
        return true
      case COMMA:
        this.#values += 1
        return this.#values <= this.#maxValues
      default:
        return true
    }
  }

  /** Begins anew. */
  reset(): void {
    this.#depth = 0
    this.#values = 0
    this.#inString = false
    this.#escaped = false
  }
}

/** True for a text that can be parsed without harm: not nested too deeply, and without too many values. */
export function isHarmlessJson(text: string, maxValues: number): boolean {
  const meter = new JsonMeter(maxValues)
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    // Strings are most of such a text, and nothing in them counts.
    if (code === QUOTE) at = endOfString(text, at)
    else if (!meter.take(code)) return false
  }
  return true
}

/** Where the string ends that begins here; the end of the text where it does not end. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = end - 1
    while (text.charCodeAt(escapes) === BACKSLASH) escapes -= 1
    if ((end - escapes) % 2 === 1) return end
  }
  return text.length
}
