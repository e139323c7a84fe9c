import { type ChunkTable, DIMENSIONS, SOURCES, type Source, vectorOf } from './chunks.js'
import { hasKeys } from './messages.js'

/** What is used of hnswlib-node. Its own types are not there where the package could not be built. */
interface HierarchicalNSW {
  initIndex(options: { maxElements: number; m: number; efConstruction: number; randomSeed: number }): void
  addPoint(point: number[], label: number): void
  searchKnn(query: number[], count: number): { neighbors: number[] }
  setEf(ef: number): void
}
type HierarchicalNSWClass = new (space: 'cosine', dimensions: number) => HierarchicalNSW

interface Graph {
  readonly rows: number
  readonly nodes: HierarchicalNSW
}

const LINKS = 16
const EFFORT_OF_BUILDING = 100
const EFFORT_OF_SEARCHING = 96

/** At least so many rows near the query, as far as there are so many; not in order. */
export type GraphSearch = (query: Float32Array, count: number, source: Source | null) => readonly number[]

/** What a graph is built of. */
export type GraphTable = Pick<ChunkTable, 'rows' | 'blocks' | 'sources'>

/**
 * Builds graphs for approximate search, which takes about two milliseconds a row and blocks its thread for as long;
 * null when it is stopped. Rejects where the native addon is missing.
 *
 * The addon checks next to nothing, and what it does not expect ends the process. Everything that is handed to it here
 * is a real array of the right length with finite numbers, and it is given no function to call: each source has a
 * graph of its own instead of a filter, which also finds the chunks of a source that has few.
 */
export async function buildGraph(
  table: GraphTable,
  addon: string,
  isStopped: () => boolean = () => false
): Promise<GraphSearch | null> {
  const GraphClass = await loadAddon(addon)
  const graphs = new Map<number, Graph>()
  for (const code of [SOURCES.other, SOURCES.site, SOURCES.sdk]) {
    const rows = rowsOf(table, code)
    if (rows.length === 0) continue
    const nodes = new GraphClass('cosine', DIMENSIONS)
    nodes.initIndex({ maxElements: rows.length, m: LINKS, efConstruction: EFFORT_OF_BUILDING, randomSeed: 1 })
    for (const row of rows) {
      if (isStopped()) return null
      nodes.addPoint(Array.from(vectorOf(table, row)), row)
    }
    graphs.set(code, { rows: rows.length, nodes })
  }
  return (query, count, source) => {
    if (query.length !== DIMENSIONS || !query.every(Number.isFinite)) return []
    const asked = source === null ? [...graphs.values()] : [graphs.get(SOURCES[source])]
    return asked.flatMap((graph) => (graph === undefined ? [] : searchIn(graph, Array.from(query), count)))
  }
}

function searchIn({ rows, nodes }: Graph, query: number[], count: number): readonly number[] {
  // The addon throws when it is asked for more than it holds.
  const possible = Math.min(count, rows)
  nodes.setEf(Math.max(EFFORT_OF_SEARCHING, possible))
  return nodes.searchKnn(query, possible).neighbors
}

function rowsOf({ rows, sources }: GraphTable, code: number): readonly number[] {
  return Array.from({ length: rows }, (_, row) => row).filter((row) => sources[row] === code)
}

async function loadAddon(name: string): Promise<HierarchicalNSWClass> {
  // CommonJS: what it exports is the default.
  const loaded: unknown = await import(name)
  if (hasKeys(loaded, 'default') && hasKeys(loaded.default, 'HierarchicalNSW')) {
    const { HierarchicalNSW } = loaded.default
    if (isGraphClass(HierarchicalNSW)) return HierarchicalNSW
  }
  throw new Error(`${name} is not what it was`)
}

function isGraphClass(value: unknown): value is HierarchicalNSWClass {
  return typeof value === 'function' && typeof value.prototype?.searchKnn === 'function'
}
