import { z } from 'zod'
import type { StoredEvent } from '../log/event.js'

const who = z.object({
  name: z.string().nullable(),
  address: z.string().nullable(),
  searched: z.record(z.string(), z.string()).optional()
})

/** The name and the address behind an event, null where they are erased, and which of others were searched for by it. */
export function whoIn({ who: { text } }: Pick<StoredEvent, 'who'>): z.infer<typeof who> {
  return text === null ? { name: null, address: null } : who.parse(JSON.parse(text))
}
