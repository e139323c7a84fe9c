import { once } from 'node:events'
import { MessageChannel, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { timeout } from '../../lib/timeout.js'
import { abortable, waitFor } from '../signals.js'
import { type Chunk, dotProduct, type Row, readIndex } from './readIndex.js'

const LOAD_LIMIT_MS = 300_000
// The largest index that can be read, as a text and parsed.
const HEAP_MB = 2048
const CLOSE_LIMIT_MS = 5000
/** What scores less is no hit. */
const THRESHOLD = 0.5

export interface DocsQuery {
  readonly vector: Float32Array
  readonly limit: number
  /** Only chunks of this source; of every source when absent. */
  readonly source?: 'site' | 'sdk' | undefined
}

export interface Hit extends Chunk {
  /** The cosine of the angle between the query and the chunk. */
  readonly score: number
}

/** A search, and where its hits are sent, as JSON: that is how a model is told of them. */
interface SearchRequest {
  readonly query: DocsQuery
  readonly port: MessagePort
}

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
    const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB }
    const worker = new Worker(new URL(import.meta.url), { workerData: { indexes: path }, resourceLimits })
    try {
      const read = once(worker, 'message')
      // Only who waits for a search keeps the process.
      worker.unref()
      const [size] = await abortable(read, AbortSignal.any([signal, timeout(LOAD_LIMIT_MS)]))
      return new DocsIndex(worker, Number(size))
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
      const [hits] = await search
      return String(hits)
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

function isTask(given: unknown): given is { readonly indexes: string } {
  return typeof given === 'object' && given !== null && 'indexes' in given && typeof given.indexes === 'string'
}

// The thread: its first message is how many chunks can be found.
if (parentPort && isTask(workerData)) {
  const rows = readIndex(workerData.indexes)
  parentPort.on('message', ({ query, port }: SearchRequest) => port.postMessage(JSON.stringify(bestHits(rows, query))))
  parentPort.postMessage(rows.length)
}
