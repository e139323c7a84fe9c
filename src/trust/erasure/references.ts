import type { Ledger } from '../../ledger/ledger.js'
import type { EventHeader } from '../../log/event.js'
import { eventsAt, newestFirst } from '../../log/pages.js'
import { EMPTIED } from '../audit/erased.js'

/** An event without what it says. */
export type Reference = Pick<EventHeader, 'position' | 'stream' | 'version' | 'type'>

export function referenceOf({ position, stream, version, type }: Reference): Reference {
  return { position, stream, version, type }
}

/** The events of a stream whose payload says something still. */
export async function unerased({ storage }: Pick<Ledger, 'storage'>, stream: string): Promise<readonly Reference[]> {
  const { position: through } = await storage.head()
  const found: Reference[] = []
  const rest: Reference[] = []
  for await (const header of newestFirst(storage, { streams: [stream] }, { after: 0, through })) {
    // Of a deletion something is left in place of what it said.
    const list = header.type.endsWith('Deleted') ? rest : found
    if (!header.payloadErased) list.push(referenceOf(header))
  }
  for await (const { payload, ...event } of eventsAt(storage, rest)) {
    if (payload.text !== null && payload.text !== EMPTIED) found.push(referenceOf(event))
  }
  return found
}
