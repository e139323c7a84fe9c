import { BLOCK_ROWS, type ChunkTable, DIMENSIONS, magnitudeOf, SOURCES, type Source, vectorOf } from './chunks.js'

export interface Match {
  readonly row: number
  readonly score: number
}

export interface Query {
  readonly vector: Float32Array
  readonly limit: number
  /** Only chunks of this source; of every source when absent. */
  readonly source?: Source | undefined
}

/** What scores less is no answer. */
export const THRESHOLD = 0.5

/**
 * The best matches by cosine similarity, best first, found by looking at every row. It lets others have their turn
 * after each block, which takes about a millisecond.
 */
export async function exactSearch(table: ChunkTable, query: Query, signal: AbortSignal): Promise<readonly Match[]> {
  const best = new BestMatches(query.limit)
  const magnitude = magnitudeOf(query.vector)
  for (let start = 0; start < table.rows; start += BLOCK_ROWS) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
    for (let row = start; row < Math.min(table.rows, start + BLOCK_ROWS); row++) {
      if (isWanted(table, row, query.source)) best.offer({ row, score: scoreOf(table, row, query.vector, magnitude) })
    }
  }
  return best.matches
}

/** The best of the given rows, scored exactly. */
export function bestOf(table: ChunkTable, rows: readonly number[], query: Query): readonly Match[] {
  const best = new BestMatches(query.limit)
  const magnitude = magnitudeOf(query.vector)
  for (const row of rows) {
    if (isWanted(table, row, query.source)) best.offer({ row, score: scoreOf(table, row, query.vector, magnitude) })
  }
  return best.matches
}

/** True for the rows that a search for this source may find. */
export function isWanted({ sources }: Pick<ChunkTable, 'sources'>, row: number, source: Source | undefined): boolean {
  const code = sources[row] ?? SOURCES.none
  return source === undefined ? code !== SOURCES.none : code === SOURCES[source]
}

class BestMatches {
  readonly matches: Match[] = []
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  offer(match: Match): void {
    const { matches } = this
    const worst = matches[this.#limit - 1]
    if (!(match.score >= THRESHOLD) || (worst !== undefined && worst.score >= match.score)) return
    const at = matches.findIndex(({ score }) => score < match.score)
    matches.splice(at === -1 ? matches.length : at, 0, match)
    if (matches.length > this.#limit) matches.pop()
  }
}

function scoreOf(table: ChunkTable, row: number, query: Float32Array, magnitude: number): number {
  const vector = vectorOf(table, row)
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  // Four sums at once, because each addition has to wait for the one before it.
  for (let i = 0; i < DIMENSIONS; i += 4) {
    a += (vector[i] ?? 0) * (query[i] ?? 0)
    b += (vector[i + 1] ?? 0) * (query[i + 1] ?? 0)
    c += (vector[i + 2] ?? 0) * (query[i + 2] ?? 0)
    d += (vector[i + 3] ?? 0) * (query[i + 3] ?? 0)
  }
  return (a + b + (c + d)) / (magnitude * (table.magnitudes[row] ?? 0))
}
