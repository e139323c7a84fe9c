import { LIMITS } from '../../limits.js'
import type { SqlDriver, Statement } from './dialect.js'

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
        const size = Number(row.bytes ?? 0)
        if (end !== null && bytes + size > max) break
        bytes += size
        end = Number(row[column])
      }
      if (rows.length > 0) usual = Math.max(ASKED_MIN, Math.ceil((2 * max * rows.length) / Math.max(1, bytes)))
      return end
    }
  }
}
