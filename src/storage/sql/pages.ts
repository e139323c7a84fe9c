import { LIMITS } from '../../limits.js'
import type { EventHeader } from '../../log/event.js'
import { toHeader as headerOf } from '../events.js'
import type { LogFilter, PositionRange, Storage } from '../storage.js'
import type { RawRow, SqlDriver, Statement } from './dialect.js'
import type { logStatements } from './log.js'

/** A question has at least so many events at a time. */
const ASKED_MIN = 16

/** Cuts answers with texts to pages: how large the events are is asked before they are. */
export interface PageCutter {
  /**
   * The last of the events that make up one page, by its position or version: `sizes` asks for both and for the bytes of so many
   * events, in their order. Null where there are none.
   */
  end(column: 'position' | 'version', limit: number, sizes: (limit: number) => Statement): Promise<number | null>
}

/** A page has at most `max` bytes, or one event. */
export function pageCutter(query: SqlDriver['query'], { max } = LIMITS.page): PageCutter {
  // Not every server tells the length of a text without reading it: where events are large, fewer of them are asked about.
  let usual = Number.POSITIVE_INFINITY
  return {
    async end(column, limit, sizes) {
      const rows = await query(sizes(Math.min(limit, usual)))
      let bytes = 0
      let end: number | null = null
      for (const row of rows) {
        const size = bytesOf(row)
        if (end !== null && bytes + size > max) break
        bytes += size
        end = Number(row[column])
      }
      if (rows.length > 0) usual = Math.max(ASKED_MIN, Math.ceil((2 * max * rows.length) / Math.max(1, bytes)))
      return end
    }
  }
}

type Headers = Pick<Storage, 'readHeaders' | 'searchLog' | 'lastOf'>

/** Reads events without their texts. */
export function headerReads({ query }: Pick<SqlDriver, 'query'>, log: ReturnType<typeof logStatements>): Headers {
  const searchOne = async (filter: LogFilter, within: PositionRange, limit: number, newestFirst: boolean) =>
    (await query(log.search(filter, within, limit, newestFirst))).map(toHeader)

  return {
    readHeaders: async (after, limit) => (await query(log.headers(after, limit))).map(toHeader),
    async searchLog(filter, within, limit, newestFirst) {
      const { streams } = filter
      if (streams === undefined || streams.length === 1) return searchOne(filter, within, limit, newestFirst)
      // Each in its own order, for which there is an index; of all together they would first have to be sorted.
      const found: EventHeader[] = []
      for (const stream of new Set(streams))
        found.push(...(await searchOne({ ...filter, streams: [stream] }, within, limit, newestFirst)))
      return found.sort((a, b) => (newestFirst ? b.position - a.position : a.position - b.position)).slice(0, limit)
    },
    async lastOf(streams, types, through) {
      return streams.length === 0 ? [] : (await query(log.lastOf(streams, types, through))).map(toHeader)
    }
  }
}

const bytesOf = (row: RawRow) => Number(row.bytes ?? 0)
const toHeader = (row: RawRow) => headerOf(row, Number(row.payload_erased) === 1)
