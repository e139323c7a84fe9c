import { z } from 'zod'
import type { StoredEvent } from '../log/event.js'

const who = z.object({ name: z.string().nullable(), address: z.string().nullable() })

/** The name and the address behind an event; null where they are erased. */
export function whoIn({ who: { text } }: Pick<StoredEvent, 'who'>): z.infer<typeof who> {
  return text === null ? { name: null, address: null } : who.parse(JSON.parse(text))
}
