import type { Source } from './chunks.js'

export interface SearchArguments {
  readonly query: string
  readonly limit: number
  readonly source: Source | undefined
}

const USUAL_LIMIT = 5
const MOST_HITS = 10
// Longer than any question; an embedding model refuses what is much longer.
const LONGEST_QUERY = 8000

/** What a model asks for, as far as it makes sense; null without a query. */
export function searchArguments(args: unknown): SearchArguments | null {
  const { query, limit, source }: { query?: unknown; limit?: unknown; source?: unknown } =
    typeof args === 'object' && args !== null ? args : {}
  if (typeof query !== 'string' || query.trim() === '') return null
  return {
    query: query.trim().slice(0, LONGEST_QUERY).toWellFormed(),
    limit: limitOf(limit),
    source: source === 'site' || source === 'sdk' ? source : undefined
  }
}

function limitOf(limit: unknown): number {
  if (typeof limit !== 'number' || !Number.isFinite(limit)) return USUAL_LIMIT
  return Math.min(MOST_HITS, Math.max(1, Math.floor(limit)))
}
