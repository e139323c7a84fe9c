import type { CatalogModel, HubConfig, LlmConfig, LlmProviderConfig, LlmProviderName } from '../config/types.js'
import { anthropicProvider } from './anthropic.js'
import { CallCounts } from './callCounts.js'
import { offeredModels, pricesOf } from './catalog.js'
import { DocsSearch } from './docs/docsSearch.js'
import { McpTools } from './mcp/mcpTools.js'
import { openAiProvider } from './openai.js'
import type { Provider } from './provider.js'
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
  /** Who is asked for what a model on offer says. */
  provider(model: CatalogModel): Provider | null
  /** Where a model on offer is asked in its own interface, and with which key; null where nobody is. */
  address(model: CatalogModel): LlmProviderConfig | null
  /** Begins to count a call of a model; to be told once how it ended. */
  counted(model: CatalogModel): ReturnType<CallCounts['begin']>
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
    const providers = createProviders(llm.providers)
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
      provider: (model) => {
        const provider = providers[model.provider]
        return provider && this.#calls.counting(provider, model, prices.get(model.id))
      },
      address: ({ provider }) => llm.providers[provider] ?? null,
      counted: (model) => this.#calls.begin(model, prices.get(model.id))
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#mcp.close(), this.#docs.close()])
  }
}

/**
 * The providers that a configuration has a key for, null for the others. They hold no connection of their own, and load no
 * SDK before the first call. OpenAI's embeddings are what documentation search needs.
 */
export function createProviders({ openai, claude, gemini }: LlmConfig['providers']) {
  return {
    openai: openai ? openAiProvider('openai', openai) : null,
    claude: claude ? anthropicProvider(claude) : null,
    gemini: gemini ? openAiProvider('gemini', gemini) : null
  } satisfies Readonly<Record<LlmProviderName, Provider | null>>
}

function docsOf({ llm, docs: { searchIndexPath } }: HubConfig) {
  const openai = llm?.providers.openai
  return { searchIndexPath, embed: openai ? openAiProvider('openai', openai).embed : null }
}
