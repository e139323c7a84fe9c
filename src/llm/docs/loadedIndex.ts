import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { abortable, waitFor } from '../signals.js'
import type { LlmLog } from '../tools.js'
import { DocsIndex } from './docsIndex.js'

export interface LoadedIndexOptions {
  readonly log: LlmLog
  readonly now?: () => number
  /** How long a chat waits for the first reading of a file to show whether there is an index in it. */
  readonly verdict_ms?: number
}

/** An index file as it lies there now. */
interface IndexFile {
  readonly path: string
  /** Changes when the file is written or another one takes its place. */
  readonly stamp: string
}

/** Where an index is looked for when none is configured, or the configured one is not there. */
export const USUAL_PATHS: readonly string[] = [
  '/app/data/docsSearchIndex.json',
  join(process.cwd(), 'data', 'docsSearchIndex.json')
]

// A file that could not be read is tried again when it changes, and now and then: the reason may have been the machine.
const RETRY_MS = 60_000
const VERDICT_MS = 1000

/** The index behind a list of paths, kept up with the file. While a new one is being read the old one serves. */
export class LoadedIndex {
  readonly #paths: () => readonly string[]
  readonly #options: Required<LoadedIndexOptions>
  #index: DocsIndex | null = null
  /** The file that was read last, and until when it need not be read again while it stays as it is. */
  #read: { readonly stamp: string; readonly until_ms: number } | null = null
  #loading: Promise<void> | null = null
  readonly #closed = new AbortController()

  /** The paths are asked for each time that the file is looked for. */
  constructor(paths: () => readonly string[], options: LoadedIndexOptions) {
    this.#paths = paths
    this.#options = { now: () => performance.now(), verdict_ms: VERDICT_MS, ...options }
  }

  /**
   * True when there is an index, or a file that is still being read after a second. Begins to read a file that is new.
   */
  async available(): Promise<boolean> {
    const file = await this.#look()
    if (file === null) return false
    if (this.#index === null && this.#loading !== null) {
      await waitFor(this.#loading, this.#options.verdict_ms, this.#closed.signal)
    }
    return this.#index !== null || this.#loading !== null
  }

  /** The index; null when there is none. Waits while the first one is being read. */
  async get(signal: AbortSignal): Promise<DocsIndex | null> {
    // Read anew once more where the file was replaced while it was being read.
    for (let attempt = 0; attempt < 2; attempt++) {
      await this.#look()
      if (this.#index !== null || this.#loading === null) break
      await abortable(this.#loading, signal)
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
    const file = await findIndexFile(this.#paths())
    if (this.#closed.signal.aborted) return null
    // Whoever takes the file away wants no answers out of it, and what has ended by itself gives none.
    if (file === null || this.#index?.hasEnded) void this.#forget()
    if (file === null) return null
    const isRead = this.#read?.stamp === file.stamp && this.#options.now() < this.#read.until_ms
    if (this.#loading === null && !isRead) {
      this.#loading = this.#load(file).finally(() => {
        this.#loading = null
      })
    }
    return file
  }

  async #load({ path, stamp }: IndexFile): Promise<void> {
    const { log, now } = this.#options
    const started_ms = now()
    try {
      const index = await DocsIndex.load(path, this.#closed.signal)
      if (this.#closed.signal.aborted) return await index.close()
      const old = this.#index
      this.#index = index
      this.#read = { stamp, until_ms: Number.POSITIVE_INFINITY }
      log.info({ path, chunks: index.size, took_ms: Math.round(now() - started_ms) }, 'Documentation index read')
      await old?.close()
    } catch (error) {
      if (this.#closed.signal.aborted) return
      this.#read = { stamp, until_ms: now() + RETRY_MS }
      log.warn({ path, error: error instanceof Error ? error.message : String(error) }, 'No documentation index')
    }
  }

  async #forget(): Promise<void> {
    const index = this.#index
    this.#index = null
    // One that could not be read is not tried sooner for that.
    if (index !== null) this.#read = null
    await index?.close()
  }
}

/** The first of the paths that is a file and may be read; null when none is. */
async function findIndexFile(paths: readonly string[]): Promise<IndexFile | null> {
  for (const path of paths) {
    try {
      const file = await stat(path)
      // A pipe would be waited for.
      if (!file.isFile()) continue
      await access(path, constants.R_OK)
      return { path, stamp: [path, file.mtimeMs, file.ctimeMs, file.size, file.ino].join('|') }
    } catch {
      // Not there, or not for us: the next one may be.
    }
  }
  return null
}
