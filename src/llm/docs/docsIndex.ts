import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { abortable, timeout } from '../signals.js'
import type { Hit, Query } from './chunkTable.js'
import { type IndexReply, type IndexRequest, type IndexWorkerInput, STOP, STOPPED } from './indexWorker.js'

export interface DocsIndexOptions {
  /** The number of chunks from which searches are approximate. */
  readonly graphFrom?: number
  /** The package that builds the graph for them. */
  readonly addon?: string
}

const GRAPH_FROM = 8000
const ADDON = 'hnswlib-node'
const LOAD_LIMIT_MS = 300_000
// The thread reads the file piece by piece; what it holds on its heap is the texts.
const HEAP_MB = 1024
const CLOSE_LIMIT_MS = 5000
// Longer than any single call into the addon.
const EXIT_LIMIT_MS = 500

const text = z.string()
const hit = z.object({
  title: text,
  heading: text,
  url: text,
  source: text,
  path: text,
  score: z.number(),
  snippet: text
})
const indexReply: z.ZodType<IndexReply> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), chunks: z.number() }),
  z.object({ kind: z.literal('graph'), graph: z.union([z.boolean(), z.instanceof(Error)]) }),
  z.object({ kind: z.literal('hits'), id: z.number(), hits: z.array(hit) })
])

interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: Error) => void
}

/** A documentation index in memory, in a thread of its own: reading it and searching in it hold up nobody here. */
export class DocsIndex {
  readonly #worker: Worker
  readonly #exited: Promise<void>
  readonly #flags = new Int32Array(new SharedArrayBuffer(8))
  readonly #read = deferred<void>()
  readonly #graph = deferred<boolean | Error>()
  readonly #searches = new Map<number, Deferred<readonly Hit[]>>()
  #size = 0
  #lastId = 0
  #hasEnded = false

  private constructor(input: Omit<IndexWorkerInput, 'flags'>) {
    const workerData: IndexWorkerInput = { ...input, flags: this.#flags }
    const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB }
    this.#worker = new Worker(new URL('./indexWorker.js', import.meta.url), { workerData, resourceLimits })
    this.#worker.on('message', (message: unknown) => this.#take(indexReply.parse(message)))
    this.#worker.on('error', (error) => this.#end(error))
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        process.off('exit', this.#stopNow)
        this.#end(new Error('The thread of the index has ended'))
        resolve()
      })
    })
    process.on('exit', this.#stopNow)
    // Only who waits for it keeps the process; listening for messages would do so from now on.
    this.#worker.unref()
  }

  /** Reads an index file. Rejects when it cannot be read, is no index, takes five minutes or is not wanted any more. */
  static async load(path: string, signal: AbortSignal, options: DocsIndexOptions = {}): Promise<DocsIndex> {
    const { graphFrom = GRAPH_FROM, addon = ADDON } = options
    const index = new DocsIndex({ path, graphFrom, addon })
    try {
      await abortable(index.#read.promise, AbortSignal.any([signal, timeout(LOAD_LIMIT_MS)]))
      return index
    } catch (error) {
      await index.close()
      throw error
    }
  }

  /** The number of chunks that can be found. */
  get size(): number {
    return this.#size
  }

  /** Whether searches are approximate, once that is decided; the reason where they were to be, but cannot. */
  get graph(): Promise<boolean | Error> {
    return this.#graph.promise
  }

  /** True when it can be searched no more. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** The best hits, best first. Rejects where the index has ended. */
  async search(query: Query, signal: AbortSignal): Promise<readonly Hit[]> {
    signal.throwIfAborted()
    if (this.#hasEnded) throw new Error('The index is closed')
    const request: IndexRequest = { id: ++this.#lastId, query }
    const hits = deferred<readonly Hit[]>()
    this.#searches.set(request.id, hits)
    this.#worker.ref()
    this.#worker.postMessage(request)
    return abortable(hits.promise, signal)
  }

  /** Ends the thread when the searches that are under way have come to their end; it is given five seconds. */
  async close(): Promise<void> {
    this.#hasEnded = true
    const late = sleep(CLOSE_LIMIT_MS, undefined, { ref: false })
    await Promise.race([Promise.allSettled([...this.#searches.values()].map(({ promise }) => promise)), late])
    this.#stop()
    this.#worker.ref()
    await Promise.race([this.#exited, late])
    this.#worker.unref()
  }

  #stop(): void {
    Atomics.store(this.#flags, STOP, 1)
    // Where it waits for searches, this is what makes it look at the flag.
    this.#worker.postMessage(null)
  }

  /** The process ends without `close`: the thread has to leave the addon before it is terminated with the process. */
  readonly #stopNow = (): void => {
    this.#stop()
    Atomics.wait(this.#flags, STOPPED, 0, EXIT_LIMIT_MS)
  }

  #take(reply: IndexReply): void {
    if (reply.kind === 'read') {
      this.#size = reply.chunks
      this.#read.resolve()
    } else if (reply.kind === 'graph') this.#graph.resolve(reply.graph)
    else {
      this.#searches.get(reply.id)?.resolve(reply.hits)
      this.#searches.delete(reply.id)
      if (this.#searches.size === 0) this.#worker.unref()
    }
  }

  #end(reason: Error): void {
    this.#hasEnded = true
    this.#read.reject(reason)
    this.#graph.resolve(false)
    for (const { reject } of this.#searches.values()) reject(reason)
    this.#searches.clear()
  }
}

/** A promise that is settled from outside. Where nobody waits for it, that it rejects is of no interest. */
function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<T>((resolveIt, rejectIt) => {
    resolve = resolveIt
    reject = rejectIt
  })
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}
