import { fitting, LIMITS } from '../../limits.js'
import type { EventHeader, StoredEvent } from '../../log/event.js'
import { toHeader as headerOf, toEvent } from '../events.js'
import type { LogFilter, PositionRange, Storage } from '../storage.js'
import { type Piece, type RawRow, type SqlDriver, sql } from './dialect.js'
import type { LogStatements } from './log.js'

/** A question has at least so many events at a time. */
const ASKED_MIN = 16

type LogReads = Pick<Storage, 'readLog' | 'readHeaders' | 'readTypes' | 'readAt' | 'searchLog' | 'lastOf'>

/** Reads and searches the log. */
export function logReads({ query }: Pick<SqlDriver, 'query'>, log: LogStatements): LogReads {
  // Not every server tells the length of a text without reading it: where events are large, fewer of them are asked about.
  let usual = Number.POSITIVE_INFINITY
  const readAt = async (positions: readonly number[]) => (await query(log.readAt(positions))).map(toEvent)
  /** One page of these events, in their order: how large they are together is told with them, or in their place. */
  const page = async (which: Piece, limit: number): Promise<readonly StoredEvent[]> => {
    const rows = await query(log.sized(which, Math.min(limit, usual)))
    const isWhole = !rows.some(({ payload, bytes }) => payload === null && bytes !== null)
    const some = isWhole ? rows : fitting(rows, LIMITS.page, ({ bytes }) => Number(bytes ?? 0))
    usual = isWhole ? 2 * usual : Math.max(ASKED_MIN, 2 * some.length)
    return isWhole ? rows.map(toEvent) : readAt(some.map(({ position }) => Number(position)))
  }
  const searchOne = async (filter: LogFilter, within: PositionRange, limit: number, newestFirst: boolean) =>
    (await query(log.search(filter, within, limit, newestFirst))).map(toHeader)

  return {
    // Single events, which are asked for most, need no measuring.
    readLog: (after, limit) => (limit === 1 ? readAt([after + 1]) : page(sql`position > ${after}`, limit)),
    readHeaders: async (after, limit) => (await query(log.headers(after, limit))).map(toHeader),
    async readTypes(after, through) {
      const rows = after < through ? await query(log.types(after, through)) : []
      return rows.map(({ position, stream, type, chain }) => ({
        position: Number(position),
        stream: String(stream),
        type: String(type),
        chain: String(chain)
      }))
    },
    readAt: async (positions) => (positions.length === 0 ? [] : page(log.isAt(positions), positions.length)),
    async searchLog(filter, within, limit, newestFirst) {
      const { streams } = filter
      if (streams === undefined || streams.length === 1) return searchOne(filter, within, limit, newestFirst)
      // Each in its own order, for which there is an index; of all together they would first have to be sorted.
      const found: EventHeader[] = []
      for (const stream of new Set(streams))
        found.push(...(await searchOne({ ...filter, streams: [stream] }, within, limit, newestFirst)))
      return found.sort((a, b) => (newestFirst ? b.position - a.position : a.position - b.position)).slice(0, limit)
    },
    lastOf: async (streams, types, through) =>
      streams.length === 0 ? [] : (await query(log.lastOf(streams, types, through))).map(toHeader)
  }
}

const toHeader = (row: RawRow) => headerOf(row, Number(row.payload_erased) === 1)
