import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Embed } from '../provider.js'
import { abortable, waitFor } from '../signals.js'
import { type CallableTool, failedTool, type HubToolResult, type LlmLog } from '../tools.js'
import { DocsIndex } from './docsIndex.js'
import { DIMENSIONS } from './readIndex.js'

export interface DocsSearchConfig {
  /** Absent means the usual places only. */
  readonly searchIndexPath?: string | undefined
  /** Null where the provider of embeddings has no key. */
  readonly embed: Embed | null
}

export interface DocsSearchOptions {
  readonly log: LlmLog
  readonly now?: () => number
  readonly usualPaths?: readonly string[]
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
const USUAL_PATHS: readonly string[] = [
  '/app/data/docsSearchIndex.json',
  join(process.cwd(), 'data', 'docsSearchIndex.json')
]
// A file that could not be read is tried again when it changes, and now and then: the reason may have been the machine.
const RETRY_MS = 60_000
const VERDICT_MS = 1000

const USUAL_LIMIT = 5
const MOST_HITS = 10
// Longer than any question; an embedding model refuses what is much longer.
const LONGEST_QUERY = 8000
const UNAVAILABLE = 'Documentation search index is not available. Ask the administrator of this hub for one.'
const WRONG_SIZE = 'Unexpected embedding size from OpenAI.'

/** What a model asks for, as far as it makes sense; refused without a query. */
const searchArguments = z.object({
  query: z
    .string()
    .trim()
    .min(1)
    .transform((text) => text.slice(0, LONGEST_QUERY).toWellFormed()),
  limit: z
    .number()
    .catch(USUAL_LIMIT)
    .transform((limit) => Math.min(MOST_HITS, Math.max(1, Math.floor(limit)))),
  source: z.enum(['site', 'sdk']).optional().catch(undefined)
})

/**
 * Documentation search: the hub's part of the tool `search_docs`, whose definition clients bring. The index is kept up with its
 * file; while a new one is being read the old one serves.
 */
export class DocsSearch {
  readonly #options: Required<DocsSearchOptions>
  #config: DocsSearchConfig
  #index: DocsIndex | null = null
  /** The file that was read last, and until when it need not be read again while it stays as it is. */
  #read: { readonly stamp: string; readonly until_ms: number } | null = null
  #loading: Promise<void> | null = null
  readonly #closed = new AbortController()

  /** Carries out calls of the tool. */
  readonly tool: CallableTool = { call: (args, signal) => this.#search(args, signal) }

  constructor(config: DocsSearchConfig, options: DocsSearchOptions) {
    this.#config = config
    this.#options = { usualPaths: USUAL_PATHS, now: () => performance.now(), verdict_ms: VERDICT_MS, ...options }
  }

  /** Takes over a changed configuration. */
  reload(config: DocsSearchConfig): void {
    this.#config = config
  }

  /**
   * True when a search can be answered: there is a key for embeddings, and an index, or a file that is still being read after a
   * second. Costs a look at the file, and begins to read one that is new.
   */
  async available(): Promise<boolean> {
    if (this.#config.embed === null || (await this.#look()) === null) return false
    if (this.#index === null && this.#loading !== null) {
      await waitFor(this.#loading, this.#options.verdict_ms, this.#closed.signal)
    }
    return this.#index !== null || this.#loading !== null
  }

  /** Drops the index and ends its thread. */
  async close(): Promise<void> {
    this.#closed.abort()
    await this.#loading
    await this.#forget()
  }

  async #search(args: unknown, signal: AbortSignal): Promise<HubToolResult> {
    const wanted = searchArguments.safeParse(args).data
    if (wanted === undefined) return failedTool('query is required.')
    const { embed } = this.#config
    if (embed === null || (await this.#current(signal)) === null) return failedTool(UNAVAILABLE)
    try {
      const embedding = await embed(wanted.query, signal)
      if (embedding.length !== DIMENSIONS || !embedding.every(Number.isFinite)) return failedTool(WRONG_SIZE)
      // Another one may have taken its place meanwhile.
      const index = await this.#current(signal)
      if (index === null) return failedTool(UNAVAILABLE)
      return { text: await index.search({ ...wanted, vector: Float32Array.from(embedding) }, signal), ok: true }
    } catch (error) {
      signal.throwIfAborted()
      this.#options.log.warn(
        { error: error instanceof Error ? error.message : String(error) },
        'A search of the docs failed'
      )
      return failedTool('The documentation could not be searched. Try again later.')
    }
  }

  /** The index; null when there is none. Waits while the first one is being read. */
  async #current(signal: AbortSignal): Promise<DocsIndex | null> {
    // Read anew once more where the file was replaced while it was being read.
    for (let attempt = 0; attempt < 2; attempt++) {
      await this.#look()
      if (this.#index !== null || this.#loading === null) break
      await abortable(this.#loading, signal)
    }
    return this.#index
  }

  async #look(): Promise<IndexFile | null> {
    const { searchIndexPath: path } = this.#config
    const file = await findIndexFile([...(path === undefined ? [] : [path]), ...this.#options.usualPaths])
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
