import { type ChunkTable, type ChunkTexts, type Source, textsOf } from './chunks.js'
import { bestOf, exactSearch, isWanted, type Match, type Query } from './exactSearch.js'
import { IndexThread } from './indexThread.js'

export interface DocsIndexOptions {
  /** The number of chunks from which searches are approximate. */
  readonly graphFrom?: number
  /** The package that builds the graph for them. */
  readonly addon?: string
}

export interface Hit extends ChunkTexts {
  readonly score: number
}

const GRAPH_FROM = 8000
const ADDON = 'hnswlib-node'
const LOAD_LIMIT_MS = 300_000
// The graph is asked for more than is wanted: what is nearest is decided by the exact score.
const MORE = 4

/** A documentation index in memory. */
export class DocsIndex {
  /** Whether searches are approximate, once that is decided; the reason where they were to be, but cannot. */
  readonly graph: Promise<boolean | Error>
  readonly #table: ChunkTable
  readonly #thread: IndexThread
  readonly #sizes: Readonly<Record<Source | 'all', number>>

  private constructor(table: ChunkTable, thread: IndexThread) {
    this.#table = table
    this.#thread = thread
    this.graph = thread.graph
    this.#sizes = { all: sizeOf(table, undefined), site: sizeOf(table, 'site'), sdk: sizeOf(table, 'sdk') }
  }

  /** Reads an index file. Rejects when it cannot be read, is no index, takes five minutes or is not wanted any more. */
  static async load(path: string, signal: AbortSignal, options: DocsIndexOptions = {}): Promise<DocsIndex> {
    const { graphFrom = GRAPH_FROM, addon = ADDON } = options
    const thread = new IndexThread({ path, graphFrom, addon })
    const stop = () => void thread.close()
    const limit = setTimeout(stop, LOAD_LIMIT_MS)
    signal.addEventListener('abort', stop)
    try {
      return new DocsIndex(await thread.table, thread)
    } finally {
      clearTimeout(limit)
      signal.removeEventListener('abort', stop)
    }
  }

  /** The number of chunks that can be found. */
  get size(): number {
    return this.#sizes.all
  }

  /** The best hits, best first. */
  async search(query: Query, signal: AbortSignal): Promise<readonly Hit[]> {
    signal.throwIfAborted()
    const matches = (await this.#approximate(query)) ?? (await exactSearch(this.#table, query, signal))
    return matches.map(({ row, score }) => ({ ...textsOf(this.#table, row), score }))
  }

  /** Ends the thread behind the index. Searches that are under way come to their end without it. */
  close(): Promise<void> {
    return this.#thread.close()
  }

  /** Null where looking at every row is the better way, or the only one. */
  async #approximate(query: Query): Promise<readonly Match[] | null> {
    const count = query.limit * MORE
    const rows = await this.#thread.rowsNear(query.vector, count, query.source ?? null)
    // A graph need not lead to every chunk from where it is entered.
    if (rows === null || rows.length < Math.min(count, this.#sizes[query.source ?? 'all'])) return null
    return bestOf(this.#table, rows, query)
  }
}

function sizeOf(table: ChunkTable, source: Source | undefined): number {
  let size = 0
  for (let row = 0; row < table.rows; row++) if (isWanted(table, row, source)) size++
  return size
}
