import { waitFor } from '../wait.js'
import { DocsIndex, type DocsIndexOptions } from './docsIndex.js'
import { findIndexFile, type IndexFile, seemsWhole } from './indexFile.js'

/** Where loading is reported; a pino logger is one. */
export interface DocsLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

export interface LoadedIndexOptions extends DocsIndexOptions {
  readonly log: DocsLog
  readonly now: () => number
  /** How long a chat waits for the first reading of a file to show whether there is an index in it. */
  readonly verdict_ms?: number
}

// A file that could not be read is tried again when it changes, and now and then: the reason may have been the machine.
const RETRY_MS = 60_000
const VERDICT_MS = 1000

/** The index behind a list of paths, kept up with the file. While a new one is being read the old one serves. */
export class LoadedIndex {
  readonly #options: LoadedIndexOptions
  #paths: readonly string[]
  #index: DocsIndex | null = null
  #stamp = ''
  #broken: { readonly stamp: string; readonly until_ms: number } | null = null
  #loading: Promise<void> | null = null
  readonly #closed = new AbortController()

  constructor(paths: readonly string[], options: LoadedIndexOptions) {
    this.#paths = paths
    this.#options = options
  }

  /** Looks at other paths from now on. */
  use(paths: readonly string[]): void {
    this.#paths = paths
  }

  /**
   * True when there is an index, or a file that is still being read and has every appearance of one. Begins to read a file
   * that is new.
   */
  async available(): Promise<boolean> {
    const file = await this.#look()
    if (file === null) return false
    if (this.#index === null && this.#loading !== null) {
      await waitFor(this.#loading, this.#options.verdict_ms ?? VERDICT_MS, this.#closed.signal)
    }
    if (this.#index !== null) return true
    return this.#loading !== null && (await seemsWhole(file.path))
  }

  /** The index; null when there is none. Waits while the first one is being read. */
  async get(signal: AbortSignal): Promise<DocsIndex | null> {
    // Read anew once more where the file was replaced while it was being read.
    for (let turn = 0; turn < 2; turn++) {
      await this.#look()
      if (this.#index !== null || this.#loading === null) break
      await settled(this.#loading, signal)
    }
    return this.#index
  }

  /** Drops the index and ends its thread. */
  async close(): Promise<void> {
    this.#closed.abort()
    await this.#loading
    await this.#forget()
  }

  async #look(): Promise<IndexFile | null> {
    const file = await findIndexFile(this.#paths)
    if (this.#closed.signal.aborted) return null
    if (file === null) {
      // Whoever takes the file away wants no answers out of it.
      void this.#forget()
      return null
    }
    if (file.stamp !== this.#stamp && this.#loading === null && !this.#isBroken(file)) this.#load(file)
    return file
  }

  #isBroken({ stamp }: IndexFile): boolean {
    return this.#broken?.stamp === stamp && this.#options.now() < this.#broken.until_ms
  }

  #load(file: IndexFile): void {
    this.#loading = this.#read(file).finally(() => {
      this.#loading = null
    })
  }

  async #read({ path, stamp }: IndexFile): Promise<void> {
    const { log, now } = this.#options
    const started_ms = now()
    try {
      const index = await DocsIndex.load(path, this.#closed.signal, this.#options)
      if (this.#closed.signal.aborted) return await index.close()
      const old = this.#index
      this.#index = index
      this.#stamp = stamp
      this.#broken = null
      log.info({ path, chunks: index.size, took_ms: Math.round(now() - started_ms) }, 'Documentation index read')
      void index.graph.then((graph) => {
        if (graph instanceof Error)
          log.warn({ path, error: graph.message }, 'Documentation is searched without a graph')
      })
      await old?.close()
    } catch (error) {
      if (this.#closed.signal.aborted) return
      this.#broken = { stamp, until_ms: now() + RETRY_MS }
      log.warn({ path, error: error instanceof Error ? error.message : String(error) }, 'No documentation index')
    }
  }

  async #forget(): Promise<void> {
    const index = this.#index
    this.#index = null
    this.#stamp = ''
    await index?.close()
  }
}

async function settled(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
