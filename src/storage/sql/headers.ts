import { setImmediate } from 'node:timers/promises'
import { LIMITS } from '../../limits.js'
import type { EventHeader, LinkedHeader } from '../../log/event.js'
import type { LogFilter, Storage, Stretch } from '../storage.js'
import type { RawRow, SqlDriver } from './dialect.js'
import { type logStatements, toHeader, toLinkedHeader } from './log.js'

const POSITIONS_MAX = 500

type Headers = Pick<Storage, 'readHeaders' | 'searchLog' | 'lastOf'>

/**
 * Reads events without their texts. Where those lie in the rows, the chain is behind them: no more than a page of texts is passed
 * over in one question.
 */
export function headerReads(
  { query, dialect }: Pick<SqlDriver, 'query' | 'dialect'>,
  log: ReturnType<typeof logStatements>,
  { max } = LIMITS.page
): Headers {
  const linkedOf = async (rows: readonly RawRow[]): Promise<readonly LinkedHeader[]> => {
    const found: LinkedHeader[] = []
    for (const positions of pieces(rows, max)) {
      found.push(...(await query(log.linkedAt(positions))).map(toLinkedHeader))
      await setImmediate()
    }
    return found
  }
  const searchOne = async (filter: LogFilter, within: Stretch, limit: number, newestFirst: boolean) =>
    (await query(log.search(filter, within, limit, newestFirst))).map(toHeader)

  return {
    readHeaders: async (after, limit) =>
      dialect.hasTextsInRows
        ? linkedOf(await query(log.sizes(after, limit)))
        : (await query(log.linked(after, limit))).map(toLinkedHeader),
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

/** The positions of rows in pieces of at most so many bytes, or one event. */
function* pieces(rows: readonly RawRow[], max: number): Generator<readonly number[]> {
  let piece: number[] = []
  let bytes = 0
  for (const row of rows) {
    const size = Number(row.bytes ?? 0)
    if (piece.length > 0 && (piece.length >= POSITIONS_MAX || bytes + size > max)) {
      yield piece
      piece = []
      bytes = 0
    }
    piece.push(Number(row.position))
    bytes += size
  }
  if (piece.length > 0) yield piece
}
