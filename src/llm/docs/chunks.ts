export const DIMENSIONS = 1536

/** Vectors lie in blocks of this many rows: memory grows with the index, and a search may pause between two of them. */
export const BLOCK_ROWS = 512

/** What `sources` says of a row. */
export const SOURCES = { other: 0, site: 1, sdk: 2, none: 255 } as const
export type Source = 'site' | 'sdk'

/** The texts of a row, in this order. */
export const FIELDS = ['title', 'heading', 'url', 'source', 'path', 'snippet'] as const
export type Field = (typeof FIELDS)[number]
export type ChunkTexts = Readonly<Record<Field, string>>

/** An index in memory, as it passes from the thread that reads it. A row is a chunk of the documentation. */
export interface ChunkTable {
  readonly rows: number
  /** Shared, because the graph is built of the same numbers. */
  readonly blocks: readonly Float32Array[]
  /** The length of each vector. */
  readonly magnitudes: Float64Array
  readonly sources: Uint8Array
  /** All texts, one behind the other, and where each ends. */
  readonly texts: Uint8Array
  readonly textEnds: Uint32Array
}

/** The vector of a row, in place. */
export function vectorOf({ blocks }: Pick<ChunkTable, 'blocks'>, row: number): Float32Array {
  const start = (row % BLOCK_ROWS) * DIMENSIONS
  return (blocks[Math.floor(row / BLOCK_ROWS)] ?? new Float32Array()).subarray(start, start + DIMENSIONS)
}

/** The length of a vector. */
export function magnitudeOf(vector: Float32Array): number {
  let sum = 0
  for (const value of vector) sum += value * value
  return Math.sqrt(sum)
}

/** How `sources` marks a source. */
export function sourceCode(source: string): number {
  return source === 'site' || source === 'sdk' ? SOURCES[source] : SOURCES.other
}

/** The texts of a row. */
export function textsOf({ texts, textEnds }: ChunkTable, row: number): ChunkTexts {
  const bytes = Buffer.from(texts.buffer, texts.byteOffset, texts.byteLength)
  const text = (field: Field): string => {
    const at = row * FIELDS.length + FIELDS.indexOf(field)
    return bytes.toString('utf8', textEnds[at - 1] ?? 0, textEnds[at] ?? 0)
  }
  return {
    title: text('title'),
    heading: text('heading'),
    url: text('url'),
    source: text('source'),
    path: text('path'),
    snippet: text('snippet')
  }
}
