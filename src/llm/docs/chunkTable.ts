export const DIMENSIONS = 1536

/** Vectors lie in blocks of this many rows, so that memory grows with the index. */
export const BLOCK_ROWS = 512

/** What scores less is no hit. */
const THRESHOLD = 0.5

/** A piece of the documentation, as a model is told of it. */
export interface Chunk {
  readonly title: string
  readonly heading: string
  readonly url: string
  readonly source: string
  readonly path: string
  readonly snippet: string
}

/** An index in memory: in each row the vector of a chunk, the vector's length, and the chunk itself. */
export interface ChunkTable {
  readonly blocks: readonly Float32Array[]
  readonly magnitudes: Float64Array
  /** Null for rows that no search may find. */
  readonly chunks: readonly (Chunk | null)[]
}

export interface DocsQuery {
  readonly vector: Float32Array
  readonly limit: number
  /** Only chunks of this source; of every source when absent. */
  readonly source?: 'site' | 'sdk' | undefined
}

export interface Hit extends Chunk {
  /** The cosine of the angle between the query and the chunk. */
  readonly score: number
}

/** The vector of a row, in place. */
export function vectorOf(blocks: readonly Float32Array[], row: number): Float32Array {
  const start = (row % BLOCK_ROWS) * DIMENSIONS
  return (blocks[Math.floor(row / BLOCK_ROWS)] ?? new Float32Array()).subarray(start, start + DIMENSIONS)
}

/** The length of a vector. */
export function magnitudeOf(vector: Float32Array): number {
  return Math.sqrt(dotProduct(vector, vector))
}

/**
 * The best hits, best first; of equal ones the first in the index. Every row is looked at, which takes about two
 * milliseconds for a thousand of them.
 */
export function bestHits(table: ChunkTable, { vector, limit, source }: DocsQuery): readonly Hit[] {
  const hits: Hit[] = []
  const magnitude = magnitudeOf(vector)
  for (const [row, chunk] of table.chunks.entries()) {
    if (!chunk || (source !== undefined && chunk.source !== source)) continue
    const score = dotProduct(vectorOf(table.blocks, row), vector) / (magnitude * (table.magnitudes[row] ?? 0))
    const worst = hits[limit - 1]
    if (!(score >= THRESHOLD) || (worst !== undefined && worst.score >= score)) continue
    const at = hits.findIndex((hit) => hit.score < score)
    hits.splice(at === -1 ? hits.length : at, 0, { ...chunk, score })
    if (hits.length > limit) hits.pop()
  }
  return hits
}

function dotProduct(one: Float32Array, other: Float32Array): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  // Four sums at once, because each addition has to wait for the one before it.
  for (let i = 0; i < DIMENSIONS; i += 4) {
    a += (one[i] ?? 0) * (other[i] ?? 0)
    b += (one[i + 1] ?? 0) * (other[i + 1] ?? 0)
    c += (one[i + 2] ?? 0) * (other[i + 2] ?? 0)
    d += (one[i + 3] ?? 0) * (other[i + 3] ?? 0)
  }
  return a + b + (c + d)
}
