import { LIMITS } from '../../limits.js'
import { notA, type Upstream } from '../failure.js'
import { AnswerTooLarge } from '../transport.js'
import { jsonIn } from './events.js'

/** No key that somebody has to keep is shorter. */
const SECRET_LENGTH = 16

/** The bytes of an answer; throws `AnswerTooLarge` for more than so many. */
export async function wholeBody(
  body: AsyncIterable<Uint8Array>,
  most_bytes: number = LIMITS.answerBody.max
): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > most_bytes) throw new AnswerTooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** An answer with what it says; throws `UnreadableAnswer` for what is no JSON object, or holds the hub's key. */
export function checkedBody(bytes: Buffer, upstream: Upstream) {
  const said = jsonIn(bytes.toString())
  if (typeof said !== 'object' || said === null) throw notA('JSON object')
  requireNoKey(bytes, upstream)
  return { bytes, said }
}

/** Throws `UnreadableAnswer` for what a provider sends with the hub's key in it. A key that is a word, as many local ones take, is no secret. */
export function requireNoKey(bytes: Buffer, { apiKey }: Upstream): void {
  if (apiKey.length >= SECRET_LENGTH && readings(bytes).some((one) => one.includes(apiKey))) throw notA('JSON object')
}

/** What bytes say, and what they say once the escapes of JSON are undone: arguments of tools are JSON within JSON. */
function readings(bytes: Buffer): readonly Buffer[] {
  if (!bytes.includes('\\u') && !bytes.includes('\\/')) return [bytes]
  const once = unescaped(bytes)
  return [bytes, once, unescaped(once)]
}

const BACKSLASH = 0x5c
const LETTER_U = 0x75

/** Bytes without escapes of JSON. One of a sign beyond ASCII, which no key has, is zero: so megabytes take milliseconds. */
function unescaped(bytes: Buffer): Buffer {
  const plain = Buffer.allocUnsafe(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at] ?? 0
    if (byte === BACKSLASH) {
      byte = bytes[++at] ?? 0
      const code = byte === LETTER_U ? codeAt(bytes, at + 1) : null
      if (code !== null) {
        byte = code < 128 ? code : 0
        at += 4
      }
    }
    plain[length++] = byte
  }
  return plain.subarray(0, length)
}

/** The number that four hexadecimal digits are; null where there are none. */
function codeAt(bytes: Buffer, start: number): number | null {
  let code = 0
  for (let at = start; at < start + 4; at++) {
    const digit = DIGITS[bytes[at] ?? 0] ?? -1
    if (digit < 0) return null
    code = code * 16 + digit
  }
  return code
}

/** By byte; -1 for what is no digit. */
const DIGITS = Int8Array.from({ length: 128 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase())
)
