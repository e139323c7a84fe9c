import { LIMITS } from '../limits.js'

const LF = 0x0a
const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
// Square brackets differ from braces in one bit.
const BRACKET_BIT = 0x20
const OPEN = 0x7b
const CLOSE = 0x7d

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
      // No string of JSON goes over the end of a line, escaped or not.
      if (code === LF) this.#inString = this.#escaped = false
      else if (this.#escaped) this.#escaped = false
      else if (code === BACKSLASH) this.#escaped = true
      else if (code === QUOTE) this.#inString = false
      return true
    }
    if (code === QUOTE) this.#inString = true
    else if (code === COMMA) this.#values += 1
    else if ((code | BRACKET_BIT) === CLOSE) this.#depth = Math.max(0, this.#depth - 1)
    else if ((code | BRACKET_BIT) === OPEN) {
      this.#depth += 1
      this.#values += 1
    }
    return this.#depth <= LIMITS.jsonDepth.max && this.#values <= this.#maxValues
  }
}

/** True for a text that can be parsed without harm: not nested too deeply, and without too many values. */
export function isHarmlessJson(text: string, maxValues: number): boolean {
  const meter = new JsonMeter(maxValues)
  for (let at = 0; at < text.length; at += 1) if (!meter.take(text.charCodeAt(at))) return false
  return true
}
