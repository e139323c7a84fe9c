import { once } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'
import { z } from 'zod'
import { abortable, timeout, waitFor } from '../signals.js'
import { type DocsQuery, INDEX_THREAD, type IndexTask, type SearchRequest } from './indexThread.js'

const LOAD_LIMIT_MS = 300_000
// The thread reads the file piece by piece; what it holds on its heap is the texts.
const HEAP_MB = 1024
const CLOSE_LIMIT_MS = 5000

const sizeReply = z.tuple([z.number()])
const hitsReply = z.tuple([z.string()])

/** A documentation index in memory, in a thread of its own: reading it and searching in it hold up nobody here. */
export class DocsIndex {
  readonly #worker: Worker
  readonly #searches = new Set<Promise<unknown>>()
  /** Aborted when the thread has ended. */
  readonly #gone = new AbortController()
  #isClosed = false

  private constructor(
    worker: Worker,
    /** The number of chunks that can be found. */
    readonly size: number
  ) {
    this.#worker = worker
    worker.on('error', (error) => this.#gone.abort(error))
    worker.on('exit', () => this.#gone.abort(new Error('The thread of the index has ended')))
  }

  /** Reads an index file. Rejects when it cannot be read, is no index, takes five minutes or is not wanted any more. */
  static async load(path: string, signal: AbortSignal): Promise<DocsIndex> {
    const workerData: IndexTask = { indexes: path }
    const worker = new Worker(INDEX_THREAD, { workerData, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
    try {
      const read = once(worker, 'message')
      // Only who waits for a search keeps the process.
      worker.unref()
      const [size] = sizeReply.parse(await abortable(read, AbortSignal.any([signal, timeout(LOAD_LIMIT_MS)])))
      return new DocsIndex(worker, size)
    } catch (error) {
      await worker.terminate()
      throw error
    }
  }

  /** True when it can be searched no more. */
  get hasEnded(): boolean {
    return this.#isClosed || this.#gone.signal.aborted
  }

  /** The best hits, best first, as JSON. Rejects where the index has ended. */
  async search(query: DocsQuery, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted()
    if (this.hasEnded) throw new Error('The index is closed')
    const { port1: answers, port2: port } = new MessageChannel()
    const request: SearchRequest = { query, port }
    this.#worker.postMessage(request, [port])
    const search = abortable(once(answers, 'message'), AbortSignal.any([signal, this.#gone.signal]))
    this.#searches.add(search)
    try {
      return hitsReply.parse(await search)[0]
    } finally {
      this.#searches.delete(search)
      answers.close()
    }
  }

  /** Ends the thread when the searches that are under way have come to their end; they are given five seconds. */
  async close(): Promise<void> {
    this.#isClosed = true
    await waitFor(Promise.allSettled(this.#searches), CLOSE_LIMIT_MS)
    await this.#worker.terminate()
  }
}
