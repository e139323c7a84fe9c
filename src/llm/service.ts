import type { CatalogModel, HubConfig, ModelPrice } from '../config/types.js'
import { CallCounts } from './callCounts.js'
import { offeredModels, pricesOf } from './catalog.js'
import { DocsSearch } from './docs/docsSearch.js'
import { KeyRing } from './gateway/keyRing.js'
import { McpTools } from './mcp/mcpTools.js'
import { openAiEmbed } from './openai.js'
import { providersOf } from './providers.js'
import type { ModelProvider, NamedModel } from './standIns.js'
import { builtIn, type Target, targetsOf } from './targets.js'
import { createHubTools, type HubTools, type LlmLog } from './tools.js'
import { TurnSizes } from './usage.js'

/** What chats are served with: the models of one configuration, and the hub's own tools. */
export interface Llm {
  /** Those on offer now: a model goes when its vendor ends it. */
  readonly models: readonly CatalogModel[]
  /** True where OpenAI has a key: clients then offer documentation search. */
  readonly hasOpenAi: boolean
  readonly stepTimeoutSeconds: number
  readonly toolCallsPerStep: number
  readonly hubTools: HubTools
  /** What turns are expected to use. */
  readonly turnSizes: TurnSizes
  /** What calls have used since the process began. */
  readonly calls: CallCounts
  /** What a model costs by the catalog in force; null where nobody has said. */
  price(id: string): ModelPrice | null
  /** Who is asked for what a model on offer says, and behind that for what those say that stand in for it; three at most. */
  providers(model: CatalogModel): readonly ModelProvider[]
  /** Where a model on offer is asked in its own interface, and behind it the models that stand in for it. */
  targets(model: CatalogModel): readonly Target[]
  /** The keys that calls are made with in turn. */
  readonly keys: KeyRing
  /** Begins to count a call of a model; to be told once how it ended. */
  counted(model: NamedModel): ReturnType<CallCounts['begin']>
}

/** The tools and models of a running hub, kept up with its configuration: what did not change stays connected. */
export class LlmService {
  readonly #mcp: McpTools
  readonly #docs: DocsSearch
  readonly #hubTools: HubTools
  readonly #calls = new CallCounts()
  readonly #turnSizes = new TurnSizes()

  constructor(config: HubConfig, log: LlmLog) {
    this.#mcp = new McpTools(config.llm?.mcp ?? [], { log })
    this.#mcp.connect()
    this.#docs = new DocsSearch(docsOf(config), { log })
    this.#hubTools = createHubTools(this.#mcp, this.#docs)
  }

  /** Takes over a configuration. Chats that run go on with what they have. */
  reload(config: HubConfig): void {
    this.#mcp.reload(config.llm?.mcp ?? [])
    this.#mcp.connect()
    this.#docs.reload(docsOf(config))
  }

  /** What requests get under a configuration; null where it has no LLM. */
  under({ llm }: HubConfig): Llm | null {
    if (!llm) return null
    const prices = pricesOf({ llm })
    // What was wrong with a key is forgotten with the configuration that it was in.
    const keys = new KeyRing()
    return {
      calls: this.#calls,
      get models() {
        return offeredModels(llm)
      },
      hasOpenAi: llm.providers.openai !== undefined,
      stepTimeoutSeconds: llm.stepTimeoutSeconds,
      toolCallsPerStep: llm.toolCallsPerStep,
      hubTools: this.#hubTools,
      turnSizes: this.#turnSizes,
      providers: (model) =>
        providersOf(llm, model, keys).map((one) => {
          const provider = this.#calls.counting(one.provider, one.model, prices.get(one.model.id))
          return { model: one.model, provider }
        }),
      price: (id) => prices.get(id) ?? null,
      keys,
      targets: (model) => targetsOf(llm, model, offeredModels(llm)),
      counted: (model) => this.#calls.begin(model, prices.get(model.id))
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#mcp.close(), this.#docs.close()])
  }
}

function docsOf({ llm, docs: { searchIndexPath } }: HubConfig) {
  const openai = llm?.providers.openai
  return { searchIndexPath, embed: openai ? openAiEmbed(builtIn('openai', openai)) : null }
}
