import { z } from 'zod'
import { excessOfJson } from '../../lib/jsonScan.js'
import { LIMITS } from '../../limits.js'
import { AnswerTooLarge } from '../transport.js'

const LF = 10
const CR = 13

/** One event of a stream as it came, with its line breaks, and what its `data` lines say; null for a comment. */
export interface RawEvent {
  readonly bytes: Buffer
  readonly data: string | null
}

/**
 * Cuts a stream of server-sent events where an empty line ends one, and changes no byte of it. Throws `AnswerTooLarge` for an event, or a
 * stream, that is larger than any answer needs.
 */
export class EventSplitter {
  #parts: Buffer[] = []
  #event_bytes = 0
  #stream_bytes = 0
  #isLineEmpty = true

  take(chunk: Uint8Array): readonly RawEvent[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    this.#stream_bytes += bytes.length
    if (this.#stream_bytes > LIMITS.answerStream.max) throw new AnswerTooLarge()
    const events: RawEvent[] = []
    let start = 0
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] === CR) continue
      if (bytes[at] !== LF) {
        this.#isLineEmpty = false
        continue
      }
      if (this.#isLineEmpty) {
        this.#keep(bytes.subarray(start, at + 1))
        events.push(...this.rest())
        start = at + 1
      }
      this.#isLineEmpty = true
    }
    this.#keep(bytes.subarray(start))
    return events
  }

  /** What has come of an event whose end has not. */
  rest(): readonly RawEvent[] {
    const bytes = Buffer.concat(this.#parts)
    this.#parts = []
    this.#event_bytes = 0
    return bytes.length === 0 ? [] : [{ bytes, data: dataIn(bytes) }]
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return
    this.#event_bytes += part.length
    if (this.#event_bytes > LIMITS.answerEvent.max) throw new AnswerTooLarge()
    this.#parts.push(part)
  }
}

function dataIn(bytes: Buffer): string | null {
  const lines = bytes.toString().split(/\r?\n/)
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice('data:'.length).trimStart())
  return data.length === 0 ? null : data.join('\n')
}

/** The JSON of an event; null for what is none, or has more values than any answer. */
export function jsonIn(text: string): unknown {
  if (excessOfJson(Buffer.from(text), LIMITS.jsonValues.max)) throw new AnswerTooLarge()
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Where pieces of answers, and whole ones, have what a model has written. */
const WRITTEN: ReadonlySet<string> = new Set([
  ...['delta', 'content', 'text', 'refusal', 'reasoning', 'reasoning_content', 'thinking'],
  ...['arguments', 'partial_json']
])
const pieces = z.looseObject({ choices: z.array(z.looseObject({})).nullish().catch(null) })

/** How many characters of texts, thoughts and arguments an answer has, or an event of one brings; what only tells them again has none. */
export function writtenIn(said: unknown): number {
  const { data } = pieces.safeParse(said)
  if (!data) return 0
  const choices = data.choices?.map(({ delta, message, text }) => ({ delta, message, text })) ?? []
  return charsIn({ choices, delta: data.delta, content: data.content, output: data.output }, '')
}

function charsIn(value: unknown, name: string): number {
  if (typeof value === 'string') return WRITTEN.has(name) ? value.length : 0
  // These tell `reasoning` again.
  if (typeof value !== 'object' || value === null || name === 'reasoning_details') return 0
  // What a tool is called with.
  if (name === 'input') return JSON.stringify(value).length
  const of = Array.isArray(value)
    ? value.map((one) => charsIn(one, name))
    : Object.entries(value).map(([key, one]) => charsIn(one, key))
  return of.reduce((sum, one) => sum + one, 0)
}
