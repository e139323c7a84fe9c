import type { StoredEvent } from '../log/event.js'
import type { LogFilter, PositionRange } from './storage.js'

/** Every position that there is or will be. */
export const WHOLE_LOG: PositionRange = { after: 0, through: Number.MAX_SAFE_INTEGER }

/** How every sealed `who` with this address begins: canonical JSON puts the address first. */
export function identityPrefix(address: string): string {
  return `{"address":${JSON.stringify(address)},`
}

/** What of a `who` an index over addresses holds: what stands between the third quote and the next, or its first `max` characters. */
export const ADDRESS_KEY = { from: '{"address":"'.length + 1, max: 64 } as const

/** The key under which such an index has an address. Long or odd ones share theirs with others. */
export function addressKey(address: string): string {
  const rest = [...identityPrefix(address)].slice(ADDRESS_KEY.from - 1, ADDRESS_KEY.from - 1 + ADDRESS_KEY.max).join('')
  return rest.split('"', 1)[0] ?? ''
}

/**
 * True for a filter that an index answers: a question costs what it finds, or what the streams are long that it names, or
 * for an address where an index holds the beginning of it alone, how many events share that. Any other one costs what it
 * looks at.
 */
export function isIndexed({ types, streams, streamPrefix, requestId, ...others }: LogFilter): boolean {
  if (streams !== undefined) return true
  if (streamPrefix !== undefined || requestId !== undefined || (types !== undefined && types.length !== 1)) return false
  return [types, ...Object.values(others)].filter((one) => one !== undefined).length <= 1
}

/** True for an event that a filter wants, its address aside: a header does not hold that. */
export function wantsHeader(filter: LogFilter, event: Omit<StoredEvent, 'who' | 'payload'>): boolean {
  const { actorId, tokenId, requestId, types, streams, streamPrefix } = filter
  return (
    (actorId === undefined || event.actorId === actorId) &&
    (tokenId === undefined || event.tokenId === tokenId) &&
    (requestId === undefined || event.requestId === requestId) &&
    (types === undefined || types.includes(event.type)) &&
    (streams === undefined || streams.includes(event.stream)) &&
    (streamPrefix === undefined || event.stream.startsWith(streamPrefix))
  )
}

/** The address in the text of a `who`; null where there is none. */
export function addressIn(who: string | null): string | null {
  const [, json] = /^\{"address":("(?:[^"\\]|\\.)*"),/.exec(who ?? '') ?? []
  return json === undefined ? null : String(JSON.parse(json))
}
