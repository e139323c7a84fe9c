import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { ChunkTable, Source } from './chunks.js'
import { type GraphRequest, isWorkerReply, STOP, STOPPED, type WorkerInput, type WorkerReply } from './messages.js'

type Rows = readonly number[] | null

// The thread reads the file piece by piece; what it holds on its heap is the texts.
const HEAP_MB = 1024
const CLOSE_LIMIT_MS = 5000
// Longer than any single call into the addon.
const EXIT_LIMIT_MS = 500

/** The thread that reads an index file and, where the index is large, searches in a graph of it. */
export class IndexThread {
  /** What is in the file. Rejects when it cannot be read or is no index. */
  readonly table: Promise<ChunkTable>
  /** Whether there is a graph, once that is decided; the reason where there was to be one, but cannot. */
  readonly graph: Promise<boolean | Error>
  readonly #worker: Worker
  readonly #exited: Promise<unknown>
  readonly #flags = new Int32Array(new SharedArrayBuffer(8))
  readonly #waiting = new Map<number, (rows: Rows) => void>()
  #hasGraph = false
  #lastId = 0

  constructor(input: Omit<WorkerInput, 'flags'>) {
    const workerData: WorkerInput = { ...input, flags: this.#flags }
    const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB }
    this.#worker = new Worker(new URL('./worker.js', import.meta.url), { workerData, resourceLimits })
    this.#exited = once(this.#worker, 'exit').catch(() => undefined)
    const settle: { graph?: (state: boolean | Error) => void } = {}
    this.graph = new Promise((resolve) => {
      settle.graph = resolve
    })
    this.table = new Promise((resolve, reject) => {
      this.#worker.on('message', (message: unknown) => {
        if (!isWorkerReply(message)) return
        if (message.kind === 'table') resolve(message.table)
        else this.#take(message, settle.graph)
      })
      this.#worker.on('error', (error) => {
        reject(error)
        settle.graph?.(error)
      })
      this.#worker.on('exit', () => {
        process.off('exit', this.#stopNow)
        reject(new Error('The thread that reads the index has ended'))
        settle.graph?.(false)
        this.#end()
      })
    })
    process.on('exit', this.#stopNow)
    // Only who waits for it keeps the process; listening for messages would do so from now on.
    this.#worker.unref()
  }

  /** Rows near the query, found in the graph; null when there is none. */
  rowsNear(query: Float32Array, count: number, source: Source | null): Promise<Rows> {
    if (!this.#hasGraph) return Promise.resolve(null)
    return new Promise((resolve) => {
      const request: GraphRequest = { id: ++this.#lastId, query, count, source }
      this.#waiting.set(request.id, resolve)
      this.#worker.ref()
      this.#worker.postMessage(request)
    })
  }

  /** Ends the thread, whatever it is doing, and waits until it has; it is given five seconds. */
  async close(): Promise<void> {
    Atomics.store(this.#flags, STOP, 1)
    this.#end()
    // Where it waits for searches, this is what makes it look at the flag.
    this.#worker.postMessage(null)
    this.#worker.ref()
    const limit = new AbortController()
    const late = sleep(CLOSE_LIMIT_MS, undefined, { signal: limit.signal }).catch(() => undefined)
    await Promise.race([this.#exited, late])
    limit.abort()
    this.#worker.unref()
  }

  /** The process ends without `close`: the thread has to leave the addon before it is terminated with the process. */
  readonly #stopNow = (): void => {
    Atomics.store(this.#flags, STOP, 1)
    this.#worker.postMessage(null)
    Atomics.wait(this.#flags, STOPPED, 0, EXIT_LIMIT_MS)
  }

  #take(
    reply: Exclude<WorkerReply, { kind: 'table' }>,
    settleGraph: ((state: boolean | Error) => void) | undefined
  ): void {
    if (reply.kind === 'rows') this.#answer(reply.id, reply.rows)
    else {
      this.#hasGraph = reply.failure === null
      settleGraph?.(reply.failure ?? true)
    }
  }

  #answer(id: number, rows: Rows): void {
    this.#waiting.get(id)?.(rows)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#worker.unref()
  }

  #end(): void {
    this.#hasGraph = false
    for (const id of [...this.#waiting.keys()]) this.#answer(id, null)
  }
}
