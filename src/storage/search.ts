import type { StoredEvent } from '../log/event.js'
import type { LogFilter, Storage, Stretch } from './storage.js'

const PAGE = 500

/** How every sealed `who` with this address begins: canonical JSON puts the address first. */
export function whoWith(address: string): string {
  return `{"address":${JSON.stringify(address)},`
}

/** What a filter means: drivers whose database can ask for it must mean the same. */
export function wants(filter: LogFilter, event: StoredEvent): boolean {
  const { actorId, tokenId, requestId, type, address, streams, streamPrefix } = filter
  return (
    (actorId === undefined || event.actorId === actorId) &&
    (tokenId === undefined || event.tokenId === tokenId) &&
    (requestId === undefined || event.requestId === requestId) &&
    (type === undefined || event.type === type) &&
    (address === undefined || (event.who.text?.startsWith(whoWith(address)) ?? false)) &&
    (streams === undefined || streams.includes(event.stream)) &&
    (streamPrefix === undefined || event.stream.startsWith(streamPrefix))
  )
}

/** A search by reading page after page, for databases that cannot ask for what a filter wants. */
export async function searchByReading(
  readLog: Storage['readLog'],
  filter: LogFilter,
  { after, through }: Stretch,
  limit: number,
  newestFirst: boolean
): Promise<readonly StoredEvent[]> {
  const found: StoredEvent[] = []
  for (let low = after, high = through; low < high && found.length < limit; ) {
    const start = newestFirst ? Math.max(low, high - PAGE) : low
    const page = await readLog(start, Math.min(PAGE, high - start))
    if (page.length === 0) break
    const wanted = page.filter((event) => wants(filter, event))
    found.push(...(newestFirst ? wanted.toReversed() : wanted))
    if (newestFirst) high = start
    else low = page.at(-1)?.position ?? high
  }
  return found.slice(0, limit)
}
