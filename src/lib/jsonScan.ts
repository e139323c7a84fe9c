import { isUtf8 } from 'node:buffer'
import { errors, type HubError } from '../errors.js'
import { LIMITS } from '../limits.js'

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const SPACE = 0x20

/** Why a JSON text from a client must not be parsed, or null: it is no UTF-8, or what `excessOfJson` refuses. */
export function refusalOfJson(bytes: Uint8Array, maxValues: number): HubError | null {
  return isUtf8(bytes) ? excessOfJson(bytes, maxValues) : errors.bodyNotUtf8()
}

/**
 * What is too much of a JSON text, or null. One pass over the bytes, before anything is made of them: they nest
 * `LIMITS.jsonDepth` levels deep at most, and hold no more than so many keys and list items together. Whether they are JSON is for
 * the parser to say.
 */
export function excessOfJson(bytes: Uint8Array, maxValues: number): HubError | null {
  let [depth, values, before] = [0, 0, 0]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte <= SPACE) continue
    if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth--
      // Nothing was in it.
      if (before === OPEN_LIST || before === OPEN_OBJECT) values--
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth > LIMITS.jsonDepth.max) return errors.jsonTooDeep()
      values++
    } else if (byte === COMMA) values++
    else if (byte === QUOTE) at = endOfText(bytes, at)
    // One more than allowed may be the opening of what turns out to be empty.
    if (values > maxValues + 1) return errors.jsonTooMany(maxValues)
    before = byte
  }
  return values > maxValues ? errors.jsonTooMany(maxValues) : null
}

/** How many keys and list items a body may hold that may have so many bytes. */
export function mostValues(limit_bytes: number): number {
  return Math.max(LIMITS.jsonValues.max, Math.floor(limit_bytes / LIMITS.jsonValueBytes.max))
}

/** Where the text ends that begins at this quotation mark. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1
  for (; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) break
    if (byte === BACKSLASH) at++
  }
  return at
}
