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
function readings(bytes: Buffer): readonly (Buffer | string)[] {
  if (!bytes.includes('\\u') && !bytes.includes('\\/')) return [bytes]
  const once = unescaped(bytes.toString())
  return [bytes, once, unescaped(once)]
}

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/gis, (_, code?: string, sign = '') =>
    code === undefined ? sign : String.fromCharCode(Number.parseInt(code, 16))
  )
}
