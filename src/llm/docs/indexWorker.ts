import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { bestHits, type ChunkTable, type Hit, type Query } from './chunkTable.js'
import { buildGraph, type GraphSearch } from './graph.js'
import { readIndex } from './readIndex.js'

/** What the thread of an index is started with. */
export interface IndexWorkerInput {
  readonly path: string
  /** The number of rows from which a graph is built. */
  readonly graphFrom: number
  /** The package that builds it. */
  readonly addon: string
  /** The flags `STOP` and `STOPPED`, shared between the two threads. */
  readonly flags: Int32Array
}

/** Set when the thread is to end; it looks between two pieces of work. */
export const STOP = 0
/** Set by the thread when it will not call into native code any more. */
export const STOPPED = 1

/** A search; null makes the thread look at `STOP`. */
export type IndexRequest = { readonly id: number; readonly query: Query } | null

/** What the thread tells: first how much can be found, later whether there is a graph, and the hits of each search. */
export type IndexReply =
  | { readonly kind: 'read'; readonly chunks: number }
  /** With the reason where there was to be one, but cannot. */
  | { readonly kind: 'graph'; readonly graph: boolean | Error }
  | { readonly kind: 'hits'; readonly id: number; readonly hits: readonly Hit[] }

/**
 * The thread of one index: reads the file and answers searches in it, by a graph where the index is large. It ends when it
 * is told to and never by force: a thread that is terminated while it is in the native addon takes the process along.
 */
async function run({ path, graphFrom, addon, flags }: IndexWorkerInput): Promise<void> {
  const isStopped = () => Atomics.load(flags, STOP) !== 0
  try {
    const table = readFile(path, isStopped)
    const size = table.chunks.length
    let graph: GraphSearch | null = null
    const ended = new Promise<void>((resolve) => {
      parentPort?.on('message', (request: IndexRequest) => {
        if (request !== null && !isStopped()) {
          const rows = graph?.(request.query) ?? table.chunks.keys()
          return reply({ kind: 'hits', id: request.id, hits: bestHits(table, rows, request.query) })
        }
        parentPort?.close()
        resolve()
      })
    })
    reply({ kind: 'read', chunks: table.chunks.filter((chunk) => chunk !== null).length })
    // Told as a message: an error that ends the thread would end the searches, which need no graph.
    const build = () => buildGraph(table, addon, isStopped).catch((error: Error) => error)
    const built = size < graphFrom ? null : await build()
    if (!(built instanceof Error)) graph = built
    reply({ kind: 'graph', graph: built instanceof Error ? built : built !== null })
    await ended
  } finally {
    Atomics.store(flags, STOPPED, 1)
    Atomics.notify(flags, STOPPED)
  }
}

function readFile(path: string, isStopped: () => boolean): ChunkTable {
  const file = openSync(path, 'r')
  try {
    return readIndex((buffer) => {
      if (isStopped()) throw new Error('The index is not wanted any more')
      return readSync(file, buffer)
    })
  } finally {
    closeSync(file)
  }
}

function reply(message: IndexReply): void {
  parentPort?.postMessage(message)
}

if (parentPort !== null) await run(workerData)
