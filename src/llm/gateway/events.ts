import { z } from 'zod'
import { excessOfJson, mostValues } from '../../lib/jsonScan.js'
import { LIMITS } from '../../limits.js'
import { AnswerTooLarge } from '../transport.js'

/** One event of a stream as it came, with its line breaks, and what its `data` lines say; null for a comment. */
export interface RawEvent {
  readonly bytes: Buffer
  readonly data: string | null
}

/** What the `data` lines of an event say; null for a comment. */
export function dataIn(bytes: Buffer): string | null {
  const lines = bytes.toString().split(/\r\n|[\r\n]/)
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice('data:'.length).trimStart())
  return data.length === 0 ? null : data.join('\n')
}

const MOST_VALUES = mostValues(LIMITS.answerBody.max)

/** The JSON of an event, or of an answer as a whole; null for what is none, or has more values than any answer. */
export function jsonIn(text: string): unknown {
  if (excessOfJson(Buffer.from(text), MOST_VALUES)) throw new AnswerTooLarge()
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
