import { z } from 'zod'
import type { StoredEvent } from '../log/event.js'

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

/** An event as one line of an export: everything that the log holds of it. */
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
