import { z } from 'zod'
import type { Embedder } from '../provider.js'
import { type CallableTool, failedTool, type HubToolResult, type LlmLog } from '../tools.js'
import { LoadedIndex, type LoadedIndexOptions, USUAL_PATHS } from './loadedIndex.js'
import { DIMENSIONS } from './readIndex.js'

export interface DocsSearchConfig {
  /** Absent means the usual places only. */
  readonly searchIndexPath?: string | undefined
  /** Null where the provider of embeddings has no key. */
  readonly embed: Embedder['embed'] | null
}

export interface DocsSearchOptions extends LoadedIndexOptions {
  readonly usualPaths?: readonly string[]
}

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

/** Documentation search: the hub's part of the tool `search_docs`, whose definition clients bring. */
export class DocsSearch {
  readonly #index: LoadedIndex
  readonly #log: LlmLog
  #config: DocsSearchConfig

  /** Carries out calls of the tool. */
  readonly tool: CallableTool = { call: (args, signal) => this.#search(args, signal) }

  constructor(config: DocsSearchConfig, { usualPaths = USUAL_PATHS, ...options }: DocsSearchOptions) {
    this.#log = options.log
    this.#config = config
    const paths = () => {
      const { searchIndexPath } = this.#config
      return searchIndexPath === undefined ? usualPaths : [searchIndexPath, ...usualPaths]
    }
    this.#index = new LoadedIndex(paths, options)
  }

  /** Takes over a changed configuration. */
  reload(config: DocsSearchConfig): void {
    this.#config = config
  }

  /** True when a search can be answered: there is a key for embeddings, and an index. Costs a look at the file. */
  async available(): Promise<boolean> {
    return this.#config.embed !== null && (await this.#index.available())
  }

  /** Lets go of the index. */
  close(): Promise<void> {
    return this.#index.close()
  }

  async #search(args: unknown, signal: AbortSignal): Promise<HubToolResult> {
    const wanted = searchArguments.safeParse(args).data
    if (wanted === undefined) return failedTool('query is required.')
    const { embed } = this.#config
    if (embed === null || (await this.#index.get(signal)) === null) return failedTool(UNAVAILABLE)
    try {
      const embedding = await embed(wanted.query, signal)
      if (embedding.length !== DIMENSIONS || !embedding.every(Number.isFinite)) return failedTool(WRONG_SIZE)
      // Another one may have taken its place meanwhile.
      const index = await this.#index.get(signal)
      if (index === null) return failedTool(UNAVAILABLE)
      return { text: await index.search({ ...wanted, vector: Float32Array.from(embedding) }, signal), ok: true }
    } catch (error) {
      signal.throwIfAborted()
      this.#log.warn({ error: error instanceof Error ? error.message : String(error) }, 'A search of the docs failed')
      return failedTool('The documentation could not be searched. Try again later.')
    }
  }
}
