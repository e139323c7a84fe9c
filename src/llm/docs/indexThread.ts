import { closeSync, openSync, readSync } from 'node:fs'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { bestHits, type ChunkTable, type DocsQuery } from './chunkTable.js'
import { readIndex } from './readIndex.js'

/** The module of the thread. */
export const INDEX_THREAD = new URL(import.meta.url)

/** What the thread of an index is started with: the path of its file. Its first message is how many chunks can be found. */
export interface IndexTask {
  readonly indexes: string
}

/** A search, and where its hits are sent. */
export interface SearchRequest {
  readonly query: DocsQuery
  readonly port: MessagePort
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

if (parentPort && isTask(workerData)) {
  const table = readFile(workerData.indexes)
  parentPort.on('message', ({ query, port }: SearchRequest) => port.postMessage(bestHits(table, query)))
  parentPort.postMessage(table.chunks.filter((chunk) => chunk !== null).length)
}
