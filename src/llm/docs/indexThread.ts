import { closeSync, openSync, readSync } from 'node:fs'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type Chunk, dotProduct, type Row, readIndex } from './readIndex.js'

/** The module of the thread. */
export const INDEX_THREAD = new URL(import.meta.url)

/** What the thread of an index is started with: the path of its file. Its first message is how many chunks can be found. */
export interface IndexTask {
  readonly indexes: string
}

export interface DocsQuery {
  readonly vector: Float32Array
  readonly limit: number
  /** Only chunks of this source; of every source when absent. */
  readonly source?: 'site' | 'sdk' | undefined
}

/** A search, and where its hits are sent, as JSON: that is how a model is told of them. */
export interface SearchRequest {
  readonly query: DocsQuery
  readonly port: MessagePort
}

export interface Hit extends Chunk {
  /** The cosine of the angle between the query and the chunk. */
  readonly score: number
}

/** What scores less is no hit. */
const THRESHOLD = 0.5

/**
 * The best hits, best first; of equal ones the first in the index. Every row is looked at, which takes about two
 * milliseconds for a thousand of them.
 */
function bestHits(rows: readonly Row[], { vector, limit, source }: DocsQuery): readonly Hit[] {
  const hits: Hit[] = []
  const length = Math.sqrt(dotProduct(vector, vector))
  for (const { chunk, vector: other, magnitude } of rows) {
    if (source !== undefined && chunk.source !== source) continue
    const score = dotProduct(other, vector) / (length * magnitude)
    const worst = hits[limit - 1]
    if (!(score >= THRESHOLD) || (worst !== undefined && worst.score >= score)) continue
    const at = hits.findIndex((hit) => hit.score < score)
    hits.splice(at === -1 ? hits.length : at, 0, { ...chunk, score })
    if (hits.length > limit) hits.pop()
  }
  return hits
}

function readFile(path: string): readonly Row[] {
  const file = openSync(path, 'r')
  try {
    return readIndex((buffer) => readSync(file, buffer))
  } finally {
    closeSync(file)
  }
}

/** Without zod, which a thread would take longer to load than to read a small index. */
function isTask(given: unknown): given is IndexTask {
  return typeof given === 'object' && given !== null && 'indexes' in given && typeof given.indexes === 'string'
}

if (parentPort && isTask(workerData)) {
  const rows = readFile(workerData.indexes)
  parentPort.on('message', ({ query, port }: SearchRequest) => port.postMessage(JSON.stringify(bestHits(rows, query))))
  parentPort.postMessage(rows.length)
}
