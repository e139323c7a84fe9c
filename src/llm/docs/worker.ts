import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { ChunkTable } from './chunks.js'
import { buildGraph, type GraphSearch } from './graph.js'
import { isGraphRequest, isWorkerInput, STOP, STOPPED, type WorkerReply } from './messages.js'
import { readIndex } from './readIndex.js'

/**
 * The thread of one index: reads the file, hands over what is in it and, where the index is large, builds a graph and
 * answers searches in it from then on. It ends when it is told to and never by force: a thread that is terminated
 * while it is in the native addon takes the process along.
 */
async function run(): Promise<void> {
  if (!isWorkerInput(workerData)) throw new TypeError('This thread reads an index')
  const { path, graphFrom, addon, flags } = workerData
  const isStopped = () => Atomics.load(flags, STOP) !== 0
  try {
    const table = readFile(path, isStopped)
    // The graph needs neither texts nor magnitudes, so those can move instead of being copied.
    reply({ kind: 'table', table }, [table.magnitudes.buffer, table.texts.buffer, table.textEnds.buffer])
    if (table.rows < graphFrom) return
    const search = await buildGraph(table, addon, isStopped).catch((error: Error) => error)
    // Told as a message: an error that ends the thread may arrive before the table does.
    if (search instanceof Error) reply({ kind: 'graph', failure: search })
    else if (search !== null) await serve(search, isStopped)
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

function serve(search: GraphSearch, isStopped: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    parentPort?.on('message', (message: unknown) => {
      if (isStopped() || !isGraphRequest(message)) {
        parentPort?.close()
        return resolve()
      }
      const { id, query, count, source } = message
      reply({ kind: 'rows', id, rows: search(query, count, source) })
    })
    reply({ kind: 'graph', failure: null })
  })
}

function reply(message: WorkerReply, moved: readonly ArrayBufferLike[] = []): void {
  parentPort?.postMessage(
    message,
    moved.filter((buffer) => buffer instanceof ArrayBuffer)
  )
}

await run()
