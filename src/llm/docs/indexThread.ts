import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { bestHits, type ChunkTable, type DocsQuery, type Hit } from './chunkTable.js'
import { readIndex } from './readIndex.js'

/** The module of the thread. */
export const INDEX_THREAD = new URL(import.meta.url)

/** What the thread of an index is started with: the path of its file. */
export interface IndexTask {
  readonly indexes: string
}

export interface SearchRequest {
  readonly id: number
  readonly query: DocsQuery
}

/** What the thread tells: first how much can be found, then the hits of each search. */
export type IndexReply =
  | { readonly kind: 'read'; readonly chunks: number }
  | { readonly kind: 'hits'; readonly id: number; readonly hits: readonly Hit[] }

/** The thread of one index: reads the file, and answers searches in it until it is terminated. */
function run({ indexes: path }: IndexTask): void {
  const table = readFile(path)
  const reply = (message: IndexReply) => parentPort?.postMessage(message)
  parentPort?.on('message', ({ id, query }: SearchRequest) => reply({ kind: 'hits', id, hits: bestHits(table, query) }))
  reply({ kind: 'read', chunks: table.chunks.filter((chunk) => chunk !== null).length })
}

function readFile(path: string): ChunkTable {
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

if (parentPort && isTask(workerData)) run(workerData)
