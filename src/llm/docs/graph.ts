import { setImmediate } from 'node:timers/promises'
import { type Chunk, type ChunkTable, DIMENSIONS, type Query, vectorOf } from './chunkTable.js'

/** What is used of hnswlib-node. Its own types are not there where the package could not be built. */
interface HierarchicalNSW {
  initIndex(options: { maxElements: number; m: number; efConstruction: number; randomSeed: number }): void
  addPoint(point: number[], label: number): void
  searchKnn(query: number[], count: number): { neighbors: number[] }
  setEf(ef: number): void
}
type HierarchicalNSWClass = new (space: 'cosine', dimensions: number) => HierarchicalNSW

const LINKS = 16
const EFFORT_OF_BUILDING = 100
const EFFORT_OF_SEARCHING = 96
// The graph is asked for more than is wanted: what is nearest is decided by the exact score.
const CANDIDATES_PER_HIT = 4

/** Rows near the query, in no order; null where the graph leads to too few of them, as it may. */
export type GraphSearch = (query: Query) => readonly number[] | null

/**
 * Builds graphs for approximate search, which takes about two milliseconds a row; messages to the thread are handled in
 * between. Null when it is stopped. Rejects where the native addon is missing.
 *
 * The addon checks next to nothing, and what it does not expect ends the process. Everything that is handed to it here
 * is a real array of the right length with finite numbers, and it is given no function to call: each source has a
 * graph of its own instead of a filter, which also finds the chunks of a source that has few.
 */
export async function buildGraph(
  { blocks, chunks }: Pick<ChunkTable, 'blocks' | 'chunks'>,
  addon: string,
  isStopped: () => boolean = () => false
): Promise<GraphSearch | null> {
  const GraphClass = await loadAddon(addon)
  const graphs = new Map<string, { readonly rows: number; readonly nodes: HierarchicalNSW }>()
  for (const source of ['site', 'sdk', 'other']) {
    const rows = [...chunks.keys()].filter((row) => sourceOf(chunks[row]) === source)
    if (rows.length === 0) continue
    const nodes = new GraphClass('cosine', DIMENSIONS)
    nodes.initIndex({ maxElements: rows.length, m: LINKS, efConstruction: EFFORT_OF_BUILDING, randomSeed: 1 })
    for (const row of rows) {
      await setImmediate()
      if (isStopped()) return null
      nodes.addPoint(Array.from(vectorOf(blocks, row)), row)
    }
    graphs.set(source, { rows: rows.length, nodes })
  }
  return ({ vector, limit, source }) => {
    if (vector.length !== DIMENSIONS || !vector.every(Number.isFinite)) return null
    const found: number[] = []
    for (const [name, { rows, nodes }] of graphs) {
      if (source !== undefined && name !== source) continue
      // The addon throws when it is asked for more than it holds.
      const count = Math.min(limit * CANDIDATES_PER_HIT, rows)
      nodes.setEf(Math.max(EFFORT_OF_SEARCHING, count))
      const { neighbors } = nodes.searchKnn(Array.from(vector), count)
      if (neighbors.length < count) return null
      found.push(...neighbors)
    }
    return found
  }
}

function sourceOf(chunk: Chunk | null | undefined): string | null {
  if (!chunk) return null
  return chunk.source === 'site' || chunk.source === 'sdk' ? chunk.source : 'other'
}

async function loadAddon(name: string): Promise<HierarchicalNSWClass> {
  // CommonJS: what it exports is the default.
  const { default: exported }: { default?: unknown } = await import(name)
  if (typeof exported === 'object' && exported !== null && 'HierarchicalNSW' in exported) {
    const { HierarchicalNSW } = exported
    if (isGraphClass(HierarchicalNSW)) return HierarchicalNSW
  }
  throw new Error(`${name} is not what it was`)
}

function isGraphClass(value: unknown): value is HierarchicalNSWClass {
  return typeof value === 'function' && typeof value.prototype?.searchKnn === 'function'
}
