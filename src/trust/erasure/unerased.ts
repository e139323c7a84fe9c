import type { Ledger } from '../../ledger/ledger.js'
import { eventsAt, newestFirst } from '../../log/pages.js'
import { EMPTIED } from '../audit/erased.js'

/** The positions of the events of a stream whose payload says something still. */
export async function unerased({ storage }: Pick<Ledger, 'storage'>, stream: string): Promise<readonly number[]> {
  const { position: through } = await storage.head()
  const found: number[] = []
  const rest: { readonly position: number }[] = []
  for await (const { position, type, payloadErased } of newestFirst(
    storage,
    { streams: [stream] },
    { after: 0, through }
  )) {
    if (payloadErased) continue
    // Of a deletion something is left in place of what it said.
    if (type.endsWith('Deleted')) rest.push({ position })
    else found.push(position)
  }
  for await (const { position, payload } of eventsAt(storage, rest)) {
    if (payload.text !== null && payload.text !== EMPTIED) found.push(position)
  }
  return found
}
