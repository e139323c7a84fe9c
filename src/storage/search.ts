import { LIMITS } from '../limits.js'
import type { EventHeader, LinkedHeader, StoredEvent } from '../log/event.js'
import type { LogFilter, Storage, Stretch } from './storage.js'

const PAGE = 500
const STREAM_PAGE = 100

/** How every sealed `who` with this address begins: canonical JSON puts the address first. */
export function whoWith(address: string): string {
  return `{"address":${JSON.stringify(address)},`
}

/** What a filter means: drivers whose database can ask for it must mean the same. */
export function wants(filter: LogFilter, event: StoredEvent): boolean {
  const { actorId, tokenId, requestId, types, address, streams, streamPrefix } = filter
  return (
    (actorId === undefined || event.actorId === actorId) &&
    (tokenId === undefined || event.tokenId === tokenId) &&
    (requestId === undefined || event.requestId === requestId) &&
    (types === undefined || types.includes(event.type)) &&
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
): Promise<readonly EventHeader[]> {
  const found: EventHeader[] = []
  for (let low = after, high = through; low < high && found.length < limit; ) {
    const start = newestFirst ? Math.max(low, high - PAGE) : low
    const end = newestFirst ? high : Math.min(high, low + PAGE)
    const wanted: EventHeader[] = []
    for (let from = start; from < end; ) {
      const page = await readLog(from, end - from)
      if (page.length === 0) return found
      wanted.push(...page.filter((event) => wants(filter, event)).map(headerOf))
      from = page.at(-1)?.position ?? end
    }
    found.push(...(newestFirst ? wanted.reverse() : wanted))
    if (newestFirst) high = start
    else low = end
  }
  return found.slice(0, limit)
}

/** A search in one stream by reading it, page after page: for databases that know the events of a stream, and no more. */
export async function searchStream(
  readStream: Storage['readStream'],
  stream: string,
  filter: LogFilter,
  { after, through }: Stretch,
  limit: number,
  newestFirst: boolean
): Promise<readonly EventHeader[]> {
  let found: EventHeader[] = []
  for (let version = 0; newestFirst || found.length < limit; ) {
    const page = await readStream(stream, version, STREAM_PAGE)
    const meant = page.filter(({ position }) => position > after && position <= through)
    found.push(...meant.filter((event) => wants(filter, event)).map(headerOf))
    if (newestFirst) found = found.slice(-limit)
    const last = page.at(-1)
    if (!last || last.position > through) break
    version = last.version
  }
  return newestFirst ? found.reverse() : found.slice(0, limit)
}

/** An event without its texts. */
export function headerOf({ who, payload, ...header }: StoredEvent): LinkedHeader {
  return { ...header, whoErased: who.salt === null, payloadErased: payload.text === null }
}

/** As many events as make up one page, and one at least. */
export function pageOf(events: readonly StoredEvent[]): readonly StoredEvent[] {
  let bytes = 0
  return events.filter(({ payload }, i) => {
    bytes += Buffer.byteLength(payload.text ?? '')
    return i === 0 || bytes <= LIMITS.page.max
  })
}
