import { z } from 'zod'
import type { StoredEvent } from '../../log/event.js'

/** A line is longer than it may be. The message names it; nothing of it was kept. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong'
}

const NEWLINE = 0x0a

/** A line without its end. */
export interface Line {
  readonly text: string
  /** False for a last line that nothing ends. */
  readonly isWhole: boolean
}

/**
 * The lines of a file, as its chunks come. Nothing more is held than the line that is being read, and that has so many bytes
 * at most: `LineTooLong` is thrown as soon as one has more.
 */
export async function* linesOf(input: AsyncIterable<Buffer | string>, bytesMax: number): AsyncGenerator<Line> {
  let parts: Buffer[] = []
  let held = 0
  let number = 1
  const line = (isWhole: boolean): Line => ({ text: Buffer.concat(parts).toString(), isWhole })
  const hold = (part: Buffer) => {
    held += part.length
    if (held > bytesMax) throw new LineTooLong(`Line ${number} is longer than ${bytesMax} bytes.`)
    parts.push(part)
  }
  for await (const chunk of input) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    let from = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      hold(bytes.subarray(from, end))
      yield line(true)
      parts = []
      held = 0
      number++
      from = end + 1
    }
    if (from < bytes.length) hold(bytes.subarray(from))
  }
  if (held > 0) yield line(false)
}

const sealed = z.object({ text: z.string().nullable(), salt: z.string().nullable(), commitment: z.string() })

const stored = z.object({
  position: z.int().min(1),
  stream: z.string(),
  version: z.int().min(1),
  type: z.string(),
  schema: z.int().min(1),
  at: z.string(),
  commandId: z.string(),
  actorId: z.string(),
  tokenId: z.string().nullable(),
  requestId: z.string().nullable(),
  correlationId: z.string().nullable(),
  causation: z.int().nullable(),
  who: sealed,
  payload: sealed,
  chain: z.string()
})

/** An event as one line of a backup: everything that the log holds of it. */
export function toLine(event: StoredEvent): string {
  return `${JSON.stringify(event)}\n`
}

/** The event on a line, or null where the line is none. */
export function fromLine(line: string): StoredEvent | null {
  try {
    return stored.parse(JSON.parse(line))
  } catch {
    return null
  }
}
