import type {
  CatalogModel,
  HubConfig,
  LlmConfig,
  LlmEndpointConfig,
  LlmProviderName,
  ModelPrice
} from '../config/types.js'
import { anthropicProvider } from './anthropic.js'
import { CallCounts } from './callCounts.js'
import { offeredModels, pricesOf } from './catalog.js'
import { DocsSearch } from './docs/docsSearch.js'
import { KeyRing } from './gateway/keyRing.js'
import { McpTools } from './mcp/mcpTools.js'
import { openAiProvider } from './openai.js'
import { type Provider, ProviderFailure } from './provider.js'
import { isBuiltIn } from './providerNames.js'
import { type Target, targetsOf } from './targets.js'
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
  /** Who is asked for what a model on offer says. */
  provider(model: CatalogModel): Provider | null
  /** Where a model on offer is asked in its own interface, and behind it the models that stand in for it. */
  targets(model: CatalogModel): readonly Target[]
  /** The keys that calls are made with in turn. */
  readonly keys: KeyRing
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
    // What was wrong with a key is forgotten with the configuration that it was in.
    const keys = new KeyRing()
    const endpoints = new Map(llm.endpoints.map((one) => [one.id, endpointProvider(one, keys)]))
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
        const provider = isBuiltIn(model.provider) ? providers[model.provider] : endpoints.get(model.provider)
        return provider ? this.#calls.counting(calledAs(provider, model), model, prices.get(model.id)) : null
      },
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

/** An endpoint of the configuration as chats ask it: with its keys in turn. */
function endpointProvider(endpoint: LlmEndpointConfig, keys: KeyRing): Provider {
  const { id, name, interface: wire, baseUrl, apiKeys, timeoutSeconds, maxRetries } = endpoint
  const named = { provider: id, label: name }
  const withKey = (apiKey: string) => {
    const config = { apiKey, baseUrl, timeoutSeconds, maxRetries }
    return wire === 'anthropic' ? anthropicProvider(config, named) : openAiProvider(named, config)
  }
  // The SDKs want a key, also of who asks for none.
  const [first = 'none', ...others] = apiKeys
  if (others.length === 0) return withKey(first)
  return keysInTurn(new Map(apiKeys.map((key) => [key, withKey(key)])), keys)
}

/** Asks with one key, and where that is refused or has too much to do with the next, each at most once. */
function keysInTurn(byKey: ReadonlyMap<string, Provider>, keys: KeyRing): Provider {
  const all = [...byKey.keys()]
  const complete: Provider['complete'] = async (request, signal, tell) => {
    for (let left = all.length; ; left--) {
      const key = keys.next(all)
      const provider = byKey.get(key)
      if (!provider) throw new Error('A key belongs to no provider.')
      try {
        return await provider.complete(request, signal, tell)
      } catch (error) {
        const status = error instanceof ProviderFailure ? error.refusedWith : null
        if (status === 401 || status === 403) keys.refused(key)
        else if (status === 429) keys.busy(key, null)
        else throw error
        if (left === 1) throw error
      }
    }
  }
  return { complete }
}

/** The same provider, asked for a model by what it calls it. */
function calledAs(provider: Provider, { model }: CatalogModel): Provider {
  if (model === undefined) return provider
  return { complete: (request, signal, tell) => provider.complete({ ...request, model }, signal, tell) }
}

function docsOf({ llm, docs: { searchIndexPath } }: HubConfig) {
  const openai = llm?.providers.openai
  return { searchIndexPath, embed: openai ? openAiProvider('openai', openai).embed : null }
}
