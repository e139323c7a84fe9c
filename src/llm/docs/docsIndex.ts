import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { abortable, timeout, waitFor } from '../signals.js'
import type { DocsQuery, Hit } from './chunkTable.js'
import { INDEX_THREAD, type IndexReply, type IndexTask, type SearchRequest } from './indexThread.js'

const LOAD_LIMIT_MS = 300_000
// The thread reads the file piece by piece; what it holds on its heap is the texts.
const HEAP_MB = 1024
const CLOSE_LIMIT_MS = 5000

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
  readonly #read = deferred<number>()
  readonly #searches = new Map<number, Deferred<readonly Hit[]>>()
  #lastId = 0
  #hasEnded = false

  private constructor(path: string) {
    const workerData: IndexTask = { indexes: path }
    const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB }
    this.#worker = new Worker(INDEX_THREAD, { workerData, resourceLimits })
    this.#worker.on('message', (message: unknown) => this.#take(indexReply.parse(message)))
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('exit', () => this.#end(new Error('The thread of the index has ended')))
    // Only who waits for it keeps the process; listening for messages would do so from now on.
    this.#worker.unref()
  }

  /** Reads an index file. Rejects when it cannot be read, is no index, takes five minutes or is not wanted any more. */
  static async load(path: string, signal: AbortSignal): Promise<DocsIndex> {
    const index = new DocsIndex(path)
    try {
      await abortable(index.size, AbortSignal.any([signal, timeout(LOAD_LIMIT_MS)]))
      return index
    } catch (error) {
      await index.close()
      throw error
    }
  }

  /** The number of chunks that can be found. */
  get size(): Promise<number> {
    return this.#read.promise
  }

  /** True when it can be searched no more. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** The best hits, best first. Rejects where the index has ended. */
  async search(query: DocsQuery, signal: AbortSignal): Promise<readonly Hit[]> {
    signal.throwIfAborted()
    if (this.#hasEnded) throw new Error('The index is closed')
    const request: SearchRequest = { id: ++this.#lastId, query }
    const hits = deferred<readonly Hit[]>()
    this.#searches.set(request.id, hits)
    this.#worker.ref()
    this.#worker.postMessage(request)
    return abortable(hits.promise, signal)
  }

  /** Ends the thread when the searches that are under way have come to their end; they are given five seconds. */
  async close(): Promise<void> {
    this.#hasEnded = true
    await waitFor(Promise.allSettled([...this.#searches.values()].map(({ promise }) => promise)), CLOSE_LIMIT_MS)
    await this.#worker.terminate()
  }

  #take(reply: IndexReply): void {
    if (reply.kind === 'read') this.#read.resolve(reply.chunks)
    else {
      this.#searches.get(reply.id)?.resolve(reply.hits)
      this.#searches.delete(reply.id)
      if (this.#searches.size === 0) this.#worker.unref()
    }
  }

  #end(reason: Error): void {
    this.#hasEnded = true
    this.#read.reject(reason)
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
